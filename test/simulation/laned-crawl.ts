/**
 * A crawl of random hosts by several lanes in virtual time, which can be stopped and gone on with by
 * another number of lanes.
 */
import assert from "node:assert/strict";
import type { FetchableUrl } from "../../src/formats/url/index.ts";
import { hostOf } from "../../src/formats/url/index.ts";
import {
  AddressTable,
  AliasTable,
  type Frontier,
  type FrontierCheckpoint,
  type FrontiersToRelane,
  openDiskFrontier,
  relaneFrontiers,
  type SavedLane,
} from "../../src/frontier/front/index.ts";
import type { Ticket } from "../../src/frontier/ticket/index.ts";
import { Kernel, SimBackground, SimDisk } from "../../src/lab/simulator/index.ts";
import { KeptCheckpoint } from "../support/frontier/kept-checkpoint.ts";
import { type RandomCrawlOptions, RandomWeb } from "../support/frontier/random-crawl.ts";
import { toyFingerprint } from "../support/frontier/toy-crawl.ts";
import { ToyLane } from "../support/frontier/toy-lane.ts";

export interface LanedCrawlOptions extends Omit<RandomCrawlOptions, "isOnDisk" | "withDisk"> {
  readonly lanes: number;
  /** Whether some URLs are offered again while the crawl runs. */
  readonly offersAgain?: boolean;
}

const SHARD_BITS = 4;
const FOREVER = { stepsMax: 1e7, virtualMsMax: 1e12 };
const BYTES = { sieveBytes: 100_000, queueBytes: 50_000 };

export function laneOf(high: number, lanes: number): number {
  return ((high >>> (32 - SHARD_BITS)) * lanes) >>> SHARD_BITS;
}

export function fingerprintOf(url: string): { readonly high: number; readonly low: number } {
  const { high, low } = toyFingerprint(url);
  const shard = toyFingerprint(hostOf(url as FetchableUrl)).low >>> (32 - SHARD_BITS);
  return { high: ((shard << (32 - SHARD_BITS)) | (high >>> SHARD_BITS)) >>> 0, low };
}

export function laneOfHost(host: string, lanes: number): number {
  return laneOf(fingerprintOf(`http://${host}/`).high, lanes);
}

export function folderOf(lane: number, lanes: number): string {
  return lanes === 1 ? "frontier" : `frontier/${lanes}/${lane}`;
}

interface LaneAtWork {
  readonly lane: ToyLane;
  readonly frontier: Frontier;
  readonly kept: KeptCheckpoint;
}

export class LanedCrawl {
  readonly kernel: Kernel;
  readonly urls: number;
  readonly #options: LanedCrawlOptions;
  readonly #disk: SimDisk;
  readonly #web: RandomWeb;
  readonly #delaysMs = new Map<string, number>();
  #lanes: readonly LaneAtWork[];
  #count: number;
  #isStopped = false;

  constructor(options: LanedCrawlOptions) {
    this.#options = options;
    this.kernel = new Kernel({ seed: options.seed });
    this.#disk = new SimDisk(this.kernel.random.fork("disk"));
    this.#web = new RandomWeb({ ...options, movesRobots: false }, this.kernel, this.#delaysMs);
    this.#count = options.lanes;
    this.#lanes = this.#open(options.lanes, null);
    this.urls = options.hosts * options.pagesPerHost;
    this.#offerAll();
  }

  get lanes(): readonly LaneAtWork[] {
    return this.#lanes;
  }

  /** What all lanes have logged. */
  get log(): ToyLane["log"] {
    return this.#first.lane.log;
  }

  get ends(): ToyLane["ends"] {
    return this.#first.lane.ends;
  }

  get isExhausted(): boolean {
    return this.#lanes.every(({ frontier }) => frontier.isExhausted);
  }

  sum(count: (lane: Frontier) => number): number {
    return this.#lanes.reduce((sum, { frontier }) => sum + count(frontier), 0);
  }

  /** Runs until so many URLs have ended, or all. */
  run(ends: number): void {
    for (const { lane } of this.#lanes) this.kernel.schedule(0, () => lane.pump());
    const isOver = (): boolean => this.ends.size >= ends || this.isExhausted;
    assert.equal(this.kernel.runUntil(isOver, FOREVER), "done");
  }

  /** All lanes end; this many go on later. The power fails once after this many events of relaning. */
  restart(lanes: number, afterMs: number, failsAfter: number | null = null): void {
    for (const { lane } of this.#lanes) lane.stop();
    this.#isStopped = true;
    const saved = this.#lanes.map(({ frontier, kept }, lane) => ({
      folder: folderOf(lane, this.#count),
      checkpoint: this.#leave(frontier, kept),
    }));
    this.kernel.pass(afterMs);
    if (lanes !== this.#count && failsAfter !== null) {
      this.#relane(saved, lanes, failsAfter);
      this.#disk.crash();
    }
    const checkpoints =
      lanes === this.#count
        ? saved.map(({ checkpoint }) => checkpoint)
        : (this.#relane(saved, lanes, null) ?? assert.fail("relaning has ended"));
    // As from a database.
    const next = checkpoints.map((checkpoint) => new KeptCheckpoint(checkpoint).checkpoint);
    this.#count = lanes;
    this.#lanes = this.#open(lanes, next);
    this.#isStopped = false;
  }

  get #first(): LaneAtWork {
    return this.#lanes[0] ?? assert.fail("there is a lane");
  }

  /** Null if it was ended before it was done. */
  #relane(
    from: readonly SavedLane[],
    lanes: number,
    events: number | null,
  ): readonly FrontierCheckpoint[] | null {
    const { kernel } = this;
    const { settings, traversal = "breadth-first" } = this.#options;
    const options: FrontiersToRelane = {
      ...{ from, settings, traversal, queueBytes: BYTES.queueBytes },
      storage: this.#disk.mount(kernel.clock),
      random: kernel.random.fork(`relane ${lanes}`),
      folders: Array.from({ length: lanes }, (_none, lane) => folderOf(lane, lanes)),
      laneOf: (high) => laneOf(high, lanes),
      laneOfHost: (host) => laneOfHost(host, lanes),
      report: (error) => assert.fail(error),
    };
    let made: readonly FrontierCheckpoint[] | null = null;
    relaneFrontiers(options, (error, checkpoints) => {
      if (error !== null && events === null) throw error;
      made = checkpoints ?? null;
    });
    if (events === null) kernel.runUntil(() => made !== null, FOREVER);
    else kernel.runUntil(() => made !== null, { ...FOREVER, stepsMax: events });
    return made;
  }

  #open(lanes: number, checkpoints: readonly (FrontierCheckpoint | null)[] | null): LaneAtWork[] {
    const { servers } = this.#options;
    const memory = AddressTable.memory(1024);
    const named = AliasTable.memory(lanes, 1024);
    const before = this.#lanes === undefined ? null : this.#first.lane;
    const opened: LaneAtWork[] = [];
    for (let number = 0; number < lanes; number += 1) {
      const lane = this.#newLane(opened[0]?.lane ?? before);
      const addresses = new AddressTable({ memory, lane: number });
      const aliases =
        servers === undefined ? null : new AliasTable({ memory: named, lane: number });
      const checkpoint = checkpoints?.[number] ?? null;
      const shared = { addresses, aliases };
      const frontier = this.#openFrontier(folderOf(number, lanes), { lane, checkpoint, ...shared });
      lane.frontier = frontier;
      lane.watch.delaysMs = this.#delaysMs;
      if (servers !== undefined) lane.watch.serverOf ??= new Map();
      opened.push({ lane, frontier, kept: new KeptCheckpoint(checkpoint) });
    }
    return opened;
  }

  #newLane(before: ToyLane | null): ToyLane {
    const { connections, settings } = this.#options;
    const { hostDelayMs = 1000, addressDelayMs = 250, retryWaitMsMax = 600_000 } = settings;
    const options = {
      ...{ kernel: this.kernel, web: this.#web, connections, hostDelayMs, addressDelayMs },
      restMsMax: retryWaitMsMax,
    };
    return new ToyLane(before === null ? options : { ...options, before });
  }

  #openFrontier(
    folder: string,
    parts: {
      readonly lane: ToyLane;
      readonly addresses: AddressTable;
      readonly aliases: AliasTable | null;
      readonly checkpoint: FrontierCheckpoint | null;
    },
  ): Frontier {
    const { clock, random } = this.kernel;
    const { lane, addresses, aliases, checkpoint } = parts;
    const { settings, traversal = "breadth-first" } = this.#options;
    const disk = this.#disk;
    const opened: Frontier[] = [];
    openDiskFrontier(
      {
        ...{ clock, settings, traversal, addresses, aliases, checkpoint, folder, ...BYTES },
        random: random.fork(`frontier ${folder}`),
        storage: disk.mount(clock),
        background: new SimBackground({ clock, disk, random: random.fork("background") }),
        listener: {
          woken: () => lane.pump(),
          failed: (error) => {
            throw error;
          },
        },
      },
      (error, frontier) => {
        if (error !== null) throw error;
        opened.push(frontier);
      },
    );
    this.kernel.runUntil(() => opened.length > 0, FOREVER);
    return opened[0] ?? assert.fail("the frontier is open");
  }

  #offerAll(): void {
    const { hosts, pagesPerHost, offersAgain = true } = this.#options;
    for (let page = 0; page < pagesPerHost; page += 1) {
      for (let host = 0; host < hosts; host += 1) {
        const url = `http${host % 2 === 0 ? "s" : ""}://h${host}.example/${page}` as FetchableUrl;
        const priority = (31 * host + 17 * page) % 40;
        const ticket = {
          url,
          ...fingerprintOf(url),
          depth: page,
          via: null,
          redirects: 0,
          priority,
        };
        this.#offer(ticket);
        if (!offersAgain || (host + page) % 7 !== 0) continue;
        this.#offer(ticket);
        const again = { ...ticket, priority: 2 * priority };
        const againMs = ((host + page) * 997) % 30_000;
        this.kernel.schedule(againMs, () => this.#offer(again));
      }
    }
  }

  #offer(ticket: Ticket): void {
    if (this.#isStopped) this.kernel.schedule(500, () => this.#offer(ticket));
    else this.#lanes[laneOf(ticket.high, this.#count)]?.frontier.offer(ticket);
  }

  #leave(frontier: Frontier, kept: KeptCheckpoint): FrontierCheckpoint {
    let isClosed = false;
    frontier.checkpoint((error, checkpoint) => {
      if (error !== null) throw error;
      kept.record(checkpoint);
      frontier.close(() => {
        isClosed = true;
      });
    });
    this.kernel.runUntil(() => isClosed, FOREVER);
    return kept.checkpoint ?? assert.fail("a checkpoint was taken");
  }
}
