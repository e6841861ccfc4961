/**
 * Only the links that you choose, by CSS selectors, two links deep: the crawler follows none by itself,
 * and the handler returns those to follow. Try it:
 *
 *     node examples/20-library/own-links.js https://example.org/
 */
import { crawl } from "trobar";

const [seed = "https://example.org/"] = process.argv.slice(2);

const run = await crawl({
  seeds: [seed],
  limits: { depth: 2 },
  parse: { links: [] },
  handler: (page) => {
    console.log(page.depth, page.status, page.title);
    return page.$$("a.next[href], nav a[href]").map((link) => link.attr("href") ?? "");
  },
});
await run.finished();
