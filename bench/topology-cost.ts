/**
 * Claim: a crawl as a topology takes at most 5 % more processor time per page than it did as one
 * program wired by hand. The other program is another checkout, with its packages installed:
 *
 *     git worktree add ../before 774ba57~1 && (cd ../before && npm ci)
 *     node bench/topology-cost.ts ../before [--pairs 7] [--urls 4000] [--set KEY=VALUE]...
 *
 * How it is measured: `support/crawl-cost.ts`. It prints the median and the spread of the ratios.
 * `--set` is for this checkout only, to switch off what the other one does not have.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { crawlPairs, shareOf, spreadOf } from "./support/crawl-cost.ts";

const PROMISED = 1.05;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "7" },
    urls: { type: "string", default: "4000" },
    set: { type: "string", multiple: true, default: [] },
  },
});
const [other] = positionals;
if (other === undefined) throw new Error("Name the directory of the other checkout.");

const OURS = { checkout: resolve(import.meta.dirname, ".."), settings: values.set };
const OTHERS = { checkout: resolve(other), settings: [] };
const counts = { pairs: Number(values.pairs), urls: Number(values.urls) };

const ratios: { user: number[]; all: number[] } = { user: [], all: [] };
await crawlPairs([OURS, OTHERS], counts, (pair, ours, others) => {
  ratios.user.push(ours.user / others.user);
  ratios.all.push(ours.all / others.all);
  console.log(
    `pair ${pair}: ${ours.pages} and ${others.pages} pages, user ${ours.user.toFixed(0)} and ` +
      `${others.user.toFixed(0)} µs a page, ratio ${(ours.user / others.user).toFixed(3)}; ` +
      `with system ${ours.all.toFixed(0)} and ${others.all.toFixed(0)} µs`,
  );
});
const verdict = shareOf(ratios.user, 0.5) <= PROMISED ? "kept" : "BROKEN";
console.log(
  `user time, ours by theirs: ${spreadOf(ratios.user, 3)}; promised ${PROMISED} (${verdict})`,
);
console.log(`user and system:           ${spreadOf(ratios.all, 3)}`);
