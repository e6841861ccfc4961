/**
 * The time of a crawl, in which a checkpoint has its instants. The clock by which delays run belongs to
 * one process; the time of a crawl goes on from process to process, so that what has not changed need not
 * be written again. Between two processes passes what the wall clock says; if that was set back meanwhile,
 * no time has passed: a host then waits longer than it must, never less.
 */
import type { Clock } from "../../../base/seams/index.ts";

/** Null for an instant before all others. */
export type SavedInstant = number | null;

/** When a checkpoint was taken. */
export interface CheckpointMoment {
  /** By the wall clock. */
  readonly takenAtMs: number;
  /** By the time of the crawl. */
  readonly momentMs: number;
}

export class CheckpointClock {
  readonly #clock: Clock;
  readonly #offsetMs: number;

  private constructor(clock: Clock, nowMs: number) {
    this.#clock = clock;
    this.#offsetMs = nowMs - clock.nowMs();
  }

  /** A crawl begins. */
  static begin(clock: Clock): CheckpointClock {
    return new CheckpointClock(clock, 0);
  }

  /** A crawl goes on from a checkpoint. */
  static since(clock: Clock, { takenAtMs, momentMs }: CheckpointMoment): CheckpointClock {
    // Both wall times may be cut to whole milliseconds.
    const passedMs = Math.floor(clock.wallMs()) - Math.ceil(takenAtMs) - 1;
    return new CheckpointClock(clock, momentMs + Math.max(0, passedMs));
  }

  /** Of a checkpoint that is taken now. */
  get moment(): CheckpointMoment {
    return { takenAtMs: this.#clock.wallMs(), momentMs: this.#clock.nowMs() + this.#offsetMs };
  }

  save(atMs: number): SavedInstant {
    return atMs === Number.NEGATIVE_INFINITY ? null : atMs + this.#offsetMs;
  }

  restore(saved: SavedInstant): number {
    return saved === null ? Number.NEGATIVE_INFINITY : saved - this.#offsetMs;
  }
}
