/**
 * The queues of hosts on disk: URLs per second in and out, bytes of memory for each host and of
 * disk for each URL, and the longest time for which the lane was held; against the same work by
 * node:sqlite, at a size that both can do in this run.
 *
 * `node bench/host-queues.ts [hosts] [URLs] [buffer MiB]`, by default a million hosts with four
 * URLs each. URLs come for hosts at random, some of which are a thousand times as popular as
 * others, and are pulled from hosts in random order, thirty at a time, many pulls under way at
 * once, as front control does it; there is a checkpoint every half million URLs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SeededRandom } from "../src/base/random/index.ts";
import type { Done } from "../src/base/seams/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import {
  type DiskHostQueues,
  openDiskHostQueues,
  type QueueMarks,
} from "../src/frontier/queues/index.ts";

const [HOSTS = 1_000_000, URLS = 4_000_000, BUFFER_MIB = 64] = process.argv.slice(2).map(Number);
const PULLED = 30;
const PULLS_AT_ONCE = 64;
const CHECKPOINT_URLS = 500_000;
const COMPARED_HOSTS = 20_000;
const COMPARED_URLS = 400_000;

const root = mkdtempSync(join(tmpdir(), "trobar-host-queues-"));

function answer<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value as Value);
      else reject(error);
    });
  });
}

function open(folder: string, marks: QueueMarks | null): Promise<DiskHostQueues> {
  const options = {
    ...{ storage: new DiskStorage(root), random: new SeededRandom(1), folder, marks },
    ...({ order: "fifo", memoryBytes: BUFFER_MIB * 2 ** 20 } as const),
    report: (error: Error) => console.error(error),
  };
  return answer((done) => openDiskHostQueues(options, done));
}

/** A path of a URL, about sixty bytes, into the same memory again and again. */
const record = Buffer.from("/articles/2026/november/some-page-with-a-name-0000000000?page=1");
function nextRecord(serial: number): Buffer {
  for (let at = 0, rest = serial; at < 10; at += 1, rest = Math.floor(rest / 10)) {
    record[55 - at] = 48 + (rest % 10);
  }
  return record;
}

/** Most URLs are of a few hosts: the logarithm of the host's number is even. */
function someHost(random: SeededRandom, hosts: number): number {
  if (random.below(4) > 0) return random.below(hosts);
  return Math.floor(Math.exp(random.unit() * Math.log(hosts))) % hosts;
}

/**
 * How long one turn of the event loop held the lane at most. Processor time of this thread is
 * measured, since on a busy machine the clock also counts the time of others.
 */
class LoopWatch {
  longestMs = 0;
  #isOn = true;
  #lastMs = spentMs();

  constructor() {
    const look = (): void => {
      const nowMs = spentMs();
      this.longestMs = Math.max(this.longestMs, nowMs - this.#lastMs);
      this.#lastMs = nowMs;
      if (this.#isOn) setImmediate(look);
    };
    setImmediate(look);
  }

  stop(): void {
    this.#isOn = false;
  }
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function fill(queues: DiskHostQueues, hosts: number, urls: number): Promise<QueueMarks> {
  const random = new SeededRandom("fill");
  for (let serial = 0; serial < urls; serial += 1) {
    queues.push(someHost(random, hosts), nextRecord(serial), 0, record.length, 0);
    // A page brings some dozens of links; between pages the event loop has its turn.
    if (serial % 1000 === 999) await turn();
    while (queues.isFull) await turn();
    if (serial % CHECKPOINT_URLS === CHECKPOINT_URLS - 1) {
      await answer((done) => queues.checkpoint(done));
    }
  }
  return answer((done) => queues.checkpoint(done));
}

/** Pulls everything, host by host in random order, as a crawl comes back to its hosts. */
async function drain(queues: DiskHostQueues, order: Uint32Array): Promise<number> {
  let pulls = 0;
  let checkpointAt = queues.total - CHECKPOINT_URLS;
  while (queues.total > 0) {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < order.length) {
        const host = order[next] as number;
        next += 1;
        if (queues.count(host) === 0) continue;
        pulls += 1;
        await answer((done) => queues.pull(host, PULLED, done));
        if (queues.total < checkpointAt) {
          checkpointAt = queues.total - CHECKPOINT_URLS;
          await answer((done) => queues.checkpoint(done));
        }
      }
    };
    await Promise.all(Array.from({ length: PULLS_AT_ONCE }, work));
  }
  return pulls;
}

function shuffled(count: number): Uint32Array {
  const random = new SeededRandom("order");
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other] as number, order[index] as number];
  }
  return order;
}

const perSecond = (count: number, fromMs: number): string =>
  `${Math.round(count / (performance.now() - fromMs))} k/s`;

async function measure(): Promise<void> {
  let queues = await open("queues", null);
  const watch = new LoopWatch();
  const beforeBytes = process.memoryUsage().rss;
  let fromMs = performance.now();
  const marks = await fill(queues, HOSTS, URLS);
  console.log(`in:  ${perSecond(URLS, fromMs)} URLs, ${HOSTS} hosts, ${URLS} URLs`);
  const { runs, memoryBytes, diskBytes } = queues.size;
  const bufferBytes = BUFFER_MIB * 2 ** 20;
  console.log(
    `     ${runs} runs; ${((memoryBytes - bufferBytes) / HOSTS).toFixed(1)} bytes of memory ` +
      `per host beside the buffers of ${BUFFER_MIB} MiB (at most 250), ` +
      `${((memoryBytes - bufferBytes) / URLS).toFixed(2)} per URL; ` +
      `${(diskBytes / URLS).toFixed(1)} bytes of disk per URL of ${record.length}; ` +
      `RSS grew by ${Math.round((process.memoryUsage().rss - beforeBytes) / 2 ** 20)} MiB`,
  );
  await answer((done) => queues.close((error) => (error ? done(error, undefined) : done(null, 0))));
  watch.stop();
  fromMs = performance.now();
  queues = await open("queues", marks);
  console.log(`     opened again in ${((performance.now() - fromMs) / 1000).toFixed(1)} s`);
  fromMs = performance.now();
  while (queues.size.isBusy) await turn();
  const mergedS = ((performance.now() - fromMs) / 1000).toFixed(1);
  console.log(`     merged to ${queues.size.runs} runs in ${mergedS} s more`);
  const order = shuffled(HOSTS);
  await turn();
  const outWatch = new LoopWatch();
  fromMs = performance.now();
  const pulls = await drain(queues, order);
  console.log(`out: ${perSecond(URLS, fromMs)} URLs, ${perSecond(pulls, fromMs)} pulls`);
  outWatch.stop();
  console.log(
    `     a turn of the event loop took ${watch.longestMs.toFixed(1)} ms at most while filling, ` +
      `${outWatch.longestMs.toFixed(1)} while pulling`,
  );
  await answer((done) => queues.close((error) => (error ? done(error, undefined) : done(null, 0))));
}

function sqliteRound(): { inMs: number; outMs: number } {
  const database = new DatabaseSync(join(root, "queues.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec(
    "CREATE TABLE queue (host INTEGER, serial INTEGER, record BLOB, " +
      "PRIMARY KEY (host, serial)) WITHOUT ROWID",
  );
  const insert = database.prepare("INSERT INTO queue VALUES (?, ?, ?)");
  const select = database.prepare(
    `SELECT serial, record FROM queue WHERE host = ? ORDER BY serial LIMIT ${PULLED}`,
  );
  const remove = database.prepare("DELETE FROM queue WHERE host = ? AND serial <= ?");
  const random = new SeededRandom("fill");
  const counts = new Uint32Array(COMPARED_HOSTS);
  const order = shuffled(COMPARED_HOSTS);
  let fromMs = performance.now();
  database.exec("BEGIN");
  for (let serial = 0; serial < COMPARED_URLS; serial += 1) {
    const host = someHost(random, COMPARED_HOSTS);
    counts[host] = (counts[host] ?? 0) + 1;
    insert.run(host, serial, nextRecord(serial));
    if (serial % 100_000 === 99_999) database.exec("COMMIT; BEGIN");
  }
  database.exec("COMMIT");
  const inMs = performance.now() - fromMs;
  fromMs = performance.now();
  let left = COMPARED_URLS;
  database.exec("BEGIN");
  while (left > 0) {
    for (const host of order) {
      if (counts[host] === 0) continue;
      const rows = select.all(host);
      remove.run(host, rows.at(-1)?.["serial"] as number);
      counts[host] = (counts[host] ?? 0) - rows.length;
      left -= rows.length;
    }
    database.exec("COMMIT; BEGIN");
  }
  database.exec("COMMIT");
  const outMs = performance.now() - fromMs;
  database.close();
  rmSync(join(root, "queues.db"));
  return { inMs, outMs };
}

async function ourRound(): Promise<{ inMs: number; outMs: number }> {
  const queues = await open("compared", null);
  const order = shuffled(COMPARED_HOSTS);
  let fromMs = performance.now();
  await fill(queues, COMPARED_HOSTS, COMPARED_URLS);
  const inMs = performance.now() - fromMs;
  fromMs = performance.now();
  await drain(queues, order);
  const outMs = performance.now() - fromMs;
  await answer((done) => queues.close((error) => (error ? done(error, undefined) : done(null, 0))));
  return { inMs, outMs };
}

async function compareWithSqlite(): Promise<void> {
  const ratios: { in: number; out: number }[] = [];
  for (let round = 0; round < 3; round += 1) {
    const ours = await ourRound();
    const theirs = sqliteRound();
    ratios.push({ in: theirs.inMs / ours.inMs, out: theirs.outMs / ours.outMs });
  }
  const median = (values: number[]): string =>
    (values.toSorted((one, other) => one - other)[1] ?? 0).toFixed(1);
  console.log(
    `against node:sqlite with ${COMPARED_HOSTS} hosts and ${COMPARED_URLS} URLs: ` +
      `${median(ratios.map((ratio) => ratio.in))} times as fast in, ` +
      `${median(ratios.map((ratio) => ratio.out))} times out`,
  );
}

try {
  await measure();
  await compareWithSqlite();
} finally {
  rmSync(root, { recursive: true, force: true });
}
