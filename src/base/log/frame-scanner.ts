/**
 * Finds frames in windows of bytes, one window after the other, and continues after damage.
 *
 * Where a frame should begin and none does, the scanner tries the places that the framing names
 * until it finds a good frame; what it passed over is one damaged range. A range may span several
 * windows.
 */
import type { FrameBatch } from "./frame-batch.ts";
import type { Framing, Window } from "./framing.ts";
import type { Position } from "./position.ts";

export class FrameScanner {
  readonly #framing: Framing;
  #damagedFrom: Position | null = null;

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  /**
   * Adds what the window holds to the batch. Returns how many of its bytes are finished, and how
   * many the next window needs at least for progress.
   */
  scan(window: Window, batch: FrameBatch): { doneBytes: number; neededBytes: number } {
    let at = 0;
    while (at < window.bytes.length) {
      const outcome = this.#framing.check(window, at);
      if (outcome < 0) return { doneBytes: at, neededBytes: -outcome };
      if (outcome > 0) {
        this.endDamage(window.position + at, batch);
        batch.addFrame(at, outcome);
        at += outcome;
      } else {
        this.#damagedFrom ??= window.position + at;
        at = this.#framing.seek(window, at);
      }
    }
    return { doneBytes: at, neededBytes: 0 };
  }

  /** Where damage began that has not ended yet. */
  get damagedFrom(): Position | null {
    return this.#damagedFrom;
  }

  /** Ends the damaged range that is open, or records one of bytes that are missing altogether. */
  endDamage(to: Position, batch: FrameBatch, missingFrom: Position = to): void {
    const from = this.#damagedFrom ?? missingFrom;
    if (from < to) batch.addDamage({ from, to });
    this.#damagedFrom = null;
  }
}
