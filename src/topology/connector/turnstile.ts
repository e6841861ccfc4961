/**
 * Who waits at one side of a connector, in order: those who wait longest are woken first. Producers
 * wait for room, and the room that a woken one asked for is kept for it, so that nobody who comes
 * later takes it; a large block is not starved by small ones. Consumers wait for items.
 */

interface Waiting {
  readonly who: object;
  readonly count: number;
  readonly listener: () => void;
}

export class Turnstile {
  #waiting: Waiting[] = [];
  /** Places kept for those who were woken, by whom. */
  readonly #kept = new Map<object, number>();
  #keptCount = 0;

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Places that are kept for somebody. */
  get kept(): number {
    return this.#keptCount;
  }

  wait(who: object, count: number, listener: () => void): void {
    this.#waiting.push({ who, count, listener });
  }

  /** Wakes those at the front for whom `free` places are enough, and keeps their places. */
  admit(free: number): void {
    while (this.#waiting.length > 0) {
      const first = this.#waiting[0];
      if (first === undefined || first.count > free - this.#keptCount) return;
      this.#waiting.shift();
      this.#kept.set(first.who, (this.#kept.get(first.who) ?? 0) + first.count);
      this.#keptCount += first.count;
      first.listener();
    }
  }

  /** Wakes up to `count` of those who wait, keeping nothing for them. */
  wake(count: number): void {
    const woken = this.#waiting.splice(0, count);
    for (const { listener } of woken) listener();
  }

  /** Gives up the places that are kept for `who`, to be used by it or by others; says how many. */
  useKept(who: object): number {
    if (this.#keptCount === 0) return 0;
    const count = this.#kept.get(who) ?? 0;
    this.#kept.delete(who);
    this.#keptCount -= count;
    return count;
  }

  /** Nobody will come in this one's name any more. */
  leave(who: object): void {
    this.useKept(who);
    this.#waiting = this.#waiting.filter((one) => one.who !== who);
  }
}
