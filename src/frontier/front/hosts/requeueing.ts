/**
 * URLs that have ended and are queued once more, because somebody wants them to be tried again: they do
 * not pass the sieve, which knows them. A host that was given up because it could not be reached is
 * tried again with them, from its addresses on.
 */
import { hostOf } from "../../../formats/url/index.ts";
import { politeHost, type Ticket, TicketWriter } from "../../ticket/index.ts";
import type { Traversal } from "../../traversal/index.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import type { TriedUrls } from "../visits/tried-urls.ts";
import type { Distributor } from "./distributor.ts";
import type { HostLedger } from "./host-ledger.ts";
import type { VisitStates } from "./state/visit-states.ts";
import type { Tally } from "./tally.ts";

export interface RequeueingParts {
  readonly settings: Pick<FrontierSettings, "blockedHosts">;
  readonly traversal: Pick<Traversal, "priorityOf">;
  readonly distributor: Pick<Distributor, "requeue">;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly tally: Tally;
  readonly tried: TriedUrls;
  /** Null without a depth limit. */
  readonly depths: Pick<DepthBook, "revive"> | null;
}

/** See `Frontier.requeue`. */
export function requeueing(parts: RequeueingParts): (ticket: Ticket) => boolean {
  const { settings, traversal, distributor, ledger, tally, tried, depths } = parts;
  const writer = new TicketWriter();
  return (offered) => {
    const priority = traversal.priorityOf?.(offered) ?? offered.priority;
    const host = politeHost(hostOf(offered.url));
    const isTaken =
      writer.tryWrite({ ...offered, priority }, 0) && !settings.blockedHosts.has(host);
    const number = isTaken ? ledger.numberOf(host) : -1;
    if (!isTaken || !isRevived(number, parts)) return false;
    // A ticket of it that waits, or is in the sieve, is still to be dropped: this one comes in its place.
    tried.forget(offered);
    tally.taken(1);
    // A better depth that is met while it waits counts, as for any URL that waits.
    depths?.revive(offered);
    distributor.requeue(number, writer.bytes.subarray(writer.queueFrom, writer.to), priority);
    return true;
  };
}

/** False for a host that is refused, and for one whose URLs are just being ended. */
function isRevived(number: number, { ledger, states }: RequeueingParts): boolean {
  const end = ledger.endOf(number);
  if (end === null) return true;
  const state = states.find(number);
  if (end.kind === "refused" || (state !== null && state.phase !== "idle")) return false;
  // It is opened again, as a host that was never tried.
  state?.close();
  ledger.revive(number);
  return true;
}
