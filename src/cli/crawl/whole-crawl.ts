/**
 * How a crawl goes of which this process has a part: all agents are asked now and then, the more of them the
 * less often, since each of them asks all others.
 */
import type { CrawlSummary } from "../../agent/index.ts";
import type { Clock, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { amount, plural } from "./figures.ts";
import { type Done, leftMs, limitFacts } from "./limit-facts.ts";
import { RateWindow } from "./rate-window.ts";

type Limits = Pick<Configuration["limits"], "pages" | "bytes" | "time">;

export interface WholeFacts extends Done {
  readonly summary: Told;
}

const ASK_EVERY_MS = 2 * SECOND_MS;
const ASK_EVERY_MS_OF_EACH = SECOND_MS / 5;
const STEADY_WINDOW_MS = 60 * SECOND_MS;

/** For people. */
export function wholeFacts(whole: WholeFacts, limits: Limits): readonly string[] {
  const { pages, queued, agents, missing } = whole.summary;
  return [
    `${plural(agents, "agent")} together: ${plural(pages, "page")}`,
    ...limitFacts(whole, limits),
    `${amount(queued)} queued`,
    ...(missing.length === 0 ? [] : [`${plural(missing.length, "agent")} without an answer`]),
  ];
}

type Told = Pick<
  CrawlSummary,
  "agents" | "missing" | "pages" | "queued" | "hosts" | "bytes" | "seconds"
>;

/** For programs. Rates are those of the last minute. */
export interface WholeJson extends Told {
  readonly pagesPerSecond: number;
  readonly bytesPerSecond: number;
  readonly limits: {
    readonly pages: number | null;
    readonly bytes: number | null;
    readonly seconds: number | null;
  };
  /** Until a limit is reached; null if there is none, or that is not known. */
  readonly secondsLeft: number | null;
}

export function wholeJson(whole: WholeFacts, limits: Limits): WholeJson {
  const { agents, missing, pages, queued, hosts, bytes, seconds } = whole.summary;
  const { pagesPerSecond, bytesPerSecond } = whole.steady;
  const left = leftMs(whole, limits);
  const { time } = limits;
  return {
    ...{ agents, missing, pages, queued, hosts, bytes, seconds },
    pagesPerSecond: Math.round(pagesPerSecond * 10) / 10,
    bytesPerSecond: Math.round(bytesPerSecond),
    limits: {
      ...{ pages: limits.pages, bytes: limits.bytes },
      seconds: time === null ? null : time / SECOND_MS,
    },
    secondsLeft: Number.isFinite(left) ? Math.round(left / SECOND_MS) : null,
  };
}

/** The same for people, from what another process has told programs. */
export function wholeText(told: WholeJson): string {
  const { pages, bytes, seconds } = told.limits;
  const { pagesPerSecond, bytesPerSecond } = told;
  const limits = { pages, bytes, time: seconds === null ? null : seconds * SECOND_MS };
  const steady = { pagesPerSecond, bytesPerSecond };
  return wholeFacts({ summary: told, steady }, limits).join(" · ");
}

export class WholeCrawl {
  readonly #clock: Clock;
  readonly #ask: () => Promise<CrawlSummary>;
  readonly #pages = new RateWindow(STEADY_WINDOW_MS);
  readonly #bytes = new RateWindow(STEADY_WINDOW_MS);
  #summary: CrawlSummary | null = null;
  #timer: Timer | null = null;
  #isStopped = false;

  constructor(clock: Clock, ask: () => Promise<CrawlSummary>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  start(): void {
    void this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  /** As of the last answer; null before the first. */
  get facts(): WholeFacts | null {
    if (this.#summary === null) return null;
    const steady = {
      pagesPerSecond: this.#pages.perSecond,
      bytesPerSecond: this.#bytes.perSecond,
    };
    return { summary: this.#summary, steady };
  }

  /** Who is being closed does not answer: what was known last is shown on. */
  async #look(): Promise<void> {
    const summary = await this.#ask().catch(() => null);
    if (this.#isStopped) return;
    if (summary !== null) {
      this.#summary = summary;
      this.#pages.add(this.#clock.nowMs(), summary.pages);
      this.#bytes.add(this.#clock.nowMs(), summary.bytes);
    }
    const againMs = Math.max(ASK_EVERY_MS, (summary?.agents ?? 1) * ASK_EVERY_MS_OF_EACH);
    this.#timer = this.#clock.after(againMs, () => void this.#look());
  }
}
