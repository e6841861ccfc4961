/** Nodes on a calm network whose agents only note what they are told, for tests. */

import type { Holdings } from "../../../src/cluster/custody/index.ts";
import type { UrlEntry } from "../../../src/cluster/delivery/index.ts";
import type { CrawlBounds, LimitName } from "../../../src/cluster/limits/index.ts";
import { ClusterNode } from "../../../src/cluster/node/cluster-node.ts";
import type { CrawlFounding } from "../../../src/cluster/node/crawl-text.ts";
import type { NodeAgent } from "../../../src/cluster/node/node-agent.ts";
import type { ClusterNodeParts } from "../../../src/cluster/node/node-parts.ts";
import type { NodeSettings } from "../../../src/cluster/node/node-settings.ts";
import type { PageStore } from "../../../src/cluster/pages/index.ts";
import type { LocalPages } from "../../../src/cluster/queries/index.ts";
import {
  type Kernel,
  SimBackground,
  SimCluster,
  SimDisk,
} from "../../../src/lab/simulator/index.ts";

export const SETTINGS: NodeSettings = {
  membership: {
    ...{ heartbeatMs: 1000, suspectAfterMs: 3000, deadAfterMs: 6000, giveUpAfterMs: 10_000 },
    ...{ partition: "continue", fullDisk: "wait", recovery: "all", replicas: 20 },
  },
  delivery: {
    ...{
      batchEntries: 16,
      batchBytes: 4000,
      lingerMs: 20,
      restMs: 20,
      burst: 1,
      waitMsMax: 20,
      timeoutMs: 400,
    },
    ...{ segmentBytesMax: 4000, retainBytes: 600, repeatsMax: 200 },
  },
  slots: {
    ...{
      ipDelayMs: 0,
      totalTimeoutMs: 1000,
      deadAfterMs: 6000,
      timeoutMs: 400,
      retryMs: 100,
      forgetMs: 60_000,
    },
  },
  termination: { intervalMs: 500, timeoutMs: 400 },
  limits: {
    ...{ timeoutMs: 400, retryMs: 100, retryMsMax: 1600, lingerMs: 300, compareMs: 1000 },
    ...{ least: { pages: 1, bytes: 1 }, low: { pages: 0, bytes: 0 } },
  },
  queries: {
    ...{ timeoutMs: 400, triesMax: 3, retryMs: 50, partBytes: 100, servedMax: 2, pollMs: 500 },
  },
  shipping: { pieceBytes: 300, pagesAtOnce: 4, timeoutMs: 400, bytesPerSecondMax: 4000 },
  ...{ askTimeoutMs: 400, migrate: false, claimsBytes: 1000, keepsDepths: true },
};

/** A store without pages. */
const NO_PAGES: PageStore = {
  next: (_isWanted, _after, done) => done(null, null),
  read: () => undefined,
  has: (_entry, done) => done(false),
  write: () => ({ append: () => undefined, commit: (done) => done(null), drop: () => undefined }),
};

const FOUNDER = "a0";
const FOUNDING: Omit<CrawlFounding, "bounds"> = {
  ...{ crawl: "test", fingerprintKey: "none", shards: 64, text: "the text" },
};
export const UNBOUND: CrawlBounds = { pages: null, bytes: null, timeMs: null };

export function entryAt(host: string, number = 0): UrlEntry {
  const record = Buffer.from(`${host}/${number}`);
  return { kind: "url", host, high: host.length, low: number, depth: 0, holders: [], record };
}

interface NotingAgentParts
  extends Omit<ClusterNodeParts, "agent" | "settings" | "capacity" | "founds"> {
  /** The limits of the crawl. */
  readonly bounds: CrawlBounds;
  /** How many pages its disk has. */
  readonly pages: number;
  readonly settings?: NodeSettings;
  /** Its pages, when it opens; none if left out. */
  readonly store?: () => PageStore;
  /** How long it takes to open its holdings; a moment if left out. */
  readonly opensAfterMs?: number;
}

/** One life of an agent that has a list of URLs instead of a frontier. */
export class NotingAgent {
  readonly node: ClusterNode;
  readonly notes: string[] = [];
  readonly urls: Map<string, UrlEntry[]> = new Map();
  readonly work = { isIdle: true, isWaiting: false, changes: 0, isFull: false };
  /** Pages that it has fetched, and those of its disk when this life began. */
  pages: number;
  endedBy: LimitName | null = null;
  /** Called when all know of the end; the function tells whether nothing has undone that since. */
  ending: ((isOver: () => boolean) => void) | null = null;
  #ends = 0;
  isWithheld: (host: string) => boolean = () => false;
  readonly #later: (run: () => void) => void;
  readonly #afterOpening: (run: () => void) => void;
  readonly #store: () => PageStore;

  constructor(parts: NotingAgentParts) {
    const { id, clock, pages, bounds, settings = SETTINGS, opensAfterMs = 1 } = parts;
    this.pages = pages;
    this.#store = parts.store ?? (() => NO_PAGES);
    this.#later = (run) => void clock.after(1, run);
    this.#afterOpening = (run) => void clock.after(opensAfterMs, run);
    this.node = new ClusterNode({
      ...{ ...parts, capacity: 1, settings, agent: this.#agent() },
      founds: id === FOUNDER ? { ...FOUNDING, bounds } : null,
    });
    this.node.start();
  }

  /** The URLs that are here, each once, as a sieve would have it. */
  taken(): string[] {
    const records = [...this.urls.values()].flat().map(({ record }) => Buffer.from(record));
    return [...new Set(records.map(String))];
  }

  /** Fetches as many pages as limits allow, at once; how many those were. */
  fetch(): number {
    let count = 0;
    while (this.node.mayFetch && this.node.limits.take(1) === 1) {
      this.node.limits.use({ pages: 1, bytes: 1 });
      count += 1;
    }
    this.pages += count;
    return count;
  }

  /** Takes a checkpoint and has it recorded. */
  save(): void {
    this.node.checkpoints.begin((_error, mark) => {
      if (mark !== undefined) this.node.checkpoints.recorded(mark);
    });
  }

  #agent(): NodeAgent {
    const note = (text: string): void => void this.notes.push(text);
    return {
      open: ({ text }, opened) => {
        note(`open ${text}`);
        this.#afterOpening(() => opened(this.#holdings(), this.#store()));
      },
      replay: (done) => {
        note("replay");
        this.#later(() => done(null));
      },
      seedsHeld: (seeds) => note(`held ${seeds}`),
      seedsFound: (seeds) => note(`seeds ${seeds}`),
      work: this.work,
      spent: () => ({ used: { pages: this.pages, bytes: this.pages }, elapsedMs: 0 }),
      local: this.#local(),
      finished: (limit) => {
        this.endedBy = limit;
        note("finished");
      },
      configured: ({ text }) => note(`configured ${text}`),
      concluded: () => {
        note("concluded");
        this.#ends += 1;
        const end = this.#ends;
        if (this.ending !== null) this.ending(() => end === this.#ends);
      },
      resumed: () => {
        note("resumed");
        this.#ends += 1;
      },
      cameTooLate: () => {
        if (!this.notes.includes("too late")) note("too late");
      },
      ...{ viewChanged: () => undefined, woken: () => undefined },
      ...{ trouble: ({ code }) => note(code), failed: ({ code }) => note(`failed ${code}`) },
    };
  }

  /** A store with the page of every URL that was taken. */
  #local(): LocalPages {
    const has = (url: string): boolean => this.taken().includes(url);
    return {
      whereIs: (url, done) => this.#later(() => done(null, { kind: has(url) ? "here" : "absent" })),
      readPage: (url, from, bytesMax, done) => {
        const bytes = Buffer.from(url).subarray(from, from + bytesMax);
        this.#later(() => done(null, { bytes, totalBytes: url.length, stamp: "1" }));
      },
      items: ({ what, argument }, cursor, _bytesMax, done) => {
        const items = cursor === "" ? [Buffer.from(`${what} ${argument}`)] : [];
        this.#later(() => done(null, { items, cursor: "end", isEnd: true }));
      },
    };
  }

  #holdings(): Holdings {
    const listOf = (host: string): UrlEntry[] => {
      const list = this.urls.get(host) ?? [];
      this.urls.set(host, list);
      return list;
    };
    return {
      take: (entry) => void listOf(entry.host).push({ ...entry, record: entry.record.slice() }),
      lost: (isOwn, each, done) => {
        const lost = [...this.urls.keys()].filter((host) => !isOwn(host));
        const next = (): void => {
          const host = lost.pop();
          if (host === undefined) done();
          else each(host, next);
        };
        this.#later(next);
      },
      giveAway: (host, each, done) =>
        this.#later(() => {
          for (const entry of this.urls.get(host) ?? []) each(entry);
          this.urls.delete(host);
          done(new Uint8Array());
        }),
      end: (_entry, done) => this.#later(() => done(false)),
      find: (_entry, done) => this.#later(() => done(false)),
      pagesOf: (_isWanted, _each, done) => this.#later(() => done(null)),
      show: (_toward, _each, done) => this.#later(() => done(null)),
      ...{ again: () => undefined, adopt: () => undefined, hide: () => undefined },
      nearer: ({ low }, depth) => void this.notes.push(`nearer ${low} ${depth}`),
      withhold: ({ has }) => {
        this.isWithheld = has;
      },
      admit: () => {
        this.isWithheld = () => false;
      },
      whenSaved: (done) => this.node.checkpoints.whenSaved(done),
    };
  }
}

/** Agents `a0`, `a1`, …, of which the first one founds the crawl. */
export class NodeRig {
  readonly kernel: Kernel;
  readonly cluster: SimCluster;
  readonly agents: NotingAgent[] = [];
  /** The pages of agents that have any, by their number. */
  readonly stores: Map<number, PageStore> = new Map();
  readonly #settings: NodeSettings;
  readonly #disks: SimDisk[] = [];
  readonly #bounds: CrawlBounds;

  constructor(
    kernel: Kernel,
    count: number,
    { settings = SETTINGS, ...bounds }: CrawlBounds & { settings?: NodeSettings } = UNBOUND,
  ) {
    this.kernel = kernel;
    this.#bounds = bounds;
    this.#settings = settings;
    this.cluster = new SimCluster(kernel);
    for (let number = 0; number < count; number += 1) this.add();
  }

  agent(number: number): NotingAgent {
    return this.agents[number] as NotingAgent;
  }

  /** Runs until all that take part are active, and a little longer. */
  settle(): void {
    this.#until(() => this.agents.every(({ node }) => node.membership.state === "active"));
    this.kernel.pass(3000);
  }

  /** A host that this agent owns, in its own view. */
  hostOf(number: number): string {
    const { node } = this.agent(number);
    for (let at = 0; at < 1000; at += 1) {
      if (node.view.ownerOf(`h${at}.example` as never) === `a${number}`) return `h${at}.example`;
    }
    throw new Error("it owns nothing");
  }

  #until(isMet: () => boolean): void {
    const end = this.kernel.runUntil(isMet, { stepsMax: 1e6, virtualMsMax: 120_000 });
    if (end !== "done") throw new Error(`the nodes are not ready: ${end}`);
  }

  /** Another agent starts. */
  add(): void {
    const number = this.#disks.length;
    const disk = new SimDisk(this.kernel.random.fork(`disk ${number}`));
    this.#disks.push(disk);
    this.cluster.add(`a${number}`, ({ nodeId: id, clock, random }, transport) => {
      const storage = disk.mount(clock);
      this.agents[number] = new NotingAgent({
        ...{ id, clock, random, storage, transport, saved: null, bounds: this.#bounds },
        pages: this.agents[number]?.pages ?? 0,
        background: new SimBackground({ clock, random, disk }),
        ...{ settings: this.#settings, store: () => this.stores.get(number) ?? NO_PAGES },
      });
    });
  }

  /** The power of a machine fails, for a moment; something may happen to its disk meanwhile. */
  crash(number: number, damage: (disk: SimDisk) => void = () => undefined): void {
    const restart = this.cluster.takeDown(`a${number}`);
    const disk = this.#disks[number] as SimDisk;
    disk.crash();
    damage(disk);
    this.kernel.schedule(100, restart);
    this.kernel.pass(200);
  }
}
