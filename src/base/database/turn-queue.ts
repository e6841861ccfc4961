/**
 * Work that waits its turn: done in the order given, one piece per turn of the event loop, so that
 * nothing happens inside the call that gave it and others are served between two pieces.
 */
import type { Clock } from "../seams/index.ts";

export class TurnQueue {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #isTurnDue = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(work: () => void): void {
    this.#waiting.push(work);
    this.#askForTurn();
  }

  #askForTurn(): void {
    if (this.#isTurnDue || this.#waiting.length === 0) return;
    this.#isTurnDue = true;
    this.#clock.after(0, () => {
      this.#isTurnDue = false;
      const work = this.#waiting.shift();
      // Asked for first: the next piece must have its turn also when this one throws.
      this.#askForTurn();
      work?.();
    });
  }
}
