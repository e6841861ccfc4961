/**
 * A crawl of a whole domain that is slower than it might be, leaves out what is not wanted, tells how it
 * goes, and ends after a while. Try it, and interrupt it:
 *
 *     node examples/20-library/polite.js https://example.org/
 */
import { crawl } from "trobar";

const [seed = "https://example.org/"] = process.argv.slice(2);
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());

const run = await crawl({
  seeds: [seed],
  scope: "domain",
  contact: "mailto:me@example.org",
  politeness: { hostDelay: "3s" },
  fetch: { concurrency: 10 },
  limits: { depth: 5, time: "10m" },
  filters: { schedule: "not URLMatchesRegex('.*/(login|search).*')" },
  signal: interrupted.signal,
  onProgress: ({ pages, queued, pagesPerSecond }) => console.error(pages, queued, pagesPerSecond),
});
for await (const page of run.pages()) {
  if (page.status !== 200) console.log(page.status, page.error, page.url);
}
console.log(run.summary().reason, run.summary().refused);
