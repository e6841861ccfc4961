/**
 * When large robots.txt files are read: one at a time, each followed by a pause three times as long
 * as it took. However many arrive at once, they take about a quarter of the time, and pages of other
 * hosts the rest. Files of ordinary size do not wait.
 *
 * A file that waits holds its body in the spool and no copy of it. When the crawl ends, the waiting
 * files are released at once and not read.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { TurnBudget } from "../../base/time/index.ts";

/** A few sites in a thousand have a longer file. One of this size is read in a few milliseconds. */
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

  /** The crawl ends: what a robots.txt says no longer matters. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Calls `begin` at once for a file of ordinary size, and returns null; otherwise later, and the
   * caller ends the turn.
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

  /** The file has been read, which took `tookMs`, or will not be. */
  end(turn: RobotsTurn, tookMs: number): void {
    this.#waiting.delete(turn);
    if (this.#current !== turn) return;
    this.#current = null;
    this.#againAtMs = this.#clock.nowMs() + PAUSE_MULTIPLE * tookMs;
    this.#callNext();
  }

  /** Ends the wait: the turn begins soon, and the file is not read. */
  release(turn: RobotsTurn): void {
    if (this.#waiting.delete(turn)) this.#budget.later(turn.begin);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    for (const turn of [...this.#waiting]) this.release(turn);
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
