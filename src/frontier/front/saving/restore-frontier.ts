/** Brings what was only in memory back, from a checkpoint, into parts that have just been opened. */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import type { HostQueues } from "../../queues/index.ts";
import type { PromotingQueues } from "../../traversal/index.ts";
import type { AddressTable } from "../bench/address-table.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { Distributor } from "../hosts/distributor.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { HostRules } from "../hosts/host-rules.ts";
import type { Tally } from "../hosts/tally.ts";
import type { VisitStates } from "../hosts/visit-states.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import { CheckpointClock } from "./checkpoint-clock.ts";
import type { FrontierCheckpoint } from "./frontier-checkpoint.ts";
import type { SavedVisit } from "./saved-visit.ts";

export interface RestoredParts {
  readonly clock: Clock;
  readonly addresses: AddressTable;
  readonly settings: FrontierSettings;
  readonly queues: HostQueues;
  readonly promoting: PromotingQueues | null;
  readonly ledger: HostLedger;
  readonly rules: HostRules;
  readonly states: VisitStates;
  readonly tally: Tally;
  readonly depths: DepthBook | null;
  readonly distributor: Distributor;
}

/** Null if all is there; the error if the checkpoint and the files do not fit together. */
export function restoreFrontier(
  parts: RestoredParts,
  { marks, visits, hosts }: FrontierCheckpoint,
): CrawlError | null {
  const { clock, addresses, settings, promoting, ledger, states, tally, depths, distributor } =
    parts;
  const moment = CheckpointClock.since(clock, marks.takenAtMs);
  // Rules are read for one name only.
  const keepsRules = marks.productToken === settings.productToken;
  ledger.restore(hosts, marks.ends);
  parts.rules.restore(marks.rules ?? []);
  if (marks.promotions !== null) promoting?.restore(marks.promotions);
  states.restoreRests(marks.rests, moment);
  addresses.restore(marks.addresses, moment.restore(0));
  tally.restore(marks.tally);
  if (marks.book !== null) depths?.restore(marks.book);
  const missing = marks.tally.open - parts.queues.total - waitingIn(visits);
  if (missing !== 0) return incomplete(missing);
  for (const [number, saved] of visits) {
    distributor.restore(number, keepsRules ? saved : { ...saved, origins: [] }, moment);
  }
  distributor.restoreDormant();
  return null;
}

/** Every URL that came out of the sieve and has not ended is in a queue or in a visit state. */
function waitingIn(visits: FrontierCheckpoint["visits"]): number {
  return visits.reduce((sum, [, visit]) => sum + ticketsOf(visit), 0);
}

/** URLs of a host that are in memory. */
export function ticketsOf({ tickets: { head, retries, window } }: SavedVisit): number {
  return (head === null ? 0 : 1) + retries.length + window.length;
}

/** URLs that came out of the sieve and have not ended. */
export function openTickets(checkpoints: readonly FrontierCheckpoint[]): number {
  return checkpoints.reduce((sum, { marks }) => sum + marks.tally.open, 0);
}

export function incomplete(missing: number): CrawlError {
  return new CrawlError(
    "CHECKPOINT_DAMAGED",
    `The checkpoint of the frontier and its queues differ by ${missing} URLs, so the crawl cannot go ` +
      "on from here. Its archive is whole; start over with --fresh, or in another directory.",
  );
}
