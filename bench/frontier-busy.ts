/**
 * Claim: in an event loop that is busy with other things a frontier on disk gives out nearly as
 * many pages as one in memory. Measured with the whole frontier, sieve and queues on a real disk:
 * every turn burns some milliseconds before the lane asks for as many errands as it takes in a
 * turn. A queue that can be read only once in a turn holds such a crawl up, which no idle loop
 * shows.
 *
 * For each load: pages per second, and how much that is of what a frontier in memory gives out under
 * the same load, in the same run; pages per turn and hosts that wait for their queues to be read; and
 * the longest time that the frontier held a turn. `node bench/frontier-busy.ts [HOSTS] [PAGES]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ThreadBackground } from "../src/base/background/index.ts";
import { SeededRandom } from "../src/base/random/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import type { FetchableUrl } from "../src/formats/url/index.ts";
import {
  AddressTable,
  type Errand,
  type Frontier,
  type FrontierListener,
  openDiskFrontier,
  openMemoryFrontier,
} from "../src/frontier/front/index.ts";

const HOSTS = Number(process.argv[2] ?? 1000);
const PAGES = Number(process.argv[3] ?? 100);
const BURNS_MS = [0, 5, 20];
const ERRANDS_PER_TURN = 256;
const MEASURED_MS = 4000;
const MIB = 2 ** 20;
/** A window of 16 records for each host. */
const WINDOW_RECORDS = 16;
const SETTINGS = {
  ...({ robots: "ignore", hostDelayMs: 0, addressDelayMs: 0 } as const),
  memoryBytes: 4 * HOSTS * 1024,
};

const clock = new SystemClock();

interface Rig {
  readonly frontier: Frontier;
  readonly listener: { woken: () => void };
  close(): Promise<void>;
}

function inMemory(): Rig {
  const listener = { woken: (): void => undefined };
  const random = new SeededRandom("busy");
  const frontier = openMemoryFrontier({
    ...{ clock, random, settings: SETTINGS, listener: listenerOf(listener) },
  });
  return { frontier, listener, close: async () => undefined };
}

async function onDisk(): Promise<Rig> {
  const root = mkdtempSync(join(tmpdir(), "trobar-bench-"));
  const background = new ThreadBackground({ storageRoot: root, clock });
  const listener = { woken: (): void => undefined };
  const frontier = await new Promise<Frontier>((resolve, reject) => {
    openDiskFrontier(
      {
        ...{ clock, background, folder: "frontier", storage: new DiskStorage(root) },
        ...{ sieveBytes: 16 * MIB, queueBytes: 2 * MIB, random: new SeededRandom("busy") },
        ...{ settings: SETTINGS, listener: listenerOf(listener), addresses: new AddressTable() },
      },
      (error, opened) => (error === null ? resolve(opened) : reject(error)),
    );
  });
  const close = async (): Promise<void> => {
    await new Promise<void>((resolve) => frontier.close(() => resolve()));
    await new Promise<void>((resolve) => background.close(resolve));
    rmSync(root, { recursive: true });
  };
  return { frontier, listener, close };
}

function listenerOf(listener: { woken: () => void }): FrontierListener {
  const failed = (error: Error): never => {
    throw error;
  };
  return { woken: () => listener.woken(), failed };
}

/** Every page of every host, in turn; the frontier decides and distributes them meanwhile. */
async function offerAll(frontier: Frontier): Promise<void> {
  for (let page = 0; page < PAGES; page += 1) {
    for (let host = 0; host < HOSTS; host += 1) {
      const origin = `https://www.host${host}.example`;
      const url = `${origin}/folder/of-some-depth/page-${page}.html` as FetchableUrl;
      const key = { high: host, low: page, depth: 0, redirects: 0, priority: 0 };
      frontier.offer({ url, via: `${origin}/folder/`, ...key });
    }
    do await nextTurn();
    while (frontier.isFull);
  }
  // Asking makes the sieve decide what it has; the errands do not matter yet.
  while (frontier.status().urls < HOSTS * PAGES) {
    end(frontier, frontier.acquire());
    await nextTurn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Ends an errand as a good web would, at once; says whether it was a page. */
function end(frontier: Frontier, errand: Errand | null): boolean {
  if (errand?.kind === "resolve") {
    const addresses = [errand.host];
    frontier.resolved(errand, { kind: "resolved", addresses, expiresAtMs: 1e15 });
  } else if (errand?.kind === "page") {
    const answer = { status: 200, retryAfterMs: null, answerMs: 0 };
    frontier.pageFetched(errand, { kind: "answered", ...answer });
    return true;
  }
  return false;
}

/** One turn of a lane; says how many pages it had. */
function takeSome(frontier: Frontier): number {
  let pages = 0;
  for (let count = 0; count < ERRANDS_PER_TURN; count += 1) {
    const errand = frontier.acquire();
    if (errand === null) break;
    if (end(frontier, errand)) pages += 1;
  }
  return pages;
}

interface Rate {
  readonly pagesPerSecond: number;
  readonly pagesPerTurn: number;
  readonly reading: number;
  readonly longestMs: number;
}

async function measure({ frontier }: Rig, burnMs: number): Promise<Rate> {
  await offerAll(frontier);
  // To begin with, records are in memory already.
  for (let left = HOSTS * WINDOW_RECORDS; left > 0; ) {
    burn(burnMs);
    left -= takeSome(frontier);
    await nextTurn();
  }
  const startMs = clock.nowMs();
  let pages = 0;
  let turns = 0;
  let reading = 0;
  let longestMs = 0;
  while (clock.nowMs() < startMs + MEASURED_MS && !frontier.isExhausted) {
    burn(burnMs);
    const beforeMs = clock.nowMs();
    pages += takeSome(frontier);
    longestMs = Math.max(longestMs, clock.nowMs() - beforeMs);
    reading += frontier.status().idle.reading ?? 0;
    turns += 1;
    await nextTurn();
  }
  const seconds = (clock.nowMs() - startMs) / 1000;
  return {
    pagesPerSecond: pages / seconds,
    pagesPerTurn: pages / turns,
    reading: reading / turns,
    longestMs,
  };
}

function burn(burnMs: number): void {
  const endMs = clock.nowMs() + burnMs;
  while (clock.nowMs() < endMs);
}

console.log(`${HOSTS} hosts, ${PAGES} URLs each, at most ${ERRANDS_PER_TURN} errands in a turn`);
console.log("turn burns   pages/s   of memory's   of idle loop   pages/turn   reading   longest");
let idlePages = 0;
for (const burnMs of BURNS_MS) {
  const memory = inMemory();
  const least = await measure(memory, burnMs);
  await memory.close();
  const disk = await onDisk();
  const rate = await measure(disk, burnMs);
  await disk.close();
  if (burnMs === 0) idlePages = rate.pagesPerSecond;
  const columns = [
    `${burnMs} ms`.padStart(10),
    rate.pagesPerSecond.toFixed(0).padStart(9),
    (rate.pagesPerSecond / least.pagesPerSecond).toFixed(2).padStart(13),
    (rate.pagesPerSecond / idlePages).toFixed(3).padStart(14),
    rate.pagesPerTurn.toFixed(1).padStart(12),
    rate.reading.toFixed(0).padStart(9),
    `${rate.longestMs.toFixed(1)} ms`.padStart(9),
  ];
  console.log(columns.join(" "));
}
