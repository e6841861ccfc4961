/**
 * What orders a crawl by priority: a number for each link that it may follow.
 *
 * Contract for implementers, users' modules too:
 * - `priorityOf` is called for every link that passed filters and limits, in the order of the page,
 *   known URLs included; the URL is offered with the number that it returns. Larger comes first;
 *   below 1 is the last band, and each doubling up to 64 is another one. A waiting URL that is
 *   offered again in a better band moves up to it; it never moves down.
 * - Both calls are synchronous and quick, and neither throws. The link is valid only during the
 *   call.
 * - A score with both `save` and `restore` goes on with what it knew when its crawl does.
 * - Memory is bounded: a crawl has more URLs than fit.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { LinkView } from "../filter/index.ts";

/** A link with the fingerprint of the URL that it leads to: two unsigned halves of 32 bits. */
export interface ScoredLink extends LinkView, Fingerprint {}

/** A page that was fetched, just before its links are scored. */
export interface ScoredPage extends Fingerprint {
  readonly url: string;
  readonly depth: number;
  readonly isSeed: boolean;
  /** How many links it has, before anything is refused. */
  readonly links: number;
}

export interface Score {
  priorityOf(link: ScoredLink): number;
  /**
   * Called once for each page that has links or redirects, before `priorityOf` for each of them.
   */
  pageFetched?(page: ScoredPage): void;
  /** What it needs to go on in another run of the crawl: called at the end; null if nothing. */
  save?(): Uint8Array | null;
  /** Called before all else in a crawl that goes on, with what was saved last. */
  restore?(saved: Uint8Array): void;
}
