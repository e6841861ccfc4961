/**
 * Makes a failing schedule small enough to think about: faults are left out, first many at a time,
 * then one by one until none can be spared; then what is left is made earlier and shorter. What
 * comes out still fails in the same way, and dropping any one fault of it would not (unless the
 * tries ran out).
 */
import type { Fault, Schedule } from "./fault.ts";

export interface Shrunk {
  readonly schedule: Schedule;
  /** How many schedules were run for it. */
  readonly tries: number;
  /** False when the tries ran out before it was certain that no fault can be spared. */
  readonly isMinimal: boolean;
}

export function shrinkSchedule(
  schedule: Schedule,
  stillFails: (candidate: Schedule) => boolean,
  triesMax: number,
): Shrunk {
  const shrinker = new Shrinker(schedule, stillFails, triesMax);
  do {
    shrinker.dropFaults();
    shrinker.shortenTimes();
    // A shorter fault may have made another one superfluous.
  } while (shrinker.dropOneByOne());
  return shrinker.result();
}

class Shrinker {
  readonly #stillFails: (candidate: Schedule) => boolean;
  readonly #triesMax: number;
  #best: Schedule;
  #tries = 0;

  constructor(schedule: Schedule, stillFails: (candidate: Schedule) => boolean, triesMax: number) {
    this.#best = schedule;
    this.#stillFails = stillFails;
    this.#triesMax = triesMax;
  }

  result(): Shrunk {
    const isMinimal = this.#tries < this.#triesMax;
    const schedule = this.#best.toSorted((one, other) => one.atMs - other.atMs);
    return { schedule, tries: this.#tries, isMinimal };
  }

  dropFaults(): void {
    for (let size = Math.ceil(this.#best.length / 2); size > 1; size = Math.ceil(size / 2)) {
      this.#dropChunks(size);
    }
    while (this.dropOneByOne());
  }

  /** Tries every fault once; whether one was dropped. */
  dropOneByOne(): boolean {
    return this.#dropChunks(1);
  }

  /** The smallest duration and the earliest time of each fault, the others left as they are. */
  shortenTimes(): void {
    for (let index = 0; index < this.#best.length; index += 1) {
      this.#lower(index, "durationMs");
      this.#lower(index, "atMs");
    }
  }

  #dropChunks(size: number): boolean {
    const before = this.#best.length;
    let start = 0;
    while (start < this.#best.length) {
      if (!this.#take(this.#best.toSpliced(start, size))) start += size;
    }
    return this.#best.length < before;
  }

  /** Halves the range in which the smallest failing value lies, until it is found. */
  #lower(index: number, field: "durationMs" | "atMs"): void {
    const fault = this.#best[index];
    if (fault === undefined) return;
    let low = 0;
    let high = fault[field];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const lowered: Fault = { ...fault, [field]: middle };
      if (this.#take(this.#best.with(index, lowered))) high = middle;
      else low = middle + 1;
    }
  }

  /** Whether the candidate fails too; if so, it is the best from now on. */
  #take(candidate: Schedule): boolean {
    if (this.#tries >= this.#triesMax) return false;
    this.#tries += 1;
    const fails = this.#stillFails(candidate);
    if (fails) this.#best = candidate;
    return fails;
  }
}
