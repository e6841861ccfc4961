/** Brings what was only in memory back, from a checkpoint, into parts that have just been opened. */
import { CrawlError } from "../../../base/errors/index.ts";
import type { HostQueues } from "../../queues/index.ts";
import { hostInRecord, priorityInRecord, queueRecordFrom, readTicket } from "../../ticket/index.ts";
import type { PromotingQueues } from "../../traversal/index.ts";
import type { AddressTable } from "../bench/address-table.ts";
import type { AliasTable } from "../bench/alias-table.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { Distributor } from "../hosts/distributor.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { HostRules } from "../hosts/host-rules.ts";
import type { VisitStates } from "../hosts/state/visit-states.ts";
import type { Tally } from "../hosts/tally.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import { type EndedUrls, endedOf } from "../visits/ended-urls.ts";
import type { SavedHeld } from "../visits/held-errands.ts";
import type { TriedUrls } from "../visits/tried-urls.ts";
import type { CheckpointClock } from "./checkpoint-clock.ts";
import { type CheckpointRows, rowsOf } from "./checkpoint-rows.ts";
import type { FrontierCheckpoint } from "./frontier-checkpoint.ts";
import type { SavedVisit } from "./saved-visit.ts";

export interface RestoredParts {
  readonly crawlClock: CheckpointClock;
  readonly addresses: AddressTable;
  readonly aliasTable: AliasTable | null;
  readonly settings: FrontierSettings;
  readonly queues: HostQueues;
  readonly promoting: PromotingQueues | null;
  readonly ledger: HostLedger;
  readonly rules: HostRules;
  readonly states: VisitStates;
  readonly tally: Tally;
  readonly depths: DepthBook | null;
  readonly distributor: Distributor;
  readonly ended: EndedUrls;
  readonly tried: TriedUrls;
}

/** Null if all is there; the error if the checkpoint and the files do not fit together. */
export function restoreFrontier(
  parts: RestoredParts,
  { marks, rows }: FrontierCheckpoint,
): CrawlError | null {
  const { crawlClock, addresses, settings, promoting, ledger, states, tally } = parts;
  const { depths, distributor } = parts;
  const visits = visitsIn(rows);
  // Rules are read for one name only.
  const keepsRules = marks.productToken === settings.productToken;
  ledger.restore(rowsOf(rows, "hosts"), marks.ends);
  parts.rules.restore(marks.rules);
  promoting?.restore(Array.from(rowsOf(rows, "promotions"), ([, bytes]) => bytes));
  promoting?.pieces.restored();
  states.restoreRests(marks.rests, crawlClock);
  addresses.restore(marks.addresses, crawlClock.openedAtMs);
  if (marks.aliases !== null) parts.aliasTable?.restore(marks.aliases, crawlClock.openedAtMs);
  tally.restore(marks.tally);
  if (marks.book !== null) depths?.restore(marks.book);
  const missing = marks.tally.open - parts.queues.total - waitingIn(visits) - marks.held.length;
  if (missing !== 0) return incomplete(missing);
  for (const [number, saved] of visits) {
    distributor.restore(number, keepsRules ? saved : { ...saved, origins: [] }, crawlClock);
  }
  // After a kill all rest longer than the checkpoint says, which the next one has to know.
  if (keepsRules && states.killedAtMs === null) states.pieces.restored();
  if (states.killedAtMs !== null) restSinceKill(parts, states.killedAtMs);
  distributor.restoreDormant();
  for (const [, piece] of rowsOf(rows, "ended")) {
    for (const url of endedOf(piece)) parts.ended.mark(...url);
  }
  parts.ended.pieces.restored();
  for (const url of marks.ended) parts.ended.mark(...url);
  parts.tried.restore(marks.tried ?? [], crawlClock);
  for (const held of marks.held) restoreHeld(parts, held);
  return null;
}

/** A URL whose owner was not done with it waits again, as if it had not been visited. */
function restoreHeld({ ledger, depths, distributor }: RestoredParts, held: SavedHeld): void {
  const [text, isCounted] = held;
  const bytes = Buffer.from(text, "base64");
  const from = queueRecordFrom(bytes, 0);
  const host = hostInRecord(bytes, 0);
  const number = ledger.numberOf(host);
  const end = ledger.endOf(number);
  if (isCounted) ledger.takeBackPage(number);
  // The limit that the page has reached is not reached without it.
  const isBelowLimit = end?.kind === "refused" && end.reason === "host-limit";
  if (isCounted && isBelowLimit) ledger.revive(number);
  depths?.revive(readTicket(host, bytes, from, bytes.length));
  distributor.requeue(number, bytes.subarray(from), priorityInRecord(bytes, from));
}

/** All visit states, by the numbers of their hosts. */
export function visitsIn(rows: CheckpointRows): SavedVisits {
  return Array.from(rowsOf(rows, "visits"), ([number, bytes]) => [number, visitOf(bytes)]);
}

export function visitOf(bytes: Uint8Array): SavedVisit {
  return JSON.parse(Buffer.from(bytes).toString()) as SavedVisit;
}

export type SavedVisits = readonly (readonly [number: number, visit: SavedVisit])[];

/**
 * Nobody knows what a process that was killed has visited last, before its first checkpoint or since
 * the last one; the delays of aliases are known when they are restored.
 */
export function restSinceKill(
  { addresses, aliasTable, settings }: Pick<RestoredParts, "addresses" | "aliasTable" | "settings">,
  atMs: number,
): void {
  addresses.restAll(() => atMs + settings.addressDelayMs);
  aliasTable?.restSince(atMs, settings.hostDelayMs);
}

/** Every URL that came out of the sieve and has not ended is in a queue or in a visit state. */
function waitingIn(visits: SavedVisits): number {
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
      "on from here. `trobar store verify --rebuild` makes both again from archive and crawl log.",
  );
}
