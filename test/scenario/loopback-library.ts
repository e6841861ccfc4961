/** The library as examples get it in tests: on loopback, and in no hurry to be polite. */
import { type CrawlOptions, type CrawlRun, crawl as crawlAsGiven } from "../../src/index.ts";

export { openCrawl } from "../../src/index.ts";

export function crawl(options: CrawlOptions): Promise<CrawlRun> {
  return crawlAsGiven({
    ...options,
    fetch: { ...options.fetch, allowAddresses: ["127.0.0.0/8"], ports: "any" },
    politeness: { ...options.politeness, hostDelay: 0, ipDelay: 0 },
    limits: { ...options.limits, minFreeDisk: 0 },
  });
}
