/**
 * The limits of the whole crawl: pages, bytes, time. The limit on pages is never exceeded: each fetch
 * in flight holds a place for the page that may come of it, and gives it back when there is none.
 */
import type { Configuration } from "../../../rules/config/index.ts";
import type { CrawlCounts } from "../counting/crawl-counts.ts";

/** By the names of their keys. */
export type CrawlLimit = "pages" | "bytes" | "time";

type Limits = Pick<Configuration["limits"], CrawlLimit>;

/** The limits as a lane keeps them. */
export type LaneLimits = Pick<CrawlLimits, "limits" | "pagesWanted" | "isSpent" | "reached">;

export class CrawlLimits {
  #limits: Limits;
  readonly #counts: CrawlCounts;

  constructor(limits: Limits, counts: CrawlCounts) {
    this.#limits = limits;
    this.#counts = counts;
  }

  /** Others may be set while the crawl runs. */
  get limits(): Limits {
    return this.#limits;
  }

  set limits(limits: Limits) {
    this.#limits = limits;
  }

  /** How many more pages may be begun while `pagesOpen` are open. */
  pagesWanted(pagesOpen: number): number {
    const { pages, bytes } = this.#limits;
    if (bytes !== null && this.#counts.bytes >= bytes) return 0;
    return pages === null ? Number.POSITIVE_INFINITY : pages - this.#counts.pages - pagesOpen;
  }

  /**
   * Whether bytes or time are used up: then nothing at all is requested any more, neither requisites nor
   * a robots.txt, even if nobody has noticed yet that the crawl is over.
   */
  isSpent(elapsedMs: () => number): boolean {
    const { bytes, time } = this.#limits;
    if (bytes !== null && this.#counts.bytes >= bytes) return true;
    return time !== null && elapsedMs() >= time;
  }

  /** Which limit ends the crawl now; null when none does. The end may have to wait for requisites. */
  reached(elapsedMs: number): CrawlLimit | null {
    const { pages, bytes, time } = this.#limits;
    if (bytes !== null && this.#counts.bytes >= bytes) return "bytes";
    if (time !== null && elapsedMs >= time) return "time";
    return pages !== null && this.#counts.pages >= pages ? "pages" : null;
  }
}
