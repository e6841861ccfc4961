/**
 * The world of a simulated cluster: the web, which sees every request, what agents are told about the
 * crawl, and what went wrong.
 */
import type { LimitName } from "../../cluster/limits/index.ts";
import type { MembershipSettings } from "../../cluster/membership/index.ts";
import type { CrawlFounding } from "../../cluster/node/index.ts";
import type { Kernel, Life } from "../simulator/index.ts";
import { Absences } from "./absences.ts";
import { SmallWeb, type SmallWebOptions, ticketOf } from "./small-web.ts";
import { ANSWERED, isRobots, type Visit, VisitJudge } from "./visit-judge.ts";

/** What all agents of a crawl have in common. */
export interface CrawlOptions {
  readonly web: SmallWebOptions;
  readonly hostDelayMs: number;
  /** 0 for none: agents that visit one address do not wait for each other. */
  readonly addressDelayMs: number;
  readonly robots: "obey" | "ignore";
  readonly depthMax: number | null;
  /** What the whole crawl may have, and how long it may take; null for no limit. */
  readonly pagesMax: number | null;
  readonly bytesMax: number | null;
  readonly timeMsMax: number | null;
  /** How many pages of one host. */
  readonly pagesPerHostMax: number | null;
  readonly lanes: number;
  readonly checkpointMs: number;
  /** Whether pages go with their hosts, and with agents that leave; false unless given. */
  readonly migrate?: boolean;
  /** An agent with less room on its disk begins nothing more; 0 or none if nobody looks. */
  readonly minFreeBytes?: number;
  /** How many agents are to be there before the crawl begins; 1 unless given. */
  readonly expect?: number;
  readonly membership: MembershipSettings;
}

/** What the world tells whoever watches. */
export interface WorldListener {
  /** A page is asked for, not for the first time. */
  pageAgain(visit: Visit, before: readonly Visit[]): void;
  /** The agent finds no room to begin with. */
  couldNotBegin(agent: string): void;
  /** The agent says that the crawl has ended, and because of which limit, if it was one. */
  finished(agent: string, limit: LimitName | null): void;
}

/** What a server does not give for a while: robots.txt files of hosts by their number, or pages, modulo three. */
interface Away {
  readonly third: number;
  readonly ofPages: boolean;
  readonly status: number;
  readonly untilMs: number;
}

const UNAVAILABLE = 503;

/** An answer takes this long. */
const ANSWER_MS_MIN = 10;
const ANSWER_MS_SPREAD = 80;
const FOUNDER = "a0";
/** Messages about slots come between others, and a late one keeps those behind it back. */
const SLOTTED_TELLING_MS = 18_000;

export class ClusterWorld {
  readonly web: SmallWeb;
  readonly options: CrawlOptions;
  readonly absences: Absences;
  /** What is not to be had for a while. */
  readonly #away: Away[] = [];
  readonly visits: VisitJudge;
  /** Requests for pages that had an answer, by URL, in order. */
  readonly fetches: Map<string, Visit[]> = new Map();
  readonly troubles: string[] = [];
  hasLostFounder = false;
  disksLost = 0;
  fetchCount = 0;
  lastVisitAtMs = 0;
  #beganAtMs: number | null = null;
  robotsCount = 0;
  readonly #kernel: Kernel;
  readonly #listener: WorldListener;
  readonly #mostUnderWay = new Map<string, number>();
  readonly #underWay = new Map<string, Set<Visit>>();
  readonly #seeds = new Map<string, Set<string>>();
  readonly #filled = new Set<string>();
  readonly #disks = new Map<string, number>();

  constructor(kernel: Kernel, options: CrawlOptions, listener: WorldListener) {
    this.#kernel = kernel;
    this.#listener = listener;
    this.options = options;
    this.web = new SmallWeb(options.web, kernel.random.fork("web"));
    this.absences = new Absences(options.addressDelayMs > 0 ? SLOTTED_TELLING_MS : undefined);
    const isFenced = options.membership.partition === "fence";
    this.visits = new VisitJudge({
      ...options,
      web: this.web,
      obeysRobots: options.robots === "obey",
      areApart: (one, other, atMs) => !isFenced && this.absences.areApart(one, other, atMs),
    });
  }

  /** What an agent founds; only the founder does, and once: when it comes back empty, it joins. */
  founds(id: string): CrawlFounding | null {
    if (id !== FOUNDER || this.hasLostFounder) return null;
    const { pagesMax: pages, bytesMax: bytes, timeMsMax: timeMs } = this.options;
    const bounds = { pages, bytes, timeMs };
    return { crawl: "simulated", fingerprintKey: "none", shards: 64, bounds, text: "" };
  }

  /** Asks the web for a page or a robots.txt; the status of the answer comes if the life lasts. */
  fetch(life: Life, url: string, ended: (status: number) => void): void {
    const kernel = this.#kernel;
    const { nodeId: agent } = life;
    const disk = this.diskOf(agent);
    const { nowMs: beganAtMs } = kernel;
    const visit: Visit = { agent, disk, url, beganAtMs, endedAtMs: null, status: 0 };
    this.visits.begins(visit);
    this.lastVisitAtMs = beganAtMs;
    const status = this.#statusOf(url);
    this.#count(visit, status);
    const underWay = this.#underWay.get(visit.agent) ?? new Set();
    this.#underWay.set(visit.agent, underWay.add(visit));
    this.#mostUnderWay.set(agent, Math.max(this.#mostUnderWay.get(agent) ?? 0, underWay.size));
    const durationMs = ANSWER_MS_MIN + life.random.below(ANSWER_MS_SPREAD);
    // The server is done, whether or not somebody is awake to hear it.
    kernel.schedule(durationMs, () => this.#ended(visit, status));
    life.clock.after(durationMs, () => {
      this.#ended(visit, status);
      ended(visit.status);
    });
  }

  /** An agent begins to count what it uses of the limits, and the time. */
  counts(): void {
    this.#beganAtMs ??= this.#kernel.nowMs;
  }

  /** When the first one did. */
  get beganAtMs(): number {
    return this.#beganAtMs ?? 0;
  }

  /** Robots.txt files of a third of the hosts are not to be had for a while. */
  takeRobotsAway(third: number, durationMs: number): boolean {
    return this.#takeAway({ third, ofPages: false, status: UNAVAILABLE }, durationMs);
  }

  /** The same for a third of the pages, which answer with this status. */
  takePagesAway(third: number, status: number, durationMs: number): boolean {
    return this.#takeAway({ third, ofPages: true, status }, durationMs);
  }

  #takeAway(away: Omit<Away, "untilMs">, durationMs: number): boolean {
    this.#away.push({ ...away, untilMs: this.#kernel.nowMs + durationMs });
    return true;
  }

  #statusOf(url: string): number {
    const ofPages = !isRobots(url);
    const third = (ofPages ? ticketOf(url, 0).low : Number(/\d+/.exec(url)?.[0] ?? 0)) % 3;
    const { nowMs } = this.#kernel;
    const away = this.#away.find(
      (one) => one.ofPages === ofPages && one.third === third && nowMs < one.untilMs,
    );
    return away?.status ?? ANSWERED;
  }

  /** Requests of an agent that were under way at once, at most; of all agents together. */
  get underWayMax(): number {
    return [...this.#mostUnderWay.values()].reduce((sum, most) => sum + most, 0);
  }

  /** The agent is gone: its requests are over. */
  died(agent: string): void {
    for (const visit of this.#underWay.get(agent) ?? []) visit.endedAtMs ??= this.#kernel.nowMs;
    this.#underWay.delete(agent);
  }

  /** An agent holds these seeds. */
  seedsHeld(agent: string, seeds: readonly string[]): void {
    const held = this.seedsOf(agent) as Set<string>;
    for (const seed of seeds) held.add(seed);
  }

  /** The seeds that the disk of an agent holds. */
  seedsOf(agent: string): ReadonlySet<string> {
    const held = this.#seeds.get(agent) ?? new Set<string>();
    this.#seeds.set(agent, held);
    return held;
  }

  /** Which of its disks an agent has. */
  diskOf(agent: string): number {
    return this.#disks.get(agent) ?? 1;
  }

  /** The disk of an agent is another one. */
  lostDisk(agent: string): void {
    this.#disks.set(agent, this.diskOf(agent) + 1);
    this.disksLost += 1;
    this.#seeds.delete(agent);
    this.#filled.delete(agent);
    if (agent === FOUNDER) this.hasLostFounder = true;
  }

  /** The disk of an agent has no room, or little, for a while. */
  diskFilled(agent: string): void {
    this.#filled.add(agent);
  }

  /** Whether the disk of an agent ever was without room. */
  wasDiskFull(agent: string): boolean {
    return this.#filled.has(agent);
  }

  couldNotBegin(agent: string): void {
    this.#listener.couldNotBegin(agent);
  }

  finished(agent: string, limit: LimitName | null): void {
    this.#listener.finished(agent, limit);
  }

  #ended(visit: Visit, status: number): void {
    this.#underWay.get(visit.agent)?.delete(visit);
    if (visit.endedAtMs !== null) return;
    visit.status = status;
    this.visits.ends(visit, this.#kernel.nowMs);
  }

  #count(visit: Visit, status: number): void {
    if (isRobots(visit.url)) {
      this.robotsCount += 1;
      return;
    }
    if (status !== ANSWERED) return;
    this.fetchCount += 1;
    const before = this.fetches.get(visit.url) ?? [];
    if (before.length > 0) this.#listener.pageAgain(visit, before);
    this.fetches.set(visit.url, [...before, visit]);
  }
}
