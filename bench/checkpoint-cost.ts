/**
 * Claim: to lose nothing when it is killed costs a crawl at most a tenth of its processor time. Crawls
 * with a checkpoint every ten seconds, or as often as is said, are compared with crawls that take none
 * but the first and the last, and that never wait for the disk (`support/crawl-cost.ts`,
 * `support/no-sync.ts`). Printed are the ratios in user time, and with that of the system.
 * `node bench/checkpoint-cost.ts [--pairs 7] [--urls 8000] [--checkpoint 10s]`
 */

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { crawlPairs, shareOf, spreadOf } from "./support/crawl-cost.ts";

const PROMISED = 1.1;
const checkout = resolve(import.meta.dirname, "..");
const noSync = fileURLToPath(new URL("./support/no-sync.ts", import.meta.url));

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "7" },
    urls: { type: "string", default: "8000" },
    checkpoint: { type: "string", default: "10s" },
  },
});

const careful = { checkout, settings: [`store.checkpoint=${values.checkpoint}`] };
const careless = {
  ...{ checkout, settings: ["store.checkpoint=1h"] },
  environment: { NODE_OPTIONS: `--import=${noSync}` },
};
const ratios: { user: number[]; all: number[] } = { user: [], all: [] };
const counts = { pairs: Number(values.pairs), urls: Number(values.urls) };
await crawlPairs([careful, careless], counts, (pair, one, other) => {
  ratios.user.push(one.user / other.user);
  ratios.all.push(one.all / other.all);
  console.log(
    `pair ${pair}: ${one.pages} and ${other.pages} pages, user ${one.user.toFixed(0)} and ` +
      `${other.user.toFixed(0)} µs a page, ratio ${(one.user / other.user).toFixed(3)}; ` +
      `helpers ${one.helpers.toFixed(0)} and ${other.helpers.toFixed(0)}, ` +
      `with system ${one.all.toFixed(0)} and ${other.all.toFixed(0)} µs`,
  );
});
const verdict = shareOf(ratios.user, 0.5) <= PROMISED ? "kept" : "BROKEN";
console.log(`user time: ${spreadOf(ratios.user, 3)}; promised ${PROMISED} (${verdict})`);
console.log(`with that of the system: ${spreadOf(ratios.all, 3)}`);
