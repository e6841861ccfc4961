/**
 * Whole crawls in virtual time on a disk where one kind of file finds no room for a while: the crawl
 * begins nothing more, says so once, and goes on by itself; no page is lost, stored twice or fetched
 * twice. If it is stopped or killed meanwhile, the next run goes on.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunningCrawl } from "../../src/agent/crawl/running-crawl.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Kernel, SimDisk } from "../../src/lab/simulator/index.ts";
import { isAboutPage, isFinal } from "../../src/store/archive/index.ts";
import { INDEX_FILE } from "../../src/store/index/index.ts";
import { storedOn, treeOfPages } from "../support/agent/virtual-archive.ts";
import { crawlVirtually, type VirtualCrawlOptions } from "../support/agent/virtual-crawl.ts";
import { Killed } from "../support/agent/virtual-driver.ts";

const isFullTest = process.env["TROBAR_FULL"] === "1";

const GRAPH = treeOfPages(5, 10);
const CONCURRENCY = 4;

const SETTINGS = [
  ...["politeness.hostDelay=50ms", "store.checkpoint=200ms", "store.level=1"],
  ...["parse.nearDuplicates=true", "store.text=true", `fetch.concurrency=${CONCURRENCY}`],
];

/** What is full; null for the whole disk. */
const KINDS: Readonly<Record<string, RegExp | null>> = {
  everything: null,
  archive: /^warc\//,
  "crawl log": /^logs\//,
  "text of the sieve": /\/sieve\//,
  queues: /\/queues\//,
  "names of hosts": /\/hosts\//,
  "link graph": /^links\//,
  "texts and their digests": /(?:^|\/)texts\//,
  "near duplicates": /\/near\//,
  "runs of the index": /^index\//,
  database: /crawl\.db/,
};

/** Hosts get their names early. */
const REQUESTS: Readonly<Record<string, number>> = { "names of hosts": 4 };

/** Enough for pages to be compared. */
function wordsOf(page: string): string {
  return Array.from({ length: 40 }, (_, at) => `${page.replace("/", "x")}w${(at * 7) % 11}`).join(
    " ",
  );
}

/** How long the disk stays full after a write has found no room. */
const FULL_MS = 6000;

interface Case {
  readonly kind: string;
  readonly lanes: number;
  /** The disk is full from this request on. */
  readonly fromRequest: number;
  /** What happens when it was full for a while. */
  readonly then: "room" | "stop" | "kill";
}

/** A disk that is full for a while, and what its crawl does meanwhile. */
class FullDisk {
  readonly #case: Case;
  #disk: SimDisk | null = null;
  #kernel: Kernel | null = null;
  #crawl: RunningCrawl | null = null;
  #requests = 0;
  #isFull = false;
  /** Whether a write found no room. */
  wasMet = false;
  /** Whether the status said so. */
  wasSaid = false;
  /** Requests while the status said so. */
  requestsMeanwhile = 0;

  constructor(tried: Case) {
    this.#case = tried;
  }

  get disk(): SimDisk {
    assert(this.#disk !== null, "a crawl has run");
    return this.#disk;
  }

  /** If the first run does not go on by itself, the second finds the disk full, and the third has room. */
  get options(): Partial<VirtualCrawlOptions> {
    return {
      furtherRuns: this.#case.then === "room" ? 0 : 2,
      beforeRun: (run, disk, kernel) => {
        this.#disk = disk;
        this.#kernel = kernel;
        disk.isFullFor = (name) => this.#refuses(name);
        if (run === 2) this.#free();
      },
      controlled: (crawl, kernel) => {
        const isSecond = this.#crawl !== null && this.#isFull;
        this.#crawl = crawl;
        if (isSecond) kernel.schedule(FULL_MS, () => crawl.life.stop());
        this.#look();
      },
      requested: () => {
        this.#requests += 1;
        if (this.#requests === this.#case.fromRequest) this.#fill();
        if (this.#isFull && this.#isSaid) this.requestsMeanwhile += 1;
      },
    };
  }

  get #isSaid(): boolean {
    return this.#crawl?.summary().idle["disk"] === 1;
  }

  /** Looks at the status until it says so. */
  #look(): void {
    this.wasSaid ||= this.#isFull && this.#isSaid;
    if (!this.wasSaid) this.#kernel?.schedule(10, () => this.#look());
  }

  #refuses(name: string): boolean {
    const pattern = KINDS[this.#case.kind] ?? null;
    const isRefused = this.#isFull && (pattern === null || pattern.test(name));
    if (isRefused) this.#met();
    return isRefused;
  }

  #met(): void {
    if (this.wasMet) return;
    this.wasMet = true;
    const life = this.#crawl?.life;
    if (this.#case.then === "room") this.#kernel?.schedule(FULL_MS, () => this.#free());
    if (this.#case.then === "stop") this.#kernel?.schedule(FULL_MS, () => life?.stop());
    if (this.#case.then === "kill") this.#kernel?.schedule(FULL_MS, killed);
  }

  #fill(): void {
    this.#isFull = true;
    this.#setDatabase(true);
  }

  #free(): void {
    this.#isFull = false;
    this.#setDatabase(false);
  }

  #setDatabase(isFull: boolean): void {
    const { kind } = this.#case;
    if (kind !== "everything" && kind !== "database") return;
    this.disk.database(INDEX_FILE).isFull = isFull;
    if (isFull) this.#met();
  }
}

function killed(): never {
  throw new Killed();
}

async function crawlFull(tried: Case): Promise<void> {
  const what = JSON.stringify(tried);
  const full = new FullDisk(tried);
  const crawl = await crawlVirtually({
    ...{ graph: GRAPH, seeds: ["h0/0"], seed: what, anchorOf: wordsOf },
    ...full.options,
    settings: [...SETTINGS, `lanes=${tried.lanes}`],
    diskSpeed: { callMsMax: 20, syncMsMax: 50 },
  });
  assert.ok(full.wasMet, `${what}: nothing was written`);
  assert.equal(crawl.summary.state, "finished", what);
  const codes = crawl.reports.map(({ code }) => code);
  assert.ok(
    codes.every((code) => /_FULL$/.test(code)),
    `${what}: told ${codes}`,
  );
  assert.ok(full.wasSaid, `${what}: the status never said that it waits for the disk`);
  // Another thread hears of it a moment later.
  const lateMax = tried.lanes === 1 ? 0 : CONCURRENCY;
  assert.ok(full.requestsMeanwhile <= lateMax, `${what}: pages were begun on a full disk`);
  const all = Object.keys(GRAPH).sort();
  assert.deepEqual([...new Set(crawl.pages)].sort(), all, what);
  if (tried.then === "room") {
    assert.equal(codes.length, 1, `${what}: told ${codes}`);
    assert.equal(crawl.pages.length, all.length, `${what}: a page was fetched twice`);
  }
  const lines = crawl.lines.filter((line) => isAboutPage(line) && isFinal(line));
  assert.equal(lines.length, all.length, what);
  assert.deepEqual(lines.map(({ url }) => url).sort(), storedOn(full.disk), what);
}

const ENDS = ["room", "stop", "kill"] as const;

/** In all ways to go on, with one to three lanes; two of each third kind, else one, and many in the full tests. */
for (const [at, kind] of Object.keys(KINDS).entries()) {
  test(`a crawl that finds no room goes on when there is some: ${kind}`, async () => {
    const random = new SeededRandom(`full disk ${kind}`);
    const trials = isFullTest ? 36 : 1 + Number(at % 3 === 0);
    for (let trial = 0; trial < trials; trial += 1) {
      const fromRequest = 1 + random.below(REQUESTS[kind] ?? 35);
      const lanes = 1 + ((at + Math.floor(at / 3) + trial) % 3);
      const then = ENDS[(at + trial + Math.floor(trial / 3)) % 3] ?? "room";
      await crawlFull({ kind, lanes, fromRequest, then });
    }
  });
}
