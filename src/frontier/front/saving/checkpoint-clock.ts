/**
 * Instants in a checkpoint. The clock by which delays run belongs to one process, so a checkpoint has
 * milliseconds from its own moment, negative for the past. The process that goes on subtracts the time
 * that has passed since by the wall clock; if that was set back meanwhile, none has: a host then waits
 * longer than it must, never less.
 */
import type { Clock } from "../../../base/seams/index.ts";

/** Null for an instant before all others. */
export type SavedInstant = number | null;

export class CheckpointClock {
  readonly #momentMs: number;

  private constructor(momentMs: number) {
    this.#momentMs = momentMs;
  }

  /** For a checkpoint of this moment. */
  static now(clock: Clock): CheckpointClock {
    return new CheckpointClock(clock.nowMs());
  }

  /** For what a checkpoint holds that was taken at this wall time. */
  static since(clock: Clock, takenAtMs: number): CheckpointClock {
    // Both wall times may be cut to whole milliseconds.
    const passedMs = Math.floor(clock.wallMs()) - Math.ceil(takenAtMs) - 1;
    return new CheckpointClock(clock.nowMs() - Math.max(0, passedMs));
  }

  save(atMs: number): SavedInstant {
    return atMs === Number.NEGATIVE_INFINITY ? null : atMs - this.#momentMs;
  }

  restore(saved: SavedInstant): number {
    return saved === null ? Number.NEGATIVE_INFINITY : saved + this.#momentMs;
  }
}
