/** The ticket: what the frontier knows about a URL. */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";

/**
 * A URL on its way through the frontier, with what must be known about it when it is fetched. The
 * fingerprint is that of its key.
 */
export interface Ticket extends Fingerprint {
  readonly url: FetchableUrl;
  /** The shortest known distance from a seed. */
  readonly depth: number;
  /** Where that is limited: the shortest known distance from where its host was entered; else absent. */
  readonly hostDepth?: number;
  /** The page that led here; null for a seed. */
  readonly via: string | null;
  /** How many redirects in a row led here. */
  readonly redirects: number;
  /** For traversals by priority, else 0. Larger comes first. */
  readonly priority: number;
  /**
   * How many steps beyond its page a requisite is: 1 for what the page names, more for what a style
   * sheet names. Absent, or 0, for a page.
   */
  readonly requisite?: number;
}

/** A ticket on its way through the sieve. */
export interface OfferedTicket extends Ticket {
  /**
   * Set for a page of which the frontier is told that it has ended before it hears of it in any other
   * way (`Frontier.offerEnded`): it passes the sieve, so that this knows it, and goes no further.
   */
  readonly hasEnded?: true;
}
