/**
 * A near-duplicate index on a simulated machine, beside a model of what it must hold: a plain list
 * of entries that is searched from end to end. Every answer of the index is compared with it: there
 * is one exactly when the list has one, and then it is one of the list's.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import type { Random } from "../../../src/base/seams/index.ts";
import { SimBackground } from "../../../src/lab/simulator/index.ts";
import type {
  NearEntry,
  NearIndex,
  NearIndexOptions,
  NearMarks,
  PageId,
} from "../../../src/parse/near/index.ts";
import { openNearIndex } from "../../../src/parse/near/index.ts";
import { type Asking, SimulatedMachine } from "../lab/simulated-machine.ts";
import { MortalClock } from "../lab/simulated-world.ts";

/** What the owner of an index records at a checkpoint, and what the index held then. */
export interface Recorded {
  readonly marks: NearMarks | null;
  readonly entries: readonly NearEntry[];
}

export class NearRig {
  readonly machine: SimulatedMachine;
  readonly batchEntries: number;
  /** What the index must hold, in the order in which it was added. */
  entries: NearEntry[] = [];
  /** The last checkpoint that was answered; null marks before the first. */
  recorded: Recorded = { marks: null, entries: [] };
  /** Failures in the background. */
  reports: CrawlError[] = [];
  #clock: MortalClock;
  #index: NearIndex | null = null;

  constructor(seed: number | string, batchEntries: number) {
    this.machine = new SimulatedMachine(seed);
    this.batchEntries = batchEntries;
    this.#clock = new MortalClock(this.machine.time);
  }

  get index(): NearIndex {
    assert(this.#index !== null, "the index is open");
    return this.#index;
  }

  opening(marks: NearMarks | null): Asking<NearIndex> {
    const { storage, disk, random, time } = this.machine;
    this.#clock = new MortalClock(time);
    const options: NearIndexOptions = {
      storage,
      background: new SimBackground({ clock: this.#clock, random, disk }),
      folder: "near",
      marks,
      batchEntries: this.batchEntries,
      report: (error) => this.reports.push(error),
    };
    return (done) => openNearIndex(options, done);
  }

  /** Opens the index with the marks that were recorded last. */
  open(): void {
    const { marks, entries } = this.recorded;
    this.#index = this.machine.result<NearIndex>(this.opening(marks));
    this.entries = [...entries];
  }

  close(): void {
    this.machine.result((done) => this.index.close(done));
    this.#index = null;
  }

  /** Power fails. */
  crash(): void {
    this.#clock.die();
    this.machine.crash();
    this.#index = null;
  }

  add(entry: NearEntry): void {
    for (let tries = 0; !this.index.tryAdd(entry); tries++) {
      assert.ok(tries < 10_000, "an index takes entries again after a while");
      this.index.retry();
      this.machine.result<void>((done) => this.index.drain(() => done(null, undefined)));
    }
    this.entries.push(entry);
  }

  checkpoint(): void {
    const entries = [...this.entries];
    const marks = this.machine.result<NearMarks>((done) => this.index.checkpoint(done));
    this.record(marks, entries);
  }

  /** The owner has recorded these marks. */
  record(marks: NearMarks, entries: readonly NearEntry[]): void {
    this.recorded = { marks, entries };
    this.index.keepOnly(marks);
  }

  /** Waits for everything that was begun. */
  settle(): void {
    this.machine.time.settle();
  }

  find(high: number, low: number, distance: number): PageId | null {
    const answers: (PageId | null)[] = [];
    const sighting = this.index.find({ high, low, distance }, (error, id) => {
      assert.equal(error, null);
      answers.push(id ?? null);
    });
    if (sighting.kind === "near") return sighting.id;
    if (sighting.kind === "none") return null;
    assert.equal(answers.length, 0, "an answer never comes inside the call");
    while (answers.length === 0) assert.ok(this.machine.time.step(), "the world fell silent");
    return answers[0] ?? null;
  }

  /** Asks the index and the list. */
  check(high: number, low: number, distance: number): void {
    const near = this.entries.filter((entry) => distanceOf(entry, high, low) <= distance);
    const found = this.find(high, low, distance);
    const query = `${high.toString(16)} ${low.toString(16)} within ${distance}`;
    if (near.length === 0) assert.equal(found, null, `nothing is near ${query}`);
    else
      assert.ok(
        near.some(({ id }) => id === found),
        `${found} is no answer to ${query}`,
      );
  }

  /** Asks for every entry, for neighbours of entries at every distance, and for strangers. */
  checkAll(random: Random): void {
    for (const { high, low } of this.entries) this.check(high, low, random.below(4));
    for (let query = 0; query < 100; query++) {
      const { high, low } =
        this.entries[random.below(this.entries.length || 1)] ?? stranger(random);
      const { high: nearHigh, low: nearLow } = flipped({ high, low }, random.below(6), random);
      this.check(nearHigh, nearLow, random.below(4));
    }
  }
}

export interface Hash {
  readonly high: number;
  readonly low: number;
}

export function stranger(random: Random): Hash {
  return { high: random.u32(), low: random.u32() };
}

/** Flips up to `flips` bits. */
export function flipped(hash: Hash, flips: number, random: Random): Hash {
  let { high, low } = hash;
  for (let count = 0; count < flips; count++) {
    const bit = random.below(64);
    if (bit < 32) low = (low ^ (1 << bit)) >>> 0;
    else high = (high ^ (1 << (bit - 32))) >>> 0;
  }
  return { high, low };
}

/** Counts differing bits one by one, to be obviously right. */
export function distanceOf(entry: Hash, high: number, low: number): number {
  const differing = (word: number): number => [...(word >>> 0).toString(2)].filter(isOne).length;
  return differing(entry.high ^ high) + differing(entry.low ^ low);
}

function isOne(digit: string): boolean {
  return digit === "1";
}
