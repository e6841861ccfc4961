/**
 * Claim: with ten million entries a search takes microseconds where looking at every hash takes
 * milliseconds, and an entry takes less than nine bytes of memory. Printed is, for ten million
 * entries or as many as the first argument says, what the index takes in memory and on disk for
 * each, how fast it takes entries in, and what a search costs, beside a search that looks at every
 * hash, in the same run. Searches are measured in processor time of the thread that asks, which
 * other programs on the machine disturb less than wall-clock time. Files are on the disk of the
 * temporary folder and, being fresh, in the system's cache; merges run in a background thread.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ThreadBackground } from "../src/base/background/index.ts";
import type { CrawlError } from "../src/base/errors/index.ts";
import { SeededRandom } from "../src/base/random/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import type { NearIndex, NearMarks, PageId } from "../src/parse/near/index.ts";
import { openNearIndex } from "../src/parse/near/index.ts";

const COUNT = Number(process.argv[2] ?? 10_000_000);
const QUERIES = 100_000;
const SCANS = 10;
/** How many searches may be pending at once. */
const PENDING_MAX = 64;

type Answered<Value> = (error: CrawlError | null, value?: Value) => void;

/** The outcome of something that must succeed. */
function outcome<Value>(start: (answered: Answered<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error === null ? resolve(value as Value) : reject(error)));
  });
}

const highs = new Uint32Array(COUNT);
const lows = new Uint32Array(COUNT);
const random = new SeededRandom("near index");
for (let at = 0; at < COUNT; at++) {
  highs[at] = random.u32();
  lows[at] = random.u32();
}

const root = mkdtempSync(join(tmpdir(), "trobar-near-"));
const storage = new DiskStorage(root);
const background = new ThreadBackground({ storageRoot: root, clock: new SystemClock() });
const report = (error: CrawlError): void => console.error(error.message);
const open = (marks: NearMarks | null): Promise<NearIndex> =>
  outcome((done) => openNearIndex({ storage, background, folder: "near", marks, report }, done));

async function fill(index: NearIndex): Promise<void> {
  for (let id = 0; id < COUNT; id++) {
    const entry = { high: highs[id] as number, low: lows[id] as number, id };
    while (!index.tryAdd(entry)) await outcome((done) => storage.freeBytes(done));
  }
}

/** Processor time of this thread so far. */
function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

interface Query {
  readonly high: number;
  readonly low: number;
}

/** Searches, some side by side; says how many found something and how many asked the disk. */
async function search(
  index: NearIndex,
  queries: readonly Query[],
): Promise<{ near: number; asked: number; spentUs: number }> {
  let near = 0;
  let asked = 0;
  let pending: Promise<PageId | null>[] = [];
  const start = spentUs();
  for (const { high, low } of queries) {
    let answered: (id: PageId | null) => void = () => undefined;
    const query = { high, low, distance: 3 };
    const sighting = index.find(query, (error, id) => answered(error === null ? id : null));
    if (sighting.kind === "near") near++;
    if (sighting.kind !== "pending") continue;
    asked++;
    pending.push(
      new Promise((resolve) => {
        answered = resolve;
      }),
    );
    if (pending.length < PENDING_MAX) continue;
    near += (await Promise.all(pending)).filter((id) => id !== null).length;
    pending = [];
  }
  near += (await Promise.all(pending)).filter((id) => id !== null).length;
  return { near, asked, spentUs: spentUs() - start };
}

function scan({ high, low }: Query): number {
  for (let at = 0; at < COUNT; at++) {
    if (bits((highs[at] as number) ^ high) + bits((lows[at] as number) ^ low) <= 3) return at;
  }
  return -1;
}

function bits(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function strangers(count: number): Query[] {
  return Array.from({ length: count }, () => ({ high: random.u32(), low: random.u32() }));
}

function neighbours(count: number): Query[] {
  return Array.from({ length: count }, () => {
    const at = random.below(COUNT);
    let high = highs[at] as number;
    let low = lows[at] as number;
    for (let flips = random.below(4); flips > 0; flips--) {
      const bit = random.below(64);
      if (bit < 32) low = (low ^ (1 << bit)) >>> 0;
      else high = (high ^ (1 << (bit - 32))) >>> 0;
    }
    return { high, low };
  });
}

async function bytesOnDisk(folder: string): Promise<number> {
  const names = await outcome<readonly string[]>((done) => storage.list(folder, done));
  return names.reduce((sum, name) => sum + statSync(join(root, name)).size, 0);
}

async function measure(label: string, index: NearIndex, queries: readonly Query[]): Promise<void> {
  await search(index, queries.slice(0, 1000));
  const found = await search(index, queries);
  const { near, asked } = found;
  const startUs = spentUs();
  for (const query of queries.slice(0, SCANS)) scan(query);
  const scanUs = (spentUs() - startUs) / SCANS;
  const findUs = found.spentUs / queries.length;
  console.log(
    `${label.padEnd(34)} ${findUs.toFixed(1).padStart(7)} µs  ` +
      `${((100 * near) / queries.length).toFixed(1).padStart(5)} % found  ` +
      `${((100 * asked) / queries.length).toFixed(1).padStart(5)} % asked the disk  ` +
      `${Math.round(scanUs / findUs)} times as fast as looking at all`,
  );
}

try {
  const index = await open(null);
  const startMs = performance.now();
  await fill(index);
  const fillMs = performance.now() - startMs;
  const marks = await outcome<NearMarks>((done) => index.checkpoint(done));
  await outcome((done) => index.close(() => done(null)));
  const reopenMs = performance.now();
  const again = await open(marks);
  console.log(`opened again in ${((performance.now() - reopenMs) / 1000).toFixed(1)} s`);
  await outcome((done) => again.drain(() => done(null)));
  const { entries, runs, memoryBytes } = again.size;
  const diskBytes = await bytesOnDisk("near");
  console.log(
    `${entries} entries in ${runs} runs and a batch; ` +
      `${(memoryBytes / entries).toFixed(1)} bytes each in memory, ` +
      `${(diskBytes / entries).toFixed(1)} on disk; ` +
      `${Math.round((COUNT / fillMs) * 1000)} added per second`,
  );
  await measure("pages like no other", again, strangers(QUERIES));
  await measure("near duplicates", again, neighbours(QUERIES));
  const mixed = [...strangers(QUERIES * 0.8), ...neighbours(QUERIES * 0.2)];
  await measure("four of the former to one latter", again, mixed);
  await outcome((done) => again.close(() => done(null)));
} finally {
  await new Promise<void>((resolve) => background.close(resolve));
  rmSync(root, { recursive: true, force: true });
}
