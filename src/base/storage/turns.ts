/**
 * Turns by name: calls for one name run in order, one after the other; different names do not wait
 * for each other. A call that concerns two names (a renaming) waits for both and delays both.
 */

interface Turn {
  readonly names: ReadonlySet<string>;
  readonly begin: () => void;
  readonly followers: Turn[];
  waitsFor: number;
}

export class Turns {
  readonly #lastByName = new Map<string, Turn>();

  /** Calls `run` when all earlier turns of these names have finished; at once if they have. */
  take(names: readonly string[], run: (finished: () => void) => void): void {
    const turn: Turn = {
      names: new Set(names),
      begin: () => run(() => this.#finish(turn)),
      followers: [],
      waitsFor: 0,
    };
    for (const name of turn.names) {
      const before = this.#lastByName.get(name);
      if (before !== undefined) {
        before.followers.push(turn);
        turn.waitsFor += 1;
      }
      this.#lastByName.set(name, turn);
    }
    if (turn.waitsFor === 0) turn.begin();
  }

  #finish(turn: Turn): void {
    for (const name of turn.names) {
      if (this.#lastByName.get(name) === turn) this.#lastByName.delete(name);
    }
    for (const follower of turn.followers) {
      follower.waitsFor -= 1;
      if (follower.waitsFor === 0) follower.begin();
    }
  }
}
