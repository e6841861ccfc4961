/**
 * What a user sees while a crawl runs: on a terminal one line that is written over, elsewhere JSON
 * lines, at the start, every ten seconds and at the end. Everything goes to standard error.
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
    this.#tellEvent("started");
    this.#showLater();
  }

  /** The user wants it to end. */
  ending(): void {
    this.#clearLine();
    if (!this.#terminal.isLive) this.#tellEvent("ending");
    else {
      this.#terminal.err("trobar: ending; what is in flight is waited for (again: end at once)\n");
    }
  }

  /** Leaves the terminal at the beginning of an empty line. */
  stop(): void {
    this.#timer?.cancel();
    this.#clearLine();
    this.#tellEvent("ended");
  }

  #showLater(): void {
    const everyMs = this.#terminal.isLive ? LIVE_EVERY_MS : LINES_EVERY_MS;
    this.#timer = this.#clock.after(everyMs, () => {
      this.#show();
      this.#showLater();
    });
  }

  #clearLine(): void {
    if (this.#isLineOpen) this.#terminal.err("\r\u001b[K");
    this.#isLineOpen = false;
  }

  /** Where nobody watches, a program may. */
  #tellEvent(event: "started" | "progress" | "ending" | "ended"): void {
    if (this.#terminal.isLive) return;
    this.#terminal.err(`${JSON.stringify({ event, ...this.#source.summary() })}\n`);
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
    } else this.#tellEvent("progress");
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
