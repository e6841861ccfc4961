/** Crawlee's HttpCrawler with htmlparser2 for the links. Arguments: seed, pages, concurrency. */
import { Configuration, HttpCrawler, log } from "@crawlee/http";
import { Parser } from "htmlparser2";

const [seed, pages, concurrency] = process.argv.slice(2);
log.setLevel(log.LEVELS.OFF);
const configuration = new Configuration({ persistStorage: false, availableMemoryRatio: 0.9 });

function linksOf(html, base) {
  const links = [];
  const parser = new Parser({
    onopentag(name, { href }) {
      const url = name === "a" && href !== undefined ? URL.parse(href, base) : null;
      if (url === null) return;
      url.hash = "";
      links.push(url.href);
    },
  });
  parser.end(html);
  return links;
}

const crawler = new HttpCrawler(
  {
    maxRequestsPerCrawl: Number(pages),
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    useSessionPool: false,
    maxRequestRetries: 0,
    requestHandler: async ({ body, request, addRequests }) => {
      await addRequests(linksOf(body.toString(), request.loadedUrl));
    },
  },
  configuration,
);
await crawler.run([seed]);
