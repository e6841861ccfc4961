/**
 * Fills a store of host queues and empties it again, and says what that took. `runContender` does it
 * in a process of its own, so that the memory of one store is not that of another.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SeededRandom } from "../../src/base/random/index.ts";
import { openLevelQueues } from "./level-queues.ts";
import { openLmdbQueues } from "./lmdb-queues.ts";
import { LoopWatch } from "./loop-watch.ts";
import type { ContenderOptions, QueueContender } from "./queue-contender.ts";
import { nextRecord, serialIn, shuffled, someHost, turn } from "./queue-load.ts";
import { openSqliteQueues } from "./sqlite-queues.ts";
import { openTrobarQueues } from "./trobar-queues.ts";

const PULLED = 30;
const PULLS_AT_ONCE = 64;
const CHECKPOINT_URLS = 500_000;
const SAMPLED_EVERY_MS = 100;

type Opening = (options: ContenderOptions) => QueueContender | Promise<QueueContender>;

export const STORES: Readonly<Record<string, Opening>> = {
  ours: openTrobarQueues,
  "classic-level": openLevelQueues,
  lmdb: openLmdbQueues,
  "node:sqlite": openSqliteQueues,
};

export interface QueueFigures {
  readonly inPerMs: number;
  readonly outPerMs: number;
  readonly diskBytesPerUrl: number;
  /** Memory of the process at most, without pages of mapped files. */
  readonly peakMiB: number;
  /** Processor time that one turn of the event loop took at most. */
  readonly longestInMs: number;
  readonly longestOutMs: number;
  /** Processor time of all threads. */
  readonly cpuS: number;
}

interface Load extends ContenderOptions {
  readonly urls: number;
}

export async function fill(
  queues: QueueContender,
  { hosts, urls }: Pick<Load, "hosts" | "urls">,
): Promise<void> {
  const random = new SeededRandom("fill");
  for (let serial = 0; serial < urls; serial += 1) {
    queues.push(someHost(random, hosts), serial, nextRecord(serial));
    // A page brings some dozens of links; between pages the event loop has its turn.
    if (serial % 1000 === 999) {
      await turn();
      await queues.breathe();
    }
    if (serial % CHECKPOINT_URLS === CHECKPOINT_URLS - 1) await queues.checkpoint();
  }
  await queues.checkpoint();
}

/** Pulls everything, host by host in random order, as a crawl comes back to its hosts. */
export async function drain(
  queues: QueueContender,
  hosts: Uint32Array,
): Promise<{ readonly pulls: number; readonly sum: number }> {
  let waiting: ArrayLike<number> = hosts;
  let pulls = 0;
  let sum = 0;
  let checkpointAt = queues.total - CHECKPOINT_URLS;
  const sink = (bytes: Uint8Array, from: number): void => {
    sum += serialIn(bytes, from);
  };
  while (queues.total > 0) {
    const order = waiting;
    const left: number[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < order.length) {
        const host = order[next] as number;
        next += 1;
        if (queues.count(host) === 0) continue;
        pulls += 1;
        await queues.pull(host, PULLED, sink);
        if (queues.count(host) > 0) left.push(host);
        // Stores that answer at once leave the event loop no turn of its own.
        if (pulls % PULLS_AT_ONCE === 0) await turn();
        if (queues.total >= checkpointAt) continue;
        checkpointAt = queues.total - CHECKPOINT_URLS;
        await queues.checkpoint();
      }
    };
    await Promise.all(Array.from({ length: PULLS_AT_ONCE }, work));
    waiting = left;
  }
  return { pulls, sum };
}

/** Measures a store in a process of its own. */
export function runContender(store: string, load: Load): QueueFigures {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), store, JSON.stringify(load)],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${store} failed: ${stderr}`);
  return JSON.parse(stdout);
}

async function measured(store: string, load: Load): Promise<QueueFigures> {
  const { folder, hosts, urls } = load;
  const queues = await (STORES[store] as Opening)(load);
  let peakBytes = 0;
  const sample = (): void => {
    peakBytes = Math.max(peakBytes, residentBytes());
  };
  const sampler = setInterval(sample, SAMPLED_EVERY_MS);
  const inWatch = new LoopWatch();
  const filledFromMs = performance.now();
  await fill(queues, { hosts, urls });
  const inPerMs = urls / (performance.now() - filledFromMs);
  inWatch.stop();
  const diskBytesPerUrl = bytesIn(folder) / urls;
  const order = shuffled(hosts);
  await turn();
  const outWatch = new LoopWatch();
  const drainedFromMs = performance.now();
  const { sum } = await drain(queues, order);
  const outPerMs = urls / (performance.now() - drainedFromMs);
  outWatch.stop();
  sample();
  clearInterval(sampler);
  await queues.close();
  if (sum !== (urls * (urls - 1)) / 2) throw new Error(`${store} did not give back what it took`);
  const { user, system } = process.cpuUsage();
  return {
    ...{ inPerMs, outPerMs, diskBytesPerUrl, peakMiB: peakBytes / 2 ** 20 },
    ...{ longestInMs: inWatch.longestMs, longestOutMs: outWatch.longestMs },
    cpuS: (user + system) / 1e6,
  };
}

/** Memory that is not pages of files, where the system tells; all of it elsewhere. */
function residentBytes(): number {
  if (process.platform !== "linux") return process.memoryUsage().rss;
  const [, kibibytes] = /RssAnon:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

function bytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const blocksOf = (name: string): number => statSync(join(folder, name)).blocks ?? 0;
  return names.reduce((sum, name) => sum + 512 * blocksOf(name), 0);
}

const [, script, store, load] = process.argv;
if (script === fileURLToPath(import.meta.url) && store !== undefined && load !== undefined) {
  console.log(JSON.stringify(await measured(store, JSON.parse(load))));
}
