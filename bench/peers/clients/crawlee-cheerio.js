/** Crawlee's CheerioCrawler, without persistence and sessions. Arguments: seed, pages, concurrency. */
import { CheerioCrawler, Configuration, log } from "@crawlee/cheerio";

const [seed, pages, concurrency] = process.argv.slice(2);
log.setLevel(log.LEVELS.OFF);
const configuration = new Configuration({ persistStorage: false, availableMemoryRatio: 0.9 });
const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: Number(pages),
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    useSessionPool: false,
    maxRequestRetries: 0,
    requestHandler: async ({ enqueueLinks }) => {
      await enqueueLinks({ strategy: "all" });
    },
  },
  configuration,
);
await crawler.run([seed]);
