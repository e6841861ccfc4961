/**
 * What a verdict asks of the truth: for one crawl with given seeds and rules, how every page of the
 * web stands. The truth is computed from the model of the web, never from what was served; a
 * verdict compares it with the access log or with archived records.
 */
export interface CrawlTruth {
  /** The page that a request means: all textual variants of a URL have one key. Never throws. */
  keyOf(host: string, target: string): PageKey;

  /** How a page stands under the rules of the crawl; answers for any key, made-up ones too. */
  standingOf(key: PageKey): Standing;

  /** Every page that is due, each once, in any order. */
  dueKeys(): Iterable<PageKey>;
  readonly dueCount: number;

  /** Shortest distance from a seed; null for an unreachable page. */
  depthOf(key: PageKey): number | null;

  /** How many links of the web lead to the page. */
  inLinksOf(key: PageKey): number;

  /**
   * Whether the page's body may be archived: neither a meta element nor a field says noarchive, or
   * only a forgiving crawler would find that out, as of HTML that is declared to be plain text.
   */
  isArchivable(key: PageKey): boolean;

  /** Whether the page says noarchive, however hard that is to find out: metadata alone will do. */
  mayBeLeftOut(key: PageKey): boolean;

  /** What the host's robots.txt asks of this crawler, whether or not it exceeds a limit; 0: nothing. */
  crawlDelayMsOf(host: string): number;
}

/** A URL in the canonical form that the crawl compares. */
export type PageKey = string;

export type Standing =
  /** Must be fetched. `ending` says what the server will have seen of it in the end. */
  | { readonly kind: "due"; readonly ending: Ending }
  /** Neither demanded nor forbidden, such as what only a trap or a sitemap leads to. */
  | { readonly kind: "allowed" }
  /** robots.txt itself, or what it redirects to: a visit, but no page. */
  | { readonly kind: "robots" }
  | { readonly kind: "forbidden"; readonly reason: ForbiddenReason }
  /** Nothing in this web leads to it: the crawler has made it up. */
  | { readonly kind: "unknown" };

/**
 * `answered`: a final answer comes, if need be after errors that pass. `failing`: every try fails.
 * `unreachable`: the host cannot be resolved or connected to, so that no server sees anything.
 */
export type Ending = "answered" | "failing" | "unreachable";

export type ForbiddenReason = "robots" | "nofollow" | "scope" | "depth" | "address" | "limit";
