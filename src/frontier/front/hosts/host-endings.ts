/**
 * Hosts that are given up. Everything of such a host ends: what is queued, and what will come. URLs
 * that are refused are only counted, all at once; those that could not be fetched are told one by
 * one, as they are acquired.
 */
import type { ErrorCode } from "../../../base/errors/index.ts";
import type { HostQueues } from "../../queues/index.ts";
import type { RefusedSeed, UnfetchedErrand } from "../frontier.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import type { RobotsTrips } from "../visits/robots-trips.ts";
import type { HostLedger } from "./host-ledger.ts";
import type { Schedule } from "./schedule.ts";
import type { Tally } from "./tally.ts";
import type { HostEnd, VisitState } from "./visit-state.ts";

export interface HostEndingsParts {
  readonly ledger: HostLedger;
  readonly queues: HostQueues;
  readonly schedule: Schedule;
  readonly tally: Tally;
  readonly trips: RobotsTrips;
  /** Null without a depth limit. */
  readonly depths: DepthBook | null;
  readonly seedRefused: (refused: RefusedSeed) => void;
}

export class HostEndings {
  readonly #parts: HostEndingsParts;

  constructor(parts: HostEndingsParts) {
    this.#parts = parts;
  }

  /** Gives a host up that is not being visited; the caller places its visit state afterwards. */
  giveUp(state: VisitState, end: HostEnd): void {
    const { ledger, trips, queues, tally, seedRefused } = this.#parts;
    state.end = end;
    ledger.end(state.number, end);
    for (const task of state.tasks.splice(0)) trips.fail(task, end);
    if (end.kind === "unfetched") return;
    let count = queues.drop(state.number);
    for (let next = state.takeAnyTicket(); next !== null; next = state.takeAnyTicket()) {
      count += 1;
      if (next.via === null) seedRefused({ ticket: next, reason: end.reason, cause: null });
    }
    tally.refused(end.reason, count);
  }

  /** The next URL that ends without a fetch; null when there is none in memory. */
  next(): UnfetchedErrand | null {
    const { schedule, tally, depths } = this.#parts;
    for (let state = schedule.firstEnding; state !== undefined; state = schedule.firstEnding) {
      const ticket = state.takeAnyTicket();
      if (ticket === null) schedule.passEnding();
      else if (state.end?.kind === "unfetched") {
        tally.ended(1);
        depths?.ended(ticket);
        return { kind: "unfetched", ticket, code: state.end.code };
      } else if (state.end?.kind === "refused") tally.refused(state.end.reason, 1);
    }
    return null;
  }
}

/** How a host ends for this reason: an address that may not be asked refuses, others fail. */
export function hostEndOf(code: ErrorCode): HostEnd {
  const isRefusal = (code as string) === "FETCH_ADDRESS_REFUSED";
  return isRefusal ? { kind: "refused", reason: "address" } : { kind: "unfetched", code };
}
