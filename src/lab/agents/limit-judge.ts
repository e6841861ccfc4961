/**
 * The judge of limits (M1, M8): it counts what was fetched and was durable, on all disks that machines have
 * had, those that are lost included. Pages: never more than the limit. Bytes: more by no more than what agents
 * had in flight when they used their last. Both: not less when the crawl has ended, unless a disk took its share
 * with it, or an agent left while another was given up: what was under way between the two is lost. Time: nothing
 * is asked for afterwards, and nobody says that it is over before. Everybody knows what the reason of the end was.
 */
import type { LimitName } from "../../cluster/limits/index.ts";
import type { CrawlOptions } from "./cluster-world.ts";
import type { SimMachine } from "./sim-machine.ts";

export interface LimitJudgeParts {
  readonly options: Pick<CrawlOptions, "pagesMax" | "bytesMax" | "timeMsMax">;
  /** All pages are of one size. */
  readonly pageBytes: number;
  readonly machines: () => Iterable<SimMachine>;
  readonly members: () => readonly SimMachine[];
  readonly hasLostDisk: () => boolean;
  /** How many pages there were to fetch. */
  readonly due: () => number;
  /** Requests of an agent that were under way at once, at most; of all agents together. */
  readonly underWayMax: () => number;
  /** For how long the time of the crawl may have stood still: all agents were down. */
  readonly stoodStillMs: () => number;
  /** When the time of the crawl began, when something was last asked for, and which moment this is. */
  readonly beganAtMs: () => number;
  readonly lastVisitAtMs: () => number;
  readonly nowMs: () => number;
}

/** An agent that joins is told how long the crawl has run: what it was told may have been under way so long. */
const LATE_MS_MAX = 6000;
/** Clocks may run too fast. */
const DRIFT_RATIO = 0.999;

export class LimitJudge {
  readonly #parts: LimitJudgeParts;
  /** What each agent said when it last ended the crawl. */
  readonly #reasons = new Map<string, LimitName | null>();
  #wrong: string | null = null;
  #mayFallShort = false;

  constructor(parts: LimitJudgeParts) {
    this.#parts = parts;
  }

  finished(id: string, limit: LimitName | null): void {
    const { options, nowMs } = this.#parts;
    this.#reasons.set(id, limit);
    const isEarly = limit === "time" && nowMs() < (options.timeMsMax ?? 0) * DRIFT_RATIO;
    if (isEarly) this.#wrong = `${id} says at ${nowMs().toFixed(0)} that the time is over`;
  }

  /** An agent has left while another one was given up, or may have been. */
  leftUnheard(): void {
    this.#mayFallShort = true;
  }

  /** At any moment. */
  excess(): string | null {
    const { options, pageBytes, underWayMax } = this.#parts;
    const { pagesMax, bytesMax } = options;
    const pages = this.#pages;
    if (pagesMax !== null && pages > pagesMax) return `${pages} pages were fetched, of ${pagesMax}`;
    const bytes = pages * pageBytes;
    if (bytesMax !== null && bytes > bytesMax + underWayMax() * pageBytes)
      return `${bytes} bytes were fetched, of ${bytesMax}`;
    return this.#wrong ?? this.#late();
  }

  /** Whether the crawl need not have every page: a limit was reached. */
  get isReached(): boolean {
    return this.#limit !== null;
  }

  atEnd(): string | null {
    const limit = this.#limit;
    if (limit === null) return null;
    const { members, hasLostDisk, options, pageBytes } = this.#parts;
    const pages = this.#pages;
    const isShort =
      (limit === "pages" && pages !== options.pagesMax) ||
      (limit === "bytes" && pages * pageBytes < (options.bytesMax ?? 0));
    if (isShort && !hasLostDisk() && !this.#mayFallShort)
      return `${pages} pages, and the limit on ${limit} is not reached`;
    const others = members().filter(({ id }) => this.#reasons.get(id) !== limit);
    const said = others.map(({ id }) => `${id}: ${this.#reasons.get(id)}`);
    return said.length === 0 ? null : `the reason of the end is ${limit}, not ${said.join(", ")}`;
  }

  /** The limit at which the crawl must end; a limit of time need not be reached. */
  get #limit(): LimitName | null {
    const { options, due, pageBytes, members } = this.#parts;
    const { pagesMax, bytesMax, timeMsMax } = options;
    if (pagesMax !== null && due() > pagesMax) return "pages";
    if (bytesMax !== null && due() * pageBytes > bytesMax) return "bytes";
    if (timeMsMax === null) return null;
    return members().some(({ id }) => this.#reasons.get(id) === "time") ? "time" : null;
  }

  #late(): string | null {
    const { options, beganAtMs, stoodStillMs, lastVisitAtMs } = this.#parts;
    if (options.timeMsMax === null) return null;
    const lastMs = beganAtMs() + options.timeMsMax / DRIFT_RATIO + stoodStillMs() + LATE_MS_MAX;
    const atMs = lastVisitAtMs();
    return atMs <= lastMs ? null : `something is asked for at ${atMs.toFixed(0)}, after the time`;
  }

  get #pages(): number {
    let pages = 0;
    for (const { fetched } of this.#parts.machines()) pages += fetched;
    return pages;
  }
}
