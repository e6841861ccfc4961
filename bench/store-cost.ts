/**
 * Claim: the page index and the link graph cost at most 60 µs of processor time a page, all threads
 * together. Crawls with both are compared with crawls without (`support/crawl-cost.ts`); printed are
 * the differences in user time: of the whole process, of the lane, and of the helper thread, which
 * writes. What is left of the whole are threads of Node and of the garbage collector.
 * `node bench/store-cost.ts [--pairs 9] [--urls 4000] [--on KEY=VALUE]... [--off KEY=VALUE]...`
 *
 * With `--on store.text=true --off store.text=false` it is the cost of texts, and so on: the settings
 * that are given are used instead of the default ones.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type CrawlCost, crawlPairs, shareOf, spreadOf } from "./support/crawl-cost.ts";

const PROMISED_MICROS = 60;
const checkout = resolve(import.meta.dirname, "..");

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "9" },
    urls: { type: "string", default: "4000" },
    on: { type: "string", multiple: true },
    off: { type: "string", multiple: true },
  },
});
const isOfStore = values.on === undefined && values.off === undefined;
const on = values.on ?? [];
const off = values.off ?? (isOfStore ? ["store.index=false", "store.links=false"] : []);
const PARTS = ["user", "lane", "helpers", "all"] as const satisfies readonly (keyof CrawlCost)[];

const differences = new Map<string, number[]>(PARTS.map((part) => [part, []]));
await crawlPairs(
  [
    { checkout, settings: on },
    { checkout, settings: off },
  ],
  { pairs: Number(values.pairs), urls: Number(values.urls) },
  (pair, withIt, without) => {
    for (const part of PARTS) differences.get(part)?.push(withIt[part] - without[part]);
    const told = PARTS.map(
      (part) => `${part} ${withIt[part].toFixed(0)} and ${without[part].toFixed(0)}`,
    );
    console.log(`pair ${pair}: ${withIt.pages} and ${without.pages} pages, ${told.join(", ")} µs`);
  },
);
for (const part of PARTS) {
  console.log(`${part.padEnd(8)} ${spreadOf(differences.get(part) ?? [], 0)} µs a page more`);
}
if (isOfStore) {
  const isKept = shareOf(differences.get("user") ?? [], 0.5) <= PROMISED_MICROS;
  console.log(`promised ${PROMISED_MICROS} µs of user time (${isKept ? "kept" : "BROKEN"})`);
}
