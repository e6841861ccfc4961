/**
 * A sieve on a simulated machine, beside the owner that keeps its marks and a model of what must
 * have been told. A life ends by a crash, a kill or a close; the next one begins with the marks that
 * the owner kept, and from there on everything must be as if nothing had happened since.
 */
import assert from "node:assert/strict";
import type { Random } from "../../../src/base/seams/index.ts";
import { openDiskSieve, type Sieve } from "../../../src/frontier/sieve/index.ts";
import {
  SieveFront,
  type TestOffer,
  type Told,
  toldOf,
} from "../../../src/lab/conformance/index.ts";
import { SimBackground } from "../../../src/lab/simulator/index.ts";
import { type Asking, SimulatedMachine } from "../lab/simulated-machine.ts";
import { MortalClock } from "../lab/simulated-world.ts";

const OFFER_BYTES = 320 / 7;

/** How things stood when marks were made. */
interface Moment {
  readonly marks: string | null;
  readonly offers: number;
  readonly told: Told;
}

export interface SieveShape {
  readonly withDepth: boolean;
  readonly batchOffers: number;
  /** Up to how many keys it is small; never when left out. */
  readonly smallKeysMax?: number;
}

export class SieveRig {
  readonly machine: SimulatedMachine;
  readonly withDepth: boolean;
  /** These may be changed between two lives. */
  batchOffers: number;
  smallKeysMax: number;
  /** Everything that was taken and is not forgotten. */
  offers: TestOffer[] = [];
  front: SieveFront = new SieveFront();
  background: SimBackground | null = null;
  #clock: MortalClock;
  #sieve: Sieve | null = null;
  /** Told in lives before this one, as far as the kept marks say. */
  #toldBefore: Told = { fresh: [], improved: [] };
  #kept: Moment = { marks: null, offers: 0, told: { fresh: [], improved: [] } };
  /** Marks that were answered and are not kept yet. */
  #unkept: Moment | null = null;
  /** The sieve that is being asked for marks. */
  #asked: Sieve | null = null;

  constructor(seed: number | string, shape: SieveShape) {
    this.machine = new SimulatedMachine(seed);
    this.withDepth = shape.withDepth;
    this.batchOffers = shape.batchOffers;
    this.smallKeysMax = shape.smallKeysMax ?? 0;
    this.#clock = new MortalClock(this.machine.time);
  }

  get sieve(): Sieve {
    assert(this.#sieve !== null, "the sieve is open");
    return this.#sieve;
  }

  /** The marks that the owner kept last. */
  get keptMarks(): string | null {
    return this.#kept.marks;
  }

  /** What had been told when these were made. */
  get keptTold(): Told {
    return this.#kept.told;
  }

  opening(marks: string | null): Asking<Sieve> {
    const { storage, disk, random, time } = this.machine;
    this.#clock = new MortalClock(time);
    this.front = new SieveFront();
    this.background = new SimBackground({ clock: this.#clock, random, disk });
    const options = {
      clock: this.#clock,
      smallKeysMax: this.smallKeysMax,
      storage,
      background: this.background,
      random,
      folder: "sieve",
      listener: this.front,
      withDepth: this.withDepth,
      memoryBytes: Math.ceil(this.batchOffers * OFFER_BYTES),
      marks,
      sliceRecords: 1,
    };
    return (done) => openDiskSieve(options, done);
  }

  /** Begins a life with the marks that were kept. */
  open(): void {
    assert.equal(this.tryOpen(), "good");
  }

  /** The same, where it may fail: the code of the error, or "good". */
  tryOpen(): string {
    const { marks, offers, told } = this.#kept;
    const { error, value } = this.machine.outcome<Sieve>(this.opening(marks));
    if (error !== null) return error.code;
    this.#sieve = value ?? null;
    this.#unkept = null;
    this.offers = this.offers.slice(0, offers);
    this.#toldBefore = told;
    return "good";
  }

  /** Begins to open, and is stopped after this many events. */
  openPartly(events: number): void {
    this.opening(this.#kept.marks)(() => undefined);
    for (let event = 0; event < events; event++) this.machine.time.step();
    this.crash();
  }

  crash(): void {
    this.#clock.die();
    this.machine.crash();
    this.#sieve = null;
  }

  kill(): void {
    this.#clock.die();
    this.machine.kill();
    this.#sieve = null;
  }

  close(): void {
    this.machine.result((done) => this.sieve.close(done));
    this.#sieve = null;
  }

  tryOffer(offer: TestOffer): boolean {
    const bytes = Buffer.from(offer.text, "latin1");
    const { high, low, depth } = offer;
    const isTaken = this.sieve.tryOffer(high, low, depth, bytes, 0, bytes.length);
    if (isTaken) this.offers.push(offer);
    return isTaken;
  }

  /**
   * Asks for marks, unless they are being asked for; when they come, the owner keeps them, at once or
   * when it needs the next ones.
   */
  checkpoint(isKeptAtOnce: boolean): void {
    const { sieve } = this;
    if (this.#asked === sieve) return;
    this.#keep();
    this.#asked = sieve;
    const moment = this.#moment();
    sieve.checkpoint((error, marks) => {
      if (this.#sieve !== sieve) return;
      this.#asked = null;
      if (error !== null) return;
      this.#unkept = { marks, ...moment };
      if (isKeptAtOnce) this.#keep();
    });
  }

  keepNow(): void {
    this.#keep();
    while (this.#asked === this.sieve) assert.ok(this.machine.time.step(), "marks come");
    this.#keep();
    const moment = this.#moment();
    const marks = this.machine.result<string>((done) => this.sieve.checkpoint(done));
    this.#kept = { marks, ...moment };
    this.sieve.committed();
  }

  #moment(): Omit<Moment, "marks"> {
    return { offers: this.offers.length, told: this.told() };
  }

  #keep(): void {
    if (this.#unkept === null) return;
    this.#kept = this.#unkept;
    this.#unkept = null;
    this.sieve.committed();
  }

  /** Everything told since the beginning, except what was told and then forgotten. */
  told(): Told {
    return {
      fresh: [...this.#toldBefore.fresh, ...this.front.told.fresh],
      improved: [...this.#toldBefore.improved, ...this.front.told.improved],
    };
  }

  /** Has everything told, and compares it with the model. */
  finish(): void {
    this.front.feed(Number.POSITIVE_INFINITY);
    for (let tries = 0; this.sieve.pending > 0; tries++) {
      assert.ok(tries < 100, `${this.sieve.pending} offers stay pending`);
      this.sieve.flush();
      this.machine.time.settle();
    }
    assert.deepEqual(this.told(), toldOf(this.offers, this.withDepth));
    assert.equal(this.sieve.seen, this.told().fresh.length);
  }
}

export function drawOffer(random: Random, spread: number): TestOffer {
  const high = random.below(spread);
  const text = `${random.below(1000)}${"/".repeat(random.below(30))}`;
  return { high, low: random.below(2), depth: random.below(6), text };
}

/** Random offers, flushes, checkpoints and requests for batches, with a little time in between. */
export function workAWhile(rig: SieveRig, random: Random, steps: number): void {
  for (let step = 0; step < steps; step++) {
    const act = random.below(20);
    if (act < 14) rig.tryOffer(drawOffer(random, 40));
    else if (act === 14) rig.sieve.flush();
    else if (act === 15) rig.checkpoint(random.below(4) > 0);
    else if (act === 16) rig.front.appetite = random.below(3);
    else rig.front.feed(random.below(4));
    for (let events = random.below(10); events > 0; events--) rig.machine.time.step();
  }
}
