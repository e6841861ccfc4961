/**
 * A crawl of random hosts in virtual time: many hosts share few addresses; names fail, robots.txt
 * delay, break and move, pages are slow, refuse and hang up. All of it comes from a seed.
 */
import assert from "node:assert/strict";
import type { CrawlError, ErrorCode } from "../../../src/base/errors/index.ts";
import type { Random } from "../../../src/base/seams/index.ts";
import type { FetchableUrl } from "../../../src/formats/url/index.ts";
import {
  AddressTable,
  type Frontier,
  type FrontierSettings,
  openDiskFrontier,
  openMemoryFrontier,
  type PageEnd,
  type PageErrand,
  type Resolution,
  type RobotsEnd,
  type RobotsErrand,
} from "../../../src/frontier/front/index.ts";
import type { Ticket } from "../../../src/frontier/ticket/index.ts";
import type { TraversalName } from "../../../src/frontier/traversal/index.ts";
import { Kernel, SimBackground, SimDisk } from "../../../src/lab/simulator/index.ts";
import { KeptCheckpoint } from "./kept-checkpoint.ts";
import { answered, resolvedTo, robotsStatus, robotsText, toyFingerprint } from "./toy-crawl.ts";
import { ToyLane, type ToyWeb } from "./toy-lane.ts";

export interface RandomCrawlOptions {
  readonly seed: string;
  readonly hosts: number;
  readonly addresses: number;
  readonly connections: number;
  readonly pagesPerHost: number;
  /** The share of everything that goes wrong. */
  readonly failureRatio: number;
  readonly serviceMsMax: number;
  readonly settings: Partial<FrontierSettings>;
  /** Sieve and queues on a simulated disk. */
  readonly isOnDisk?: boolean;
  /** With a traversal by priority, URLs have random priorities, and those found again may rise. */
  readonly traversal?: TraversalName;
  /** Called with the disk, if there is one, when all is set up. */
  readonly withDisk?: (disk: SimDisk, kernel: Kernel) => void;
  /** Whether a robots.txt may redirect to another host; it may unless told otherwise. */
  readonly movesRobots?: boolean;
  /** How many servers all hosts have together, to which names lead that change; none when left out. */
  readonly servers?: number;
  /** Told of failures of the disk; without it there must be none. */
  readonly failed?: (error: CrawlError) => void;
}

const FAILURES = [
  "FETCH_CONNECT_FAILED",
  "FETCH_TIMED_OUT",
  "FETCH_DISCONNECTED",
  "FETCH_PROTOCOL",
] as const;

export class RandomWeb implements ToyWeb {
  readonly #options: RandomCrawlOptions;
  readonly #random: Random;
  readonly #kernel: Kernel;
  /** Crawl-delays that were told, by host. */
  readonly delaysMs: Map<string, number>;

  constructor(options: RandomCrawlOptions, kernel: Kernel, delaysMs: Map<string, number>) {
    this.#options = options;
    this.#kernel = kernel;
    this.#random = kernel.random.fork("web");
    this.delaysMs = delaysMs;
  }

  resolve({ host }: { readonly host: string }): { afterMs: number; resolution: Resolution } {
    return { afterMs: this.#random.below(200), resolution: this.#resolution(host) };
  }

  robots(errand: RobotsErrand): { afterMs: number; end: RobotsEnd } {
    const end = this.#robotsEnd(errand);
    return { afterMs: this.#serviceMs, end };
  }

  page(_errand: PageErrand): { afterMs: number; end: PageEnd } {
    const afterMs = this.#serviceMs;
    return { afterMs, end: this.#pageEnd(afterMs) };
  }

  get #serviceMs(): number {
    return 1 + this.#random.below(this.#options.serviceMsMax);
  }

  get #fails(): boolean {
    return this.#random.unit() < this.#options.failureRatio;
  }

  #resolution(host: string): Resolution {
    const { addresses } = this.#options;
    if (this.#fails) {
      const codes = ["DNS_SERVER_FAILED", "DNS_NOT_FOUND", "FETCH_ADDRESS_REFUSED"];
      return { kind: "failed", code: codes[this.#random.below(3)] as ErrorCode };
    }
    const first = numberIn(host) % addresses;
    const second = this.#random.below(addresses);
    const ttlMs = 1000 + this.#random.below(1_000_000);
    const { nowMs } = this.#kernel;
    const addressed = resolvedTo([`address-${first}`, `address-${second}`], nowMs + ttlMs);
    return { ...addressed, ...this.#canonical(host) };
  }

  /** Some hosts are servers themselves, and some move from one server to another. */
  #canonical(host: string): { readonly canonical?: string } {
    const { servers } = this.#options;
    if (servers === undefined) return {};
    const number = numberIn(host);
    const moved = number % 7 === 0 ? this.#random.below(2) : 0;
    return { canonical: `h${(number + moved) % servers}.example` };
  }

  #robotsEnd({ url, host }: RobotsErrand): RobotsEnd {
    const hasDelay = numberIn(host) % 5 === 0;
    if (this.#fails) {
      // A file that asks for a delay never moves, so one reading is enough.
      const kind = this.#random.below(hasDelay ? 2 : 4);
      if (kind === 2 && this.#options.movesRobots === false) return robotsStatus(500);
      if (kind === 0) return robotsStatus(503, this.#random.below(100_000));
      if (kind === 1) return { kind: "cancelled" };
      if (kind === 2) return { kind: "redirected", to: this.#anywhere() };
      const attempt = { kind: "failed" } as const;
      return { kind: "ended", attempt, bytes: null, retryAfterMs: null };
    }
    if (!url.endsWith("/robots.txt") || !hasDelay) return robotsText("");
    const seconds = 2 + (numberIn(host) % 3);
    this.delaysMs.set(host, seconds * 1000);
    return robotsText(`User-agent: *\nDisallow: /3\nCrawl-delay: ${seconds}`);
  }

  #anywhere(): FetchableUrl {
    return `http://h${this.#random.below(this.#options.hosts)}.example/moved.txt` as FetchableUrl;
  }

  #pageEnd(answerMs: number): PageEnd {
    if (!this.#fails) return { kind: "answered", status: 200, retryAfterMs: null, answerMs };
    const kind = this.#random.below(8);
    if (kind === 0) return answered(429, this.#random.below(50_000));
    if (kind === 1) return answered(503);
    if (kind === 2) return answered(404);
    if (kind === 3) return { kind: "cancelled" };
    return { kind: "failed", code: FAILURES[kind - 4] as ErrorCode };
  }
}

function numberIn(host: string): number {
  return Number(/\d+/.exec(host)?.[0] ?? 0);
}

export interface RandomCrawl {
  readonly kernel: Kernel;
  readonly lane: ToyLane;
  readonly frontier: Frontier;
  /** How many different URLs there are. */
  readonly urls: number;
  /** On disk only: takes a checkpoint, closes everything, and goes on from it some time later. */
  restart(afterMs: number): RandomCrawl;
}

/** What is left of a process when it has ended. */
interface Remains {
  readonly disk: SimDisk;
  readonly kept: KeptCheckpoint;
}

interface OpenedFrontier {
  readonly frontier: Frontier;
  readonly disk: SimDisk | null;
}

function openFrontier(
  options: RandomCrawlOptions,
  kernel: Kernel,
  woken: () => void,
  remains: Remains | null,
): OpenedFrontier {
  const { clock, random } = kernel;
  const addresses = new AddressTable();
  const failed = (error: CrawlError): void => {
    if (options.failed === undefined) throw error;
    options.failed(error);
  };
  const listener = { woken, failed };
  const { settings, traversal = "breadth-first" } = options;
  const common = { clock, random: random.fork("frontier"), settings, listener, traversal };
  if (options.isOnDisk !== true) {
    return { frontier: openMemoryFrontier(common), disk: null };
  }
  const disk = remains?.disk ?? new SimDisk(random.fork("disk"));
  const background = new SimBackground({ clock, disk, random: random.fork("background") });
  const storage = disk.mount(clock);
  const bytes = { sieveBytes: 100_000, queueBytes: 50_000 };
  const opened: Frontier[] = [];
  openDiskFrontier(
    {
      ...{ ...common, ...bytes, storage, background, folder: "frontier", addresses },
      checkpoint: remains?.kept.checkpoint ?? null,
    },
    (error, frontier) => {
      if (error !== null) throw error;
      opened.push(frontier);
    },
  );
  kernel.runUntil(() => opened.length > 0, { stepsMax: 10_000, virtualMsMax: 10_000 });
  if (remains === null) options.withDisk?.(disk, kernel);
  return { frontier: opened[0] as Frontier, disk };
}

/** All URLs are offered at once, some of them twice. */
export function openRandomCrawl(options: RandomCrawlOptions): RandomCrawl {
  const { hosts, pagesPerHost, connections, settings } = options;
  const kernel = new Kernel({ seed: options.seed });
  const { hostDelayMs = 1000, addressDelayMs = 250, retryWaitMsMax = 600_000 } = settings;
  const delaysMs = new Map<string, number>();
  const web = new RandomWeb(options, kernel, delaysMs);
  const laneOptions = {
    ...{ kernel, web, connections, hostDelayMs, addressDelayMs, restMsMax: retryWaitMsMax },
  };
  let current: Frontier | null = null;
  const offer = (ticket: Ticket): void => {
    if (current === null) kernel.schedule(500, () => offer(ticket));
    else current.offer(ticket);
  };
  const begin = (before: ToyLane | null, remains: Remains | null): RandomCrawl => {
    const lane = new ToyLane(before === null ? laneOptions : { ...laneOptions, before });
    const { frontier, disk } = openFrontier(
      ...([options, kernel, () => lane.pump(), remains] as const),
    );
    current = frontier;
    lane.frontier = frontier;
    lane.watch.delaysMs = delaysMs;
    const restart = (afterMs: number): RandomCrawl => {
      assert(disk !== null, "a frontier in memory cannot be opened again");
      lane.stop();
      current = null;
      const kept = remains?.kept ?? new KeptCheckpoint();
      leave(kernel, frontier, kept);
      kernel.pass(afterMs);
      return begin(lane, { kept, disk });
    };
    return { kernel, lane, frontier, urls: hosts * pagesPerHost, restart };
  };
  const crawl = begin(null, null);
  const { frontier } = crawl;
  for (let page = 0; page < pagesPerHost; page += 1) {
    for (let host = 0; host < hosts; host += 1) {
      const url = `http${host % 2 === 0 ? "s" : ""}://h${host}.example/${page}` as FetchableUrl;
      const ticket = {
        url,
        ...toyFingerprint(url),
        depth: page,
        via: null,
        redirects: 0,
        priority: (31 * host + 17 * page) % 40,
      };
      frontier.offer(ticket);
      // Some links are found more than once.
      if ((host + page) % 7 !== 0) continue;
      frontier.offer(ticket);
      const againMs = ((host + page) * 997) % 30_000;
      const again = { ...ticket, priority: 2 * ticket.priority };
      if (options.traversal !== undefined) kernel.schedule(againMs, () => offer(again));
    }
  }
  return crawl;
}

/** The process ends now. */
function leave(kernel: Kernel, frontier: Frontier, kept: KeptCheckpoint): void {
  let isClosed = false;
  frontier.checkpoint((error, checkpoint) => {
    if (error !== null) throw error;
    kept.record(checkpoint);
    frontier.close(() => {
      isClosed = true;
    });
  });
  kernel.runUntil(() => isClosed, { stepsMax: 1e7, virtualMsMax: 1e12 });
}
