/**
 * The summary of the whole crawl at its end: what each agent has done is asked while all are still there,
 * since afterwards nobody answers. Whoever has asked stays for some heartbeats, so that others can ask too.
 * On a slow line an answer may come too late; as nobody is gone yet, it is asked for again.
 * An agent that ends alone, while the crawl goes on, only has its own.
 */
import type { Clock, Timer } from "../../../base/seams/index.ts";
import type { CrawlSummary } from "../../crawl/counting/crawl-summary.ts";

export interface FinalSummaryParts {
  readonly clock: Clock;
  /** Of the whole crawl, as it is at the moment. */
  readonly ask: () => Promise<CrawlSummary>;
  /** The time between signs of life. */
  readonly beatMs: () => number;
}

const LINGER_BEATS = 2;
/** How often those are asked who do not answer. */
const TRIES_MAX = 3;

export class FinalSummary {
  readonly #parts: FinalSummaryParts;
  #found: CrawlSummary | null = null;
  #lingering: Timer | null = null;
  /** Which of the ends that were found counts: the last one. */
  #turn = 0;
  #isClosed = false;

  constructor(parts: FinalSummaryParts) {
    this.#parts = parts;
  }

  /** The crawl has ended for all: asks, and calls `end` when others have had time to ask. */
  async concluded(end: () => void): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    await this.#askAll(turn);
    if (this.#isClosed || turn !== this.#turn) return;
    const isAlone = (this.#found?.agents ?? 1) === 1;
    if (isAlone) end();
    else {
      this.#lingering?.cancel();
      const { clock, beatMs } = this.#parts;
      this.#lingering = clock.after(LINGER_BEATS * beatMs(), end);
    }
  }

  async #askAll(turn: number): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX && turn === this.#turn; tries += 1) {
      const found = await this.#parts.ask();
      if (turn !== this.#turn) return;
      this.#found = found;
      if (found.missing.length === 0) return;
    }
  }

  async ask(): Promise<void> {
    this.#found = await this.#parts.ask();
  }

  /** It goes on after all. */
  forget(): void {
    this.#found = null;
  }

  /** Why it ended is known from the part of this agent. */
  with(own: CrawlSummary): CrawlSummary {
    const { state, reason, limit } = own;
    return this.#found === null ? own : { ...this.#found, state, reason, limit, idle: own.idle };
  }

  close(): void {
    this.#isClosed = true;
    this.#turn += 1;
    this.#lingering?.cancel();
  }
}
