/**
 * Hosts that are given up. All their URLs end, those that are queued and those found later. URLs that
 * are refused are counted all at once; those that could not be fetched are acquired one by one.
 */
import type { ErrorCode } from "../../../base/errors/index.ts";
import type { HostQueues } from "../../queues/index.ts";
import type { Ticket } from "../../ticket/index.ts";
import type {
  FrontierRefusal,
  RefusalListener,
  RefusedSeed,
  UnfetchedErrand,
} from "../frontier.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import type { EndedUrls } from "../visits/ended-urls.ts";
import type { RobotsDesk } from "../visits/robots-desk.ts";
import type { HostLedger } from "./host-ledger.ts";
import type { HostEnd } from "./state/visit-home.ts";
import type { VisitLines } from "./state/visit-lines.ts";
import type { VisitState } from "./state/visit-state.ts";
import type { Tally } from "./tally.ts";

export interface HostEndingsParts {
  readonly ledger: HostLedger;
  readonly queues: HostQueues;
  readonly lines: VisitLines;
  readonly tally: Tally;
  readonly robots: RobotsDesk;
  readonly ended: EndedUrls;
  /** Null without a depth limit. */
  readonly depths: DepthBook | null;
  readonly seedRefused: (refused: RefusedSeed) => void;
  /** Whether it is told of all URLs, not only of seeds. */
  readonly isAsked: boolean;
  /** Null unless somebody wants to know of all. */
  readonly refusals: RefusalListener | null;
}

export class HostEndings {
  readonly #parts: HostEndingsParts;

  constructor(parts: HostEndingsParts) {
    this.#parts = parts;
  }

  /** Gives a host up whose turn, visit or resolution is about to end. */
  giveUp(state: VisitState, end: HostEnd): void {
    const { ledger, robots, queues, tally, ended, isAsked } = this.#parts;
    ledger.end(state.number, end);
    for (const task of state.giveUp(end)) robots.fail(task, end);
    // Where each is told of, or some have ended, they come out one by one.
    if (end.kind === "unfetched" || isAsked || ended.hasHost(state.number)) return;
    let count = queues.drop(state.number);
    this.#parts.refusals?.dropped(end.reason, count);
    for (let next = state.takeAnyTicket(); next !== null; next = state.takeAnyTicket()) {
      count += 1;
      this.#tell(next, end.reason);
    }
    tally.refused(end.reason, count);
  }

  /** The next URL that ends without a fetch; null when there is none in memory. */
  next(): UnfetchedErrand | null {
    const { lines, tally, ended, depths } = this.#parts;
    for (let state = lines.ending.first; state !== null; state = lines.ending.first) {
      const ticket = state.takeAnyTicket();
      if (ticket === null || state.end === null) continue;
      if (ended.drops(ticket, state.number)) continue;
      if (state.end.kind === "refused") {
        tally.refused(state.end.reason, 1);
        this.#tell(ticket, state.end.reason);
      } else {
        tally.ended(1);
        depths?.ended(ticket);
        return { kind: "unfetched", ticket, code: state.end.code };
      }
    }
    return null;
  }

  #tell(ticket: Ticket, reason: FrontierRefusal): void {
    const { seedRefused, isAsked, refusals } = this.#parts;
    if (isAsked || ticket.via === null) seedRefused({ ticket, reason, cause: null });
    refusals?.refused({ ticket, reason, cause: null }, () => null);
  }
}

/** How a host ends for this reason: a forbidden address is a refusal, the others are failures. */
export function hostEndOf(code: ErrorCode): HostEnd {
  const isRefusal = (code as string) === "FETCH_ADDRESS_REFUSED";
  return isRefusal ? { kind: "refused", reason: "address" } : { kind: "unfetched", code };
}
