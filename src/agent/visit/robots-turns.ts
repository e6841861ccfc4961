/**
 * When large robots.txt files are read: one at a time, and after one that took some time nothing for
 * three times as long. However many come at once, they take about a quarter of the time, and pages
 * of other hosts the rest. Files of ordinary size do not wait.
 *
 * A file that waits holds its body, in the spool, and no copy of it. When the crawl ends, those that
 * wait are let go at once and read no more.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { TurnBudget } from "../../base/time/index.ts";

/** Of a thousand sites, a handful have a longer file. It is read in a few milliseconds. */
const ORDINARY_BYTES_MAX = 64 * 1024;

const PAUSE_MULTIPLE = 3;

/** The turn of one large file. */
export interface RobotsTurn {
  readonly begin: () => void;
}

export class RobotsTurns {
  readonly #clock: Clock;
  readonly #budget: TurnBudget;
  /** In the order in which they came. */
  readonly #waiting = new Set<RobotsTurn>();
  #current: RobotsTurn | null = null;
  #againAtMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | null = null;
  #isStopped = false;

  constructor(clock: Clock, budget: TurnBudget) {
    this.#clock = clock;
    this.#budget = budget;
  }

  /** The crawl ends: what a robots.txt says matters no more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Calls `begin` at once for a file of ordinary size, and returns null; else later, and the turn is
   * to be ended.
   */
  take(lengthBytes: number, begin: () => void): RobotsTurn | null {
    if (lengthBytes <= ORDINARY_BYTES_MAX || this.#isStopped) {
      begin();
      return null;
    }
    const turn = { begin };
    this.#waiting.add(turn);
    this.#callNext();
    return turn;
  }

  /** The file has been read, in so much time, or will not be. */
  end(turn: RobotsTurn, tookMs: number): void {
    this.#waiting.delete(turn);
    if (this.#current !== turn) return;
    this.#current = null;
    this.#againAtMs = this.#clock.nowMs() + PAUSE_MULTIPLE * tookMs;
    this.#callNext();
  }

  /** Begins soon, since the file will not be read. */
  letGo(turn: RobotsTurn): void {
    if (this.#waiting.delete(turn)) this.#budget.later(turn.begin);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    for (const turn of [...this.#waiting]) this.letGo(turn);
  }

  #callNext(): void {
    if (this.#current !== null || this.#timer !== null || this.#waiting.size === 0) return;
    const waitMs = Math.max(0, this.#againAtMs - this.#clock.nowMs());
    this.#timer = this.#clock.after(waitMs, () => {
      this.#timer = null;
      const [turn] = this.#waiting;
      if (turn === undefined) return;
      this.#waiting.delete(turn);
      this.#current = turn;
      this.#budget.later(turn.begin);
    });
  }
}
