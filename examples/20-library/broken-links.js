/**
 * Keeps a crawl, and asks it afterwards: which links of the site lead nowhere, and from where? Try it:
 *
 *     node examples/20-library/broken-links.js https://example.org/ my-crawl
 */
import { crawl, openCrawl } from "trobar";

const [seed = "https://example.org/", out = "my-crawl"] = process.argv.slice(2);

const run = await crawl({ seeds: [seed], out });
await run.finished();

await using stored = await openCrawl(out);
for await (const page of stored.pages({ filter: "StatusIs(404)" })) {
  for await (const link of stored.linksTo(page)) console.log(`${link.url} -> ${page.url}`);
}
const { pages, bytes } = await stored.stats();
console.log(`${pages} pages, ${bytes} bytes`);
