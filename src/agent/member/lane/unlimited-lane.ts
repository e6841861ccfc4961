/** The limits of a lane of an agent among others: the node gives out tokens for pages, and finds the end. */
import type { CrawlLimits, LaneLimits } from "../../crawl/lane/crawl-limits.ts";

export class UnlimitedLane implements LaneLimits {
  limits: CrawlLimits["limits"];

  constructor(limits: CrawlLimits["limits"]) {
    this.limits = limits;
  }

  /** Visits are begun while there are tokens; all else goes on. */
  pagesWanted(): number {
    return Number.POSITIVE_INFINITY;
  }

  isSpent(): boolean {
    return false;
  }

  reached(): null {
    return null;
  }
}
