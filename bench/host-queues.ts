/**
 * Claim: a million hosts with ten URLs each take less than 100 bytes of memory a host beside the
 * buffers. Printed are URLs per second in and out, bytes of memory for each host and of disk for
 * each URL, and the longest time for which the lane was held; then the same work by embedded
 * stores, each in a process of its own and with the same memory, in rounds that take turns.
 *
 * `node bench/host-queues.ts [hosts] [URLs] [memory MiB] [store…]`, by default a million hosts with
 * four URLs each; the comparison has a fifth of the hosts, a quarter of the URLs and of the memory.
 * URLs come for hosts at random, some of which are a thousand times as popular as others, and are
 * pulled from hosts in random order, thirty at a time, many pulls under way at once, as front
 * control does it; there is a checkpoint every half million URLs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopWatch } from "./support/loop-watch.ts";
import { drain, fill, type QueueFigures, runContender, STORES } from "./support/queue-contest.ts";
import { RECORD_BYTES, shuffled, turn } from "./support/queue-load.ts";
import { median } from "./support/rounds.ts";
import { openTrobarQueues } from "./support/trobar-queues.ts";

const [HOSTS = 1_000_000, URLS = 4_000_000, MEMORY_MIB = 64] = process.argv.slice(2, 5).map(Number);
const COMPARED = { hosts: HOSTS / 5, urls: URLS / 4, memoryBytes: (MEMORY_MIB / 4) * 2 ** 20 };
const ROUNDS = 3;

const perSecond = (count: number, fromMs: number): string =>
  `${Math.round(count / (performance.now() - fromMs))} k/s`;

async function measure(root: string): Promise<void> {
  const options = { folder: join(root, "ours"), hosts: HOSTS, memoryBytes: MEMORY_MIB * 2 ** 20 };
  let queues = await openTrobarQueues(options);
  const watch = new LoopWatch();
  const beforeBytes = process.memoryUsage().rss;
  let fromMs = performance.now();
  await fill(queues, { hosts: HOSTS, urls: URLS });
  console.log(`in:  ${perSecond(URLS, fromMs)} URLs, ${HOSTS} hosts, ${URLS} URLs`);
  const { bundles, memoryBytes, diskBytes } = queues.queues.size;
  const besideBytes = memoryBytes - options.memoryBytes;
  console.log(
    `     ${bundles} bundles; ${(besideBytes / HOSTS).toFixed(1)} bytes of memory ` +
      `per host beside the buffers of ${MEMORY_MIB} MiB (at most 250), ` +
      `${(besideBytes / URLS).toFixed(2)} per URL; ` +
      `${(diskBytes / URLS).toFixed(1)} bytes of disk per URL of ${RECORD_BYTES}; ` +
      `RSS grew by ${Math.round((process.memoryUsage().rss - beforeBytes) / 2 ** 20)} MiB`,
  );
  await queues.close();
  watch.stop();
  fromMs = performance.now();
  queues = await openTrobarQueues(options, queues.marks);
  console.log(`     opened again in ${((performance.now() - fromMs) / 1000).toFixed(1)} s`);
  fromMs = performance.now();
  while (queues.queues.size.isBusy) await turn();
  const mergedS = ((performance.now() - fromMs) / 1000).toFixed(1);
  console.log(`     merged to ${queues.queues.size.bundles} bundles in ${mergedS} s more`);
  const order = shuffled(HOSTS);
  await turn();
  const outWatch = new LoopWatch();
  fromMs = performance.now();
  const { pulls } = await drain(queues, order);
  console.log(`out: ${perSecond(URLS, fromMs)} URLs, ${perSecond(pulls, fromMs)} pulls`);
  outWatch.stop();
  console.log(
    `     a turn of the event loop took ${watch.longestMs.toFixed(1)} ms at most while filling, ` +
      `${outWatch.longestMs.toFixed(1)} while pulling`,
  );
  await queues.close();
}

function compare(root: string, stores: readonly string[]): void {
  const figures = new Map<string, QueueFigures[]>(stores.map((store) => [store, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const store of stores) {
      const folder = join(root, `${store}-${round}`);
      figures.get(store)?.push(runContender(store, { ...COMPARED, folder }));
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const { hosts, urls, memoryBytes } = COMPARED;
  console.log(`\n${hosts} hosts, ${urls} URLs, ${memoryBytes / 2 ** 20} MiB, ${ROUNDS} rounds:`);
  console.log(
    "| store | in, k URLs/s | out | bytes of disk a URL | peak memory, MiB | " +
      "longest turn in, ms | out | CPU s in all |\n|---|---|---|---|---|---|---|---|",
  );
  for (const [store, rounds] of figures) console.log(`| ${store} | ${rowOf(rounds)} |`);
}

function rowOf(rounds: readonly QueueFigures[]): string {
  const of = (name: keyof QueueFigures, digits = 0): string =>
    median(rounds.map((round) => round[name])).toFixed(digits);
  return [
    ...[of("inPerMs"), of("outPerMs"), of("diskBytesPerUrl", 1), of("peakMiB")],
    ...[of("longestInMs"), of("longestOutMs"), of("cpuS", 1)],
  ].join(" | ");
}

const root = mkdtempSync(join(tmpdir(), "trobar-host-queues-"));
try {
  const chosen = process.argv.slice(5);
  if (chosen.length === 0) await measure(root);
  compare(root, chosen.length === 0 ? Object.keys(STORES) : chosen);
} finally {
  rmSync(root, { recursive: true, force: true });
}
