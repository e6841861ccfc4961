/**
 * A process of a crawl that will be killed: lanes that visit pages, offer their links, then write a line
 * for each page and tell the frontier that it is over. Links to other lanes take a while. No page is asked
 * for that has a line, and no host or address before its delay is over.
 *
 * As in the agent, answers pass a gate: while it is closed none is let in, and once none is worked on,
 * everything that the frontiers know is what the lines say.
 */
import assert from "node:assert/strict";
import type { Random } from "../../src/base/seams/index.ts";
import type { FetchableUrl } from "../../src/formats/url/index.ts";
import type {
  Errand,
  ExpandErrand,
  Frontier,
  PageErrand,
  RobotsErrand,
} from "../../src/frontier/front/index.ts";
import type { TraversalName } from "../../src/frontier/traversal/index.ts";
import type { Kernel, SimStorage } from "../../src/lab/simulator/index.ts";
import { answered, robotsText } from "../support/frontier/toy-crawl.ts";
import { MortalClock } from "../support/lab/simulated-world.ts";
import type { CrawlLines, Line } from "./crawl-lines.ts";
import { fingerprintOf, laneOf as laneOfHigh } from "./laned-crawl.ts";
import type { RandomLinks } from "./random-links.ts";

const CONNECTIONS = 6;
const ADDRESSES = 5;

/** What outlives a process. */
export interface MortalWorld {
  readonly kernel: Kernel;
  readonly random: Random;
  readonly links: RandomLinks;
  readonly lines: CrawlLines;
  /** Pages whose links were offered, in whichever life. */
  readonly followed: Set<string>;
  /** When each host and address was last visited. */
  readonly visitedAtMs: Map<string, number>;
  readonly options: {
    readonly traversal: TraversalName;
    readonly depthMax?: number;
    readonly hostDelayMs: number;
    readonly addressDelayMs: number;
  };
}

export class MortalCrawl {
  readonly #world: MortalWorld;
  readonly clock: MortalClock;
  readonly storages: SimStorage[] = [];
  readonly lanes: Frontier[] = [];
  readonly visits: Set<string> = new Set<string>();
  /** Lines whose links have been offered. */
  readonly over: Set<Line> = new Set<Line>();
  /** Expansions that wait until the links of their pages are known. */
  readonly expansions: Map<string, (() => void)[]> = new Map<string, (() => void)[]>();
  readonly beganAtMs: number;
  readonly wasKilled: boolean;
  /** Whether all lanes are open, and may work. */
  isBegun = false;
  isDead = false;
  isSaving = false;
  /** What was fetched or given up and has no line, and lines that are replayed. */
  unfinished = 0;
  /** Lines whose links are being offered again. */
  replaying = 0;
  busy = 0;
  /** Answers that are worked on, and those that wait at the gate while it is closed. */
  #worked = 0;
  #waiting: (() => void)[] | null = null;
  #quiet: (() => void) | null = null;

  constructor(world: MortalWorld, wasKilled: boolean) {
    this.#world = world;
    this.clock = new MortalClock(world.kernel.clock);
    this.beganAtMs = world.kernel.nowMs;
    this.wasKilled = wasKilled;
  }

  get isOver(): boolean {
    const { lanes, unfinished, isSaving } = this;
    return !isSaving && unfinished === 0 && lanes.every(({ isExhausted }) => isExhausted);
  }

  /** For whoever looks for a bug. */
  get state(): string {
    const { lanes, unfinished, isSaving, expansions } = this;
    const statuses = lanes.map((frontier) => frontier.status());
    return JSON.stringify({ unfinished, isSaving, expansions: [...expansions.keys()], statuses });
  }

  offerSeeds(): void {
    for (const url of this.#world.links.seeds) this.offer(url, 0);
  }

  laneOf({ high }: { readonly high: number }): Frontier {
    return this.lanes[laneOfHigh(high, this.lanes.length)] ?? assert.fail("the lane is open");
  }

  offer(url: string, depth: number): void {
    const { depthMax = Number.POSITIVE_INFINITY } = this.#world.options;
    if (depth > depthMax) return;
    const priority = this.#world.links.priorityOf(url, depth);
    const ticket = {
      ...{
        url: url as FetchableUrl,
        ...fingerprintOf(url),
        depth,
        via: null,
        redirects: 0,
        priority,
      },
    };
    this.laneOf(ticket).offer(ticket);
  }

  pumpAll(): void {
    for (const lane of this.lanes.keys()) this.clock.after(0, () => this.pump(lane));
  }

  pump(lane: number): void {
    const frontier = this.lanes[lane];
    if (this.isDead || !this.isBegun || frontier === undefined) return;
    while (this.busy < CONNECTIONS * this.lanes.length) {
      const errand = frontier.acquire();
      if (errand === null) break;
      this.#carryOut(lane, errand);
    }
    const { nextAtMs } = frontier;
    if (nextAtMs === Number.POSITIVE_INFINITY) return;
    this.clock.after(Math.max(1, nextAtMs - this.#world.kernel.nowMs), () => this.pump(lane));
  }

  /** Lets no answer in. Calls back when none is worked on. */
  hold(quiet: () => void): void {
    this.#waiting = [];
    this.#quiet = quiet;
    this.#tell();
  }

  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const work of waiting) this.#admit(work);
  }

  #admit(work: () => void): void {
    if (this.#waiting !== null) {
      this.#waiting.push(work);
      return;
    }
    this.#worked += 1;
    work();
  }

  #leave(): void {
    this.#worked -= 1;
    this.#tell();
  }

  #tell(): void {
    const quiet = this.#quiet;
    if (quiet === null || this.#worked > 0) return;
    this.#quiet = null;
    quiet();
  }

  #carryOut(lane: number, errand: Errand): void {
    const frontier = this.lanes[lane] as Frontier;
    const later = (work: () => void): void => {
      this.clock.after(this.#world.random.below(300), () => {
        work();
        this.pump(lane);
      });
    };
    switch (errand.kind) {
      case "resolve":
        later(() =>
          frontier.resolved(
            errand,
            this.#world.links.resolution(errand.host, ADDRESSES, this.#world.kernel.nowMs),
          ),
        );
        return;
      case "robots":
        this.#visit(errand, later, () => {
          frontier.robotsFetched(errand, robotsText(this.#world.links.robots));
          this.#leave();
        });
        return;
      case "page":
        assert.ok(!this.#world.lines.has(errand.ticket.url), `${errand.ticket.url} has its line`);
        this.#visit(errand, later, () => this.#pageFetched(frontier, errand));
        return;
      case "unfetched":
        this.unfinished += 1;
        later(() =>
          this.#admit(() =>
            this.#finish({ ticket: errand.ticket, isPage: false }, () => frontier.over(errand)),
          ),
        );
        return;
      case "expand":
        this.unfinished += 1;
        later(() => this.#expand(errand, () => frontier.over(errand)));
    }
  }

  #visit(
    { host, address }: PageErrand | RobotsErrand,
    later: (work: () => void) => void,
    ended: () => void,
  ): void {
    const { nowMs } = this.#world.kernel;
    const { hostDelayMs, addressDelayMs } = this.#world.options;
    for (const [name, delayMs] of [
      [host, hostDelayMs],
      [address ?? "", addressDelayMs],
    ] as const) {
      assert.ok(!this.visits.has(name), `${name} is visited once at a time`);
      const lastMs = this.#world.visitedAtMs.get(name) ?? Number.NEGATIVE_INFINITY;
      assert.ok(nowMs >= lastMs + delayMs, `${name} is left alone after a visit`);
      if (this.wasKilled) assert.ok(nowMs >= this.beganAtMs + delayMs, `${name} after a kill`);
      this.visits.add(name);
    }
    this.busy += 1;
    later(() => {
      this.busy -= 1;
      for (const name of [host, address ?? ""]) {
        this.visits.delete(name);
        this.#world.visitedAtMs.set(name, this.#world.kernel.nowMs);
      }
      this.#admit(ended);
    });
  }

  #pageFetched(frontier: Frontier, errand: PageErrand): void {
    const { random, links } = this.#world;
    const how = errand.attempt === 0 ? random.below(8) : 3;
    const end =
      how === 0
        ? ({ kind: "cancelled" } as const)
        : how === 1
          ? ({ kind: "failed", code: "FETCH_DISCONNECTED" } as const)
          : answered(how === 2 ? 503 : links.statusOf(errand.ticket.url));
    if (frontier.pageFetched(errand, end).kind === "again") {
      this.#leave();
      return;
    }
    const isPage = end.kind === "answered" && end.status === 200;
    this.unfinished += 1;
    this.clock.after(this.#world.random.below(200), () =>
      this.#finish({ ticket: errand.ticket, isPage }, () => frontier.over(errand)),
    );
  }

  /** Offers the links of a page; then it has its line, and is over, in one turn. */
  #finish(line: Line, over: () => void): void {
    const { lines, random, options } = this.#world;
    const end = (): void => {
      lines.append(line);
      if (random.below(4) === 0) lines.sync();
      over();
      this.#ended(line);
    };
    this.#offerLinks(line.ticket, line.ticket.depth, () => {
      // A walk goes on from a page once, so its step and its end are of one moment.
      if (options.traversal === "random-walk") end();
      else this.clock.after(random.below(200), end);
    });
  }

  /** The links of a page that has its line are offered again. */
  replay(line: Line): void {
    this.unfinished += 1;
    this.replaying += 1;
    this.#worked += 1;
    this.#offerLinks(line.ticket, line.ticket.depth, () => {
      this.replaying -= 1;
      this.#ended(line);
    });
  }

  #ended(line: Line): void {
    const { url } = line.ticket;
    this.over.add(line);
    this.unfinished -= 1;
    for (const expand of this.expansions.get(url) ?? []) {
      this.#worked += 1;
      expand();
    }
    this.expansions.delete(url);
    this.#leave();
    for (const lane of this.lanes.keys()) this.pump(lane);
  }

  /** Answers when all lanes have them. */
  #offerLinks(from: { url: string; high: number }, depth: number, done: () => void): void {
    const links = this.#world.links.of(from.url);
    this.#world.followed.add(from.url);
    const own = this.laneOf(from);
    let left = 1;
    const delivered = (): void => {
      left -= 1;
      if (left === 0) done();
    };
    for (const link of links) {
      left += 1;
      const offer = (): void => {
        this.offer(link, depth + 1);
        delivered();
      };
      if (this.laneOf(fingerprintOf(link)) === own) offer();
      else this.clock.after(this.#world.random.below(60), offer);
    }
    delivered();
  }

  #expand({ high, low, depth }: ExpandErrand, over: () => void): void {
    const url = this.#world.links.urls.find((each) => {
      const fingerprint = fingerprintOf(each);
      return fingerprint.high === high && fingerprint.low === low;
    });
    assert(url !== undefined, "an expansion is of a URL");
    const line = this.#world.lines.of(url);
    const expand = (): void =>
      this.#offerLinks({ url, high }, depth ?? 0, () => {
        over();
        this.unfinished -= 1;
        this.#leave();
      });
    if (line !== undefined && this.over.has(line)) this.#admit(expand);
    else this.expansions.set(url, [...(this.expansions.get(url) ?? []), expand]);
  }
}
