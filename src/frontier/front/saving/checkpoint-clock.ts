/**
 * The time of a crawl, in which a checkpoint has its instants. The clock by which delays run belongs to
 * one process; the time of a crawl goes on from process to process, so that what has not changed need not
 * be written again. Between two processes passes what the wall clock says; if that was set back meanwhile,
 * no time has passed: a host then waits longer than it must, never less. Pauses do not trust the wall clock
 * at all, since it may have been set forward: what was left of a pause when the checkpoint was taken is
 * waited for again.
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
  /** Of the checkpoint it goes on from, by the time of the crawl. */
  readonly #sinceMs: number;
  /** When it went on, by the clock of this process, and by the wall clock. */
  readonly #openedAtMs: number;
  readonly #openedWallMs: number;

  private constructor(clock: Clock, nowMs: number, sinceMs: number) {
    this.#clock = clock;
    this.#openedAtMs = clock.nowMs();
    this.#openedWallMs = clock.wallMs();
    this.#offsetMs = nowMs - this.#openedAtMs;
    this.#sinceMs = sinceMs;
  }

  /** A crawl begins. */
  static begin(clock: Clock): CheckpointClock {
    return new CheckpointClock(clock, 0, 0);
  }

  /** A crawl goes on from a checkpoint. */
  static since(clock: Clock, { takenAtMs, momentMs }: CheckpointMoment): CheckpointClock {
    // Both wall times may be cut to whole milliseconds.
    const passedMs = Math.floor(clock.wallMs()) - Math.ceil(takenAtMs) - 1;
    return new CheckpointClock(clock, momentMs + Math.max(0, passedMs), momentMs);
  }

  /** Of a checkpoint that is taken now. */
  get moment(): CheckpointMoment {
    return { takenAtMs: this.#clock.wallMs(), momentMs: this.#clock.nowMs() + this.#offsetMs };
  }

  save(atMs: number): SavedInstant {
    return atMs === Number.NEGATIVE_INFINITY ? null : atMs + this.#offsetMs;
  }

  /** When the crawl went on: pauses that were under way at the checkpoint last from then on. */
  get openedAtMs(): number {
    return this.#openedAtMs;
  }

  /** The end of a rest, of which at most a whole pause is due to politeness. */
  restoreRest(saved: SavedInstant, pauseMs: number): number {
    const leftMs = saved === null ? 0 : Math.min(pauseMs, saved - this.#sinceMs);
    return Math.max(
      this.restore(saved),
      leftMs > 0 ? this.#openedAtMs + leftMs : Number.NEGATIVE_INFINITY,
    );
  }

  /** An instant of an earlier process, which had it by the wall clock; never one that is still to come. */
  past(wallMs: number): number {
    return this.#openedAtMs - Math.max(0, this.#openedWallMs - wallMs);
  }

  restore(saved: SavedInstant): number {
    return saved === null ? Number.NEGATIVE_INFINITY : saved - this.#offsetMs;
  }
}
