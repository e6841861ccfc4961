/**
 * Claim: the sieve takes a tenth of the processor time of SQLite, eight bytes a key on disk, and
 * the same memory with ten million URLs seen as with a hundred. Printed are, with ten, fifty and a
 * hundred million URLs seen, offers per second with three in ten new and the others repeats of
 * earlier keys, drawn evenly, so that nothing but the sieve can help; bytes per key on disk; peak
 * memory; and for how long at a time the lane was held. Beside it the same keys in SQLite, a table
 * with the key as its primary key, which keeps no text, gives nothing out and syncs nothing; keys
 * are sorted and inserted many at a time. SQLite is measured at the first size, or at ten million
 * if that is more.
 *
 *     node bench/sieve.ts [millions,…] [--measure=MILLIONS] [--memory=MIB] [--depth] [--no-sqlite]
 *
 * `node bench/sieve.ts 1,2 --measure=2` takes half a minute; the default is 10,50,100. To see it
 * with files larger than the memory left to cache them, run it under a limit that counts the cache:
 *
 *     systemd-run --scope -p MemoryMax=600M node bench/sieve.ts
 *
 * or, where that is not available and the memory controller is version 1:
 *
 *     mkdir /sys/fs/cgroup/memory/sieve
 *     echo 600M > /sys/fs/cgroup/memory/sieve/memory.limit_in_bytes
 *     sh -c 'echo $$ > /sys/fs/cgroup/memory/sieve/cgroup.procs; exec node bench/sieve.ts'
 *
 * The limit is printed as the process sees it.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ThreadBackground } from "../src/base/background/index.ts";
import type { CrawlError } from "../src/base/errors/index.ts";
import { SeededRandom } from "../src/base/random/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { type FreshBatch, openDiskSieve, type Sieve } from "../src/frontier/sieve/index.ts";

const words = process.argv.slice(2);
const sizes = (words.find((word) => /^[\d,.]+$/.test(word)) ?? "10,50,100")
  .split(",")
  .map((size) => Number(size) * 1e6);
const MEASURED = option("measure", 16) * 1e6;
const MEMORY_BYTES = option("memory", 192) * 1024 * 1024;
const NEW_RATIO = 0.3;
const RECORD_BYTES = 80;
/** What a lane offers in one turn of its event loop. */
const TURN_OFFERS = 1000;
const CHECKPOINT_OFFERS = 5_000_000;
const SQLITE_SEEN_MAX = 10e6;
const SQLITE_OFFERS = Math.min(1e6, MEASURED);
const SQLITE_BATCH = 50_000;
/** Rows of one statement; both numbers above are multiples of it. */
const SQLITE_ROWS = 250;

function option(name: string, usual: number): number {
  const word = words.find((each) => each.startsWith(`--${name}=`));
  return word === undefined ? usual : Number(word.slice(name.length + 3));
}

/** Keys by number: a bijection of 32 bits in each half, so different numbers have different keys. */
function highOf(number: number): number {
  let word = (number + 0x9e3779b9) | 0;
  word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
  return (word ^ (word >>> 15)) >>> 0;
}

function lowOf(number: number): number {
  let word = number | 0;
  word = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return (word ^ (word >>> 16)) >>> 0;
}

let state = 0x2545f491;
function draw(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}

/** Processor time of this thread so far. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The lane: offers when there is room, takes what is given, and watches its own turns. */
class Lane {
  given = 0;
  longestMs = 0;
  longestBusyMs = 0;
  over20Ms = 0;
  turns = 0;
  #wake: (() => void) | null = null;
  #lastAtMs = 0;
  #lastSpentMs = 0;

  fresh(batch: FreshBatch, more: () => void): void {
    this.given += batch.count;
    more();
  }

  improved(): void {}

  room(): void {
    this.#wake?.();
  }

  idle(): void {
    this.#wake?.();
  }

  failed(error: CrawlError): void {
    throw error;
  }

  sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  startWatch(): void {
    this.longestMs = 0;
    this.longestBusyMs = 0;
    this.over20Ms = 0;
    this.turns = 0;
    this.#lastAtMs = performance.now();
    this.#lastSpentMs = spentMs();
  }

  /** Lets the event loop turn: how long was it since it last could? */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#watch(0);
        resolve();
      });
    });
  }

  /** Waits a moment for something to happen: how much later than that did it go on? */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(() => {
        this.#watch(1);
        resolve();
      }, 1);
    });
  }

  #watch(plannedMs: number): void {
    const nowMs = performance.now();
    const busyMs = spentMs();
    const heldMs = nowMs - this.#lastAtMs - plannedMs;
    this.longestMs = Math.max(this.longestMs, heldMs);
    this.longestBusyMs = Math.max(this.longestBusyMs, busyMs - this.#lastSpentMs);
    if (heldMs > 20) this.over20Ms++;
    this.turns++;
    this.#lastAtMs = nowMs;
    this.#lastSpentMs = busyMs;
  }
}

const root = mkdtempSync(join(tmpdir(), "trobar-sieve-"));
const storage = new DiskStorage(root);
const background = new ThreadBackground({ storageRoot: root, clock: new SystemClock() });
const lane = new Lane();
const withDepth = words.includes("--depth");
let seen = 0;

function outcome<Value>(
  start: (done: (error: CrawlError | null, value?: Value) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error === null ? resolve(value as Value) : reject(error)));
  });
}

/** Offers this many URLs, some of them new, and has all of them decided. */
async function offer(sieve: Sieve, count: number, newRatio: number, bytes: number): Promise<void> {
  const record = new Uint8Array(bytes).fill(120);
  for (let at = 0; at < count; at++) {
    const isNew = draw() < newRatio || seen === 0;
    const number = isNew ? seen++ : Math.floor(draw() * seen);
    const high = highOf(number);
    while (!sieve.tryOffer(high, lowOf(number), at & 15, record, 0, bytes)) await waitForRoom();
    if (at % TURN_OFFERS === 0) await lane.turn();
    if (at % CHECKPOINT_OFFERS === 0) checkpoint(sieve);
  }
  while (sieve.pending > 0) {
    sieve.flush();
    await waitForRoom();
  }
}

/** Goes on turning, as a lane with other things to do. */
async function waitForRoom(): Promise<void> {
  let isAwake = false;
  void lane.sleep().then(() => {
    isAwake = true;
  });
  while (!isAwake) await lane.rest();
}

function checkpoint(sieve: Sieve): void {
  sieve.checkpoint((...[error]) => {
    if (error !== null) throw error;
    sieve.committed();
  });
}

async function bytesOf(folder: string): Promise<number> {
  const names = await outcome<readonly string[]>((done) => storage.list(folder, done));
  return names.reduce((sum, name) => sum + statSync(join(root, name)).size, 0);
}

/** What the runs occupy when merges have ended and what these used up is removed. */
async function restingBytes(sieve: Sieve): Promise<number> {
  let [before, bytes] = [-1, 0];
  while (bytes !== before) {
    await outcome<string>((done) => sieve.checkpoint(done));
    sieve.committed();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    [before, bytes] = [bytes, await bytesOf("sieve/runs")];
  }
  return bytes;
}

function peakMiB(): number {
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(peak) / 1024;
}

/** The memory limit of the control group, in either version; "none" where there is none. */
function limit(): string {
  for (const file of limitFiles()) {
    try {
      const bytes = Number(readFileSync(file, "utf8"));
      if (bytes < 2 ** 50) return `${Math.round(bytes / 2 ** 20)} MiB, cache included (${file})`;
    } catch {
      // Not this version of control groups.
    }
  }
  return "none";
}

function limitFiles(): string[] {
  const groups = readFileSync("/proc/self/cgroup", "utf8").split("\n");
  return groups.flatMap((line) => {
    const [, controllers = "", path = ""] = line.split(":");
    if (controllers === "memory") return [`/sys/fs/cgroup/memory${path}/memory.limit_in_bytes`];
    return controllers === "" ? [`/sys/fs/cgroup${path}/memory.max`] : [];
  });
}

/** Processor time of all threads so far; other programs on the machine hardly change it. */
function allSpentUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

interface Measured {
  readonly size: number;
  readonly perSecond: number;
  /** Microseconds of processor time for an offer, in the lane and the background together. */
  readonly costUs: number;
}

async function measure(sieve: Sieve, size: number): Promise<Measured> {
  if (size > seen) await offer(sieve, size - seen, 1, 8);
  const [firstSeen, firstGiven] = [seen, lane.given];
  lane.startWatch();
  const [startMs, startUs] = [performance.now(), allSpentUs()];
  await offer(sieve, MEASURED, NEW_RATIO, RECORD_BYTES);
  const elapsedMs = performance.now() - startMs;
  const costUs = (allSpentUs() - startUs) / MEASURED;
  if (lane.given - firstGiven !== seen - firstSeen)
    throw new Error("not just what was new came out");
  const diskBytes = await restingBytes(sieve);
  const perSecond = (MEASURED / elapsedMs) * 1000;
  console.log(
    `${String(size / 1e6).padStart(5)} M seen  ${(perSecond / 1e6).toFixed(2).padStart(6)} M offers/s  ` +
      `${costUs.toFixed(2)} µs CPU each  ${(diskBytes / seen).toFixed(2).padStart(6)} bytes/key on disk  ` +
      `longest turn ${lane.longestMs.toFixed(1)} ms (${lane.longestBusyMs.toFixed(1)} busy), ` +
      `${lane.over20Ms} of ${lane.turns} over 20 ms  peak ${peakMiB().toFixed(0)} MiB`,
  );
  return { size, perSecond, costUs };
}

/** 53 bits of the key, which SQLite takes as a plain number: faster for it than 64. */
function sqliteKey(number: number): number {
  return highOf(number) * 2 ** 21 + (lowOf(number) >>> 11);
}

function measureSqlite(size: number): Measured {
  const database = new DatabaseSync(join(root, "reference.db"));
  const cacheKiB = Math.round(MEMORY_BYTES / 1024);
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA cache_size=-${cacheKiB}`);
  database.exec("CREATE TABLE seen (key INTEGER PRIMARY KEY)");
  const rows = Array.from({ length: SQLITE_ROWS }, () => "(?)").join();
  const insert = database.prepare(`INSERT OR IGNORE INTO seen VALUES ${rows}`);
  // As the sieve does: in order of the keys, many at a time.
  const add = (keys: Float64Array): void => {
    keys.sort();
    database.exec("BEGIN");
    for (let at = 0; at < keys.length; at += SQLITE_ROWS) {
      insert.run(...keys.subarray(at, at + SQLITE_ROWS));
    }
    database.exec("COMMIT");
  };
  add(Float64Array.from({ length: size }, (_, number) => sqliteKey(number)));
  let known = size;
  const [startMs, startUs] = [performance.now(), allSpentUs()];
  const batch = new Float64Array(SQLITE_BATCH);
  for (let at = 0; at < SQLITE_OFFERS; at++) {
    const number = draw() < NEW_RATIO ? known++ : Math.floor(draw() * known);
    batch[at % SQLITE_BATCH] = sqliteKey(number);
    if ((at + 1) % SQLITE_BATCH === 0) add(batch);
  }
  const perSecond = (SQLITE_OFFERS / (performance.now() - startMs)) * 1000;
  const costUs = (allSpentUs() - startUs) / SQLITE_OFFERS;
  database.close();
  rmSync(join(root, "reference.db"));
  return { size, perSecond, costUs };
}

try {
  console.log(`memory limit: ${limit()}; the sieve may use ${MEMORY_BYTES / 2 ** 20} MiB`);
  // Before the sieve, while all memory is free.
  const [firstSize = 0] = sizes;
  const isCompared = !words.includes("--no-sqlite");
  const reference = isCompared ? measureSqlite(Math.min(firstSize, SQLITE_SEEN_MAX)) : null;
  const sieve = await outcome<Sieve>((done) =>
    openDiskSieve(
      {
        clock: new SystemClock(),
        storage,
        background,
        random: new SeededRandom("sieve"),
        folder: "sieve",
        listener: lane,
        withDepth,
        memoryBytes: MEMORY_BYTES,
        marks: null,
      },
      done,
    ),
  );
  const measured: Measured[] = [];
  for (const size of sizes) measured.push(await measure(sieve, size));
  await outcome((done) => sieve.close(done));
  const [first] = measured;
  const last = measured.at(-1);
  if (first !== undefined && last !== undefined && last !== first) {
    const ratio = last.perSecond / first.perSecond;
    console.log(
      `${last.size / 1e6} M to ${first.size / 1e6} M: ratio ${ratio.toFixed(2)} (promised 0.5)`,
    );
  }
  if (first !== undefined && reference !== null) {
    console.log(
      `SQLite with ${reference.size / 1e6} M seen: ${(reference.perSecond / 1e6).toFixed(2)} M offers/s, ` +
        `${reference.costUs.toFixed(2)} µs CPU each; the sieve with ${first.size / 1e6} M is ` +
        `${(first.perSecond / reference.perSecond).toFixed(1)} times as fast (promised 5) for ` +
        `${(first.costUs / reference.costUs).toFixed(2)} of the CPU`,
    );
  }
} finally {
  await new Promise<void>((resolve) => background.close(resolve));
  rmSync(root, { recursive: true, force: true });
}
