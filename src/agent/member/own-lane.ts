/** A lane as the node of its agent asks it, whether it runs in this thread or in one of its own. */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Holdings } from "../../cluster/custody/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { LaneHoldings } from "../../cluster/node/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { NumberedPage } from "../../store/index/index.ts";

/** How a lane stands, as far as is known here. */
export interface LaneStanding {
  /** Whether nothing is under way in it, and nothing that was asked of it is still to be done. */
  readonly isIdle: boolean;
  /** Whether URLs wait that could be fetched, now or later. */
  readonly isWaiting: boolean;
  /** Whether its frontier waits for its disk, or has no room. */
  readonly isFull: boolean;
  /** Grows with every URL that is offered and every errand that is begun. */
  readonly changes: number;
  /** Pages and bytes that it has counted. */
  readonly pages: number;
  readonly bytes: number;
  /** Pages that are begun and not over. */
  readonly pagesOpen: number;
}

/** Pages that go from agent to agent, as the lane of their host works on them. */
export interface LanePages {
  /** All bytes of a page, from this place. */
  print(row: NumberedPage, from: string, withBody: boolean): Promise<Uint8Array>;
  /**
   * Works on a page that another agent has sent. The frontier is told of its end, unless it `isKnown` that
   * somebody has it, or its host is not here; resolves with whether it was. Rejects if it is not that page.
   */
  take(entry: UrlEntry, bytes: Uint8Array, isKnown: boolean): Promise<boolean>;
  /** Tells the frontier that the page has ended, if its host is here. */
  tell(entry: UrlEntry): void;
  /** It has not ended after all. */
  forget(entry: UrlEntry): void;
  /** It is here, and there may be a shorter way to it. */
  offerNearer(entry: UrlEntry): void;
}

export interface OwnLane extends LaneHoldings, Pick<Holdings, "find"> {
  readonly standing: LaneStanding;
  /** There is a way of this depth to a page: if it is here, its links are followed from there. */
  nearer(page: Fingerprint, depth: number): void;
  /** Fetches a robots.txt for another host, as a visit of the host that has it. */
  fetchRobots(...robots: Parameters<Frontier["fetchRobots"]>): void;
  /** What may be visited is another. */
  recheck(): void;
  /** Calls back when all that was asked before is carried out; `isQuiet` if a checkpoint may be taken then. */
  inTurn(done: (isQuiet: boolean) => void): void;
  readonly pages: LanePages;
}
