/**
 * A frontier on a real disk under a load of many hosts: each has a robots.txt of twenty rules and a
 * few pages; every errand ends well after a few milliseconds, without a network.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ThreadBackground } from "../../../src/base/background/index.ts";
import { SeededRandom } from "../../../src/base/random/index.ts";
import type { Clock } from "../../../src/base/seams/index.ts";
import { DiskStorage } from "../../../src/base/storage/index.ts";
import { SystemClock } from "../../../src/base/time/index.ts";
import type { FetchableUrl } from "../../../src/formats/url/index.ts";
import {
  AddressTable,
  type Errand,
  type Frontier,
  type FrontierSettings,
  openDiskFrontier,
} from "../../../src/frontier/front/index.ts";
import type { TraversalName } from "../../../src/frontier/traversal/index.ts";

export interface FrontierLoadOptions {
  readonly hosts: number;
  readonly pagesPerHost: number;
  /** `frontier.memory`, divided as a crawl divides it. */
  readonly memoryBytes: number;
  readonly settings?: Partial<FrontierSettings>;
  readonly traversal?: TraversalName;
  /** The clock of the frontier, where its turns are measured. */
  readonly clock?: Clock;
}

const CONNECTIONS = 500;
const LATENCY_MS = 5;
const OFFERS_PER_TURN = 2000;

const RULES = Array.from({ length: 20 }, (_, at) => `Disallow: /private-${at}/*/files$\n`);
const ROBOTS = `User-agent: *\n${RULES.join("")}`;

export class FrontierLoad {
  readonly addresses: AddressTable = new AddressTable();
  readonly #options: FrontierLoadOptions;
  readonly #root = mkdtempSync(join(tmpdir(), "trobar-frontier-"));
  readonly #clock = new SystemClock();
  readonly #background: ThreadBackground;
  #frontier: Frontier | null = null;
  #offered = 0;
  #inFlight = 0;
  #pages = 0;

  constructor(options: FrontierLoadOptions) {
    this.#options = options;
    this.#background = new ThreadBackground({ storageRoot: this.#root, clock: this.#clock });
  }

  /** Pages fetched so far. */
  get pages(): number {
    return this.#pages;
  }

  get frontier(): Frontier {
    assert(this.#frontier !== null, "a frontier is opened before it is used");
    return this.#frontier;
  }

  async open(): Promise<void> {
    const { memoryBytes, settings, traversal = "breadth-first" } = this.#options;
    const { clock = this.#clock } = this.#options;
    const { addresses } = this;
    const options = {
      ...{ clock, traversal, background: this.#background, addresses, folder: "frontier" },
      ...{ storage: new DiskStorage(this.#root), random: new SeededRandom("load") },
      ...{ sieveBytes: memoryBytes / 4, queueBytes: memoryBytes / 4 },
      settings: { ...settings, memoryBytes: memoryBytes / 2 - addresses.memoryBytes },
    };
    this.#frontier = await new Promise<Frontier>((resolve, reject) => {
      const listener = { woken: () => this.#frontier !== null && this.#turn(), failed: reject };
      openDiskFrontier({ ...options, listener }, (error, opened) =>
        error === null ? resolve(opened) : reject(error),
      );
    });
  }

  /** Offers and fetches everything; calls `looked` every now and then. */
  run(looked: () => void): Promise<void> {
    const urls = this.#options.hosts * this.#options.pagesPerHost;
    return new Promise<void>((resolve) => {
      const loop = (): void => {
        this.#offerSome(urls);
        this.#turn();
        looked();
        if (this.#offered === urls && this.frontier.isExhausted) resolve();
        else this.#clock.after(1, loop);
      };
      loop();
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.frontier.close(() => resolve()));
    await new Promise<void>((resolve) => this.#background.close(resolve));
    rmSync(this.#root, { recursive: true });
  }

  #offerSome(urls: number): void {
    const { hosts } = this.#options;
    for (let count = 0; count < OFFERS_PER_TURN && this.#offered < urls; count += 1) {
      if (this.frontier.isFull) return;
      const host = (this.#offered * 7919) % hosts;
      const page = Math.floor(this.#offered / hosts);
      const origin = `https://www.host${host}.example`;
      const url = `${origin}/folder/page-${page}.html` as FetchableUrl;
      const key = { high: (host * 0x9e3779b1) >>> 0, low: page };
      const way = { depth: 0, via: `${origin}/`, redirects: 0, priority: 0 };
      this.frontier.offer({ url, ...key, ...way });
      this.#offered += 1;
    }
  }

  #turn(): void {
    while (this.#inFlight < CONNECTIONS) {
      const errand = this.frontier.acquire();
      if (errand === null) return;
      this.#inFlight += 1;
      this.#clock.after(LATENCY_MS, () => {
        this.#inFlight -= 1;
        this.#end(errand);
      });
    }
  }

  #end(errand: Errand): void {
    const { frontier } = this;
    if (errand.kind === "resolve") {
      const number = Number(/\d+/.exec(errand.host)?.[0] ?? 0);
      const addresses = [`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`];
      const expiresAtMs = Number.POSITIVE_INFINITY;
      frontier.resolved(errand, { kind: "resolved", addresses, expiresAtMs });
    } else if (errand.kind === "robots") {
      const attempt = { kind: "answered", status: 200 } as const;
      const bytes = Buffer.from(ROBOTS);
      frontier.robotsFetched(errand, { kind: "ended", attempt, bytes, retryAfterMs: null });
    } else if (errand.kind === "page") {
      this.#pages += 1;
      const answer = { status: 200, retryAfterMs: null, answerMs: 1 };
      frontier.pageFetched(errand, { kind: "answered", ...answer });
    }
  }
}
