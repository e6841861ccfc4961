/**
 * How one visit waits for room where it has to go: the store, the writer of rows; or for what another
 * process makes of its page. The wait ends when there is room, or when it is given up; from then on the
 * visit waits for nothing any more.
 */

/** Where there may be no room for a while. */
export interface Room {
  whenRoom(callback: () => void): void;
}

export class RoomWait {
  /** Everything that happens later runs in it. */
  readonly guard: (work: () => void) => void;
  /** Set while something waits; called when that is given up. */
  #givenUp: (() => void) | null = null;
  #isGivenUp = false;

  constructor(guard: (work: () => void) => void) {
    this.guard = guard;
  }

  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Calls `again` when there is room at `place`, or `givenUp` if the wait is given up. */
  whenRoom(place: Room, again: () => void, givenUp: () => void): void {
    if (this.#isGivenUp) {
      givenUp();
      return;
    }
    this.#givenUp = givenUp;
    place.whenRoom(() => {
      if (this.#givenUp === null) return;
      this.#givenUp = null;
      this.guard(again);
    });
  }

  giveUp(): void {
    const givenUp = this.#givenUp;
    this.#isGivenUp = true;
    this.#givenUp = null;
    givenUp?.();
  }

  /** The visit ends in another way: neither callback is called. */
  stopWaiting(): void {
    this.#givenUp = null;
  }
}
