/**
 * The headings of a site as rows of JSON: a handler sees every page, and the crawler finds the links by
 * itself, each once. Try it:
 *
 *     node examples/20-library/titles.js https://example.org/ titles.jsonl
 */
import { crawl } from "trobar";

const [seed = "https://example.org/", file = "titles.jsonl"] = process.argv.slice(2);

const run = await crawl({
  seeds: [seed],
  limits: { pages: 100 },
  pages: file,
  handler: (page) => {
    page.push({ heading: page.$("h1")?.text ?? null });
  },
});
const { pages } = await run.finished();
console.log(`${pages} pages, in ${file}`);
