/**
 * Turns by name: calls for one name run in order, one after the other; different names do not wait
 * for each other. A call that concerns two names (a renaming) waits for both and delays both.
 */

interface Turn {
  readonly names: readonly string[];
  readonly run: (finished: () => void) => void;
  /** Null while there are none. */
  followers: Turn[] | null;
  waitsFor: number;
}

export class Turns {
  readonly #lastByName = new Map<string, Turn>();

  /** Calls `run` when all earlier turns of these names have finished; at once if they have. */
  take(names: readonly string[], run: (finished: () => void) => void): void {
    const turn: Turn = { names, run, followers: null, waitsFor: 0 };
    for (const name of names) {
      const before = this.#lastByName.get(name);
      // It may be named twice.
      if (before === turn) continue;
      if (before !== undefined) {
        before.followers ??= [];
        before.followers.push(turn);
        turn.waitsFor += 1;
      }
      this.#lastByName.set(name, turn);
    }
    if (turn.waitsFor === 0) this.#begin(turn);
  }

  #begin(turn: Turn): void {
    turn.run(() => this.#finish(turn));
  }

  #finish(turn: Turn): void {
    for (const name of turn.names) {
      if (this.#lastByName.get(name) === turn) this.#lastByName.delete(name);
    }
    if (turn.followers === null) return;
    for (const follower of turn.followers) {
      follower.waitsFor -= 1;
      if (follower.waitsFor === 0) this.#begin(follower);
    }
  }
}
