/** node-crawler with its jQuery (cheerio). Arguments: seed, pages, concurrency. */
import Crawler from "crawler";

const [seed, pages, concurrency] = process.argv.slice(2);
const pagesMax = Number(pages);
const seen = new Set([seed]);
let queued = 1;

const crawler = new Crawler({
  maxConnections: Number(concurrency),
  rateLimit: 0,
  retries: 0,
  silence: true,
  callback: (error, response, done) => {
    if (error === null && typeof response.$ === "function") {
      response.$("a[href]").each((_, element) => {
        const url = URL.parse(element.attribs.href, response.options.url);
        if (url === null || queued >= pagesMax) return;
        url.hash = "";
        if (seen.has(url.href)) return;
        seen.add(url.href);
        queued += 1;
        crawler.add(url.href);
      });
    }
    done();
  },
});
crawler.add(seed);
