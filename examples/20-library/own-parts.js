/**
 * Parts of your own, each in a few lines: a parser for a kind of document, a word for the filter language,
 * a score that decides what comes first, a store. Try it:
 *
 *     node examples/20-library/own-parts.js https://example.org/
 */
import { crawl } from "trobar";

const [seed = "https://example.org/"] = process.argv.slice(2);

/** Lists of links: a URL in each line. */
const lists = {
  accepts: ({ media }) => media === "text/x-list",
  read: ({ bytes }) => ({ title: "A list", links: String(bytes).trim().split("\n") }),
};

/** `schedule: IsShort(60)` leaves out longer URLs. */
const atoms = {
  IsShort: { looksAt: "url", create: (length) => (url) => url.href.length < Number(length) },
};

/** Takes pages in place of WARC files, and need not be as simple as this. */
const kept = new Map();
const store = { text: true, put: (page) => void kept.set(page.url, page.text) };

const run = await crawl({
  seeds: [seed],
  parse: { parsers: [lists, "html", "text", "binary"] },
  filters: { modules: [atoms], schedule: "IsShort(60)" },
  frontier: { traversal: "priority", score: (link) => (link.anchor.includes("news") ? 64 : 1) },
  store: { kind: store },
});
for await (const page of run.pages()) console.log(page.title, page.url);
console.log(kept.size, "texts");
