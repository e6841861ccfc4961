/**
 * What a user sees while a crawl runs: on a terminal one line that is written over, elsewhere a JSON
 * line every ten seconds. Everything goes to standard error.
 */
import type { CrawlSummary } from "../agent/index.ts";
import type { Clock, Timer } from "../seams/index.ts";
import { SECOND_MS } from "../units/index.ts";
import { amount, bytesText, durationText } from "./figures.ts";
import type { Terminal } from "./terminal.ts";

const LIVE_EVERY_MS = SECOND_MS / 2;
const LINES_EVERY_MS = 10 * SECOND_MS;

export interface ProgressSource {
  summary(): CrawlSummary;
  /** Pages that the crawl is to fetch at most; null for no limit. */
  readonly pagesMax: number | null;
}

export class CrawlProgress {
  readonly #clock: Clock;
  readonly #terminal: Terminal;
  readonly #source: ProgressSource;
  #timer: Timer | null = null;
  #lastPages = 0;
  #lastAtMs: number;
  #isLineOpen = false;

  constructor(clock: Clock, terminal: Terminal, source: ProgressSource) {
    this.#clock = clock;
    this.#terminal = terminal;
    this.#source = source;
    this.#lastAtMs = clock.nowMs();
  }

  start(): void {
    const everyMs = this.#terminal.isLive ? LIVE_EVERY_MS : LINES_EVERY_MS;
    this.#timer = this.#clock.after(everyMs, () => {
      this.#show();
      this.start();
    });
  }

  /** Leaves the terminal at the beginning of an empty line. */
  stop(): void {
    this.#timer?.cancel();
    if (this.#isLineOpen) this.#terminal.err("\r\u001b[K");
    this.#isLineOpen = false;
  }

  #show(): void {
    const summary = this.#source.summary();
    const nowMs = this.#clock.nowMs();
    const perSecond = ((summary.pages - this.#lastPages) / (nowMs - this.#lastAtMs)) * SECOND_MS;
    this.#lastPages = summary.pages;
    this.#lastAtMs = nowMs;
    if (this.#terminal.isLive) {
      this.#isLineOpen = true;
      this.#terminal.err(`\r\u001b[K${liveLine(summary, perSecond, this.#source.pagesMax)}`);
    } else this.#terminal.err(`${JSON.stringify({ event: "progress", ...summary })}\n`);
  }
}

/** Short enough for eighty columns. */
export function liveLine(
  summary: CrawlSummary,
  pagesPerSecond: number,
  pagesMax: number | null,
): string {
  const failures = sum(summary.errors);
  return [
    `${amount(summary.pages)} pages`,
    `${pagesPerSecond.toFixed(1)}/s`,
    `${amount(summary.queued)} queued`,
    bytesText(summary.bytes),
    ...(failures > 0 ? [`${amount(failures)} failed`] : []),
    ...(pagesPerSecond === 0 ? waiting(summary) : []),
    ...timeLeft(summary, pagesPerSecond, pagesMax),
  ].join(" · ");
}

/** What most of the hosts wait for. */
function waiting({ idle }: CrawlSummary): string[] {
  const [first] = Object.entries(idle).sort(([, one], [, other]) => other - one);
  return first === undefined ? [] : [`waiting: ${first[0]}`];
}

function timeLeft(
  { pages }: CrawlSummary,
  pagesPerSecond: number,
  pagesMax: number | null,
): string[] {
  if (pagesMax === null || pagesPerSecond === 0) return [];
  return [`${durationText(((pagesMax - pages) / pagesPerSecond) * SECOND_MS)} left`];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
