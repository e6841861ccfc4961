/**
 * Makes a failing schedule small enough to think about: faults are left out, first many at a time,
 * then one by one until none can be spared; then what is left is made earlier and shorter, all
 * together and one by one. What comes out still fails in the same way, and dropping any one fault
 * of it would not (unless the tries ran out).
 */
import type { Schedule } from "./fault.ts";

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
    // A shorter fault may have made another one unnecessary.
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

  /** All faults earlier together; then each as short and early as can be, others left alone. */
  shortenTimes(): void {
    if (this.#best.length === 0) return;
    const firstAtMs = Math.min(...this.#best.map((fault) => fault.atMs));
    const together = this.#best;
    smallest(firstAtMs, (atMs) =>
      this.#take(together.map((fault) => ({ ...fault, atMs: fault.atMs - firstAtMs + atMs }))),
    );
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

  #lower(index: number, field: "durationMs" | "atMs"): void {
    const fault = this.#best[index];
    if (fault === undefined) return;
    smallest(fault[field], (value) =>
      this.#take(this.#best.with(index, { ...fault, [field]: value })),
    );
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

/** Looks for the smallest number that is still good, by halving the range where it may lie. */
function smallest(knownGood: number, isGood: (value: number) => boolean): void {
  let low = 0;
  let high = knownGood;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isGood(middle)) high = middle;
    else low = middle + 1;
  }
}
