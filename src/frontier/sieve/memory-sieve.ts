/**
 * A sieve in memory: a table from fingerprints to depths and a list of offers not yet decided. For
 * crawls that are not kept, and the model with which the sieve on disk is compared. Like that one it
 * decides only when it is full or flushed, so that a forgotten flush is noticed.
 *
 * Invariant: `known` holds exactly what was given out, `waiting` every offer after those, in order.
 */
import assert from "node:assert/strict";
import { type Fingerprint, FingerprintTable, NO_VALUE } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Clock, Done } from "../../base/seams/index.ts";
import { bestDepth } from "./depth-pair.ts";
import { FreshColumns } from "./fresh-columns.ts";
import {
  DEPTH_MAX,
  RECORD_BYTES_MAX,
  type Sieve,
  type SieveListener,
  type SieveMarks,
} from "./sieve.ts";

export interface MemorySieveOptions {
  readonly clock: Clock;
  readonly listener: SieveListener;
  /** Whether depths are kept and improvements told. */
  readonly withDepth: boolean;
  /** What a checkpoint answered; null for an empty sieve. */
  readonly marks: SieveMarks | null;
  /** How many offers are gathered before they are decided; further ones are refused until then. */
  readonly offersMax?: number;
  /** For callers that offer nothing twice: nothing is remembered, and memory does not grow. */
  readonly forgets?: boolean;
}

const OFFERS_MAX = 1024;
/** About what an offer takes in addition to its record. */
const OFFER_BYTES = 250;
/** How many offers are decided, and at most given out, in one turn. */
const TURN_OFFERS = 256;

interface Offer extends Fingerprint {
  readonly depth: number;
  readonly record: Uint8Array;
}

export class MemorySieve implements Sieve {
  readonly #options: MemorySieveOptions;
  readonly #offersMax: number;
  readonly #known = new FingerprintTable(Uint16Array);
  readonly #fresh = new FreshColumns();
  #forgotten = 0;
  #waiting: Offer[] = [];
  /** How many of the waiting offers are to be decided now. */
  #due = 0;
  /** How many offers are being told. */
  #telling = 0;
  #isTurnAsked = false;
  /** A batch is with the listener, which has not yet asked for more. */
  #isGiven = false;
  #wasRefused = false;
  #isIdleTold = true;
  #isClosed = false;

  constructor(options: MemorySieveOptions) {
    this.#options = options;
    this.#offersMax = options.offersMax ?? OFFERS_MAX;
    if (options.marks !== null) this.#restore(options.marks);
  }

  get pending(): number {
    return this.#waiting.length + this.#telling;
  }

  get memoryBytes(): number {
    const waitingBytes = this.#waiting.reduce((sum, { record }) => sum + record.length, 0);
    return waitingBytes + OFFER_BYTES * this.#waiting.length + this.#known.memoryBytes;
  }

  get seen(): number {
    return this.#known.count + this.#forgotten;
  }

  tryOffer(
    high: number,
    low: number,
    depth: number,
    record: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    assert(to - from <= RECORD_BYTES_MAX, "a record that is offered is not too long");
    if (this.#waiting.length >= this.#offersMax) {
      this.#wasRefused = true;
      return false;
    }
    const kept = Math.min(depth, DEPTH_MAX);
    this.#waiting.push({
      high,
      low,
      depth: kept,
      record: new Uint8Array(record.subarray(from, to)),
    });
    this.#isIdleTold = false;
    if (this.#waiting.length === this.#offersMax) this.flush();
    return true;
  }

  flush(): void {
    this.#due = this.#waiting.length;
    this.#askTurn();
  }

  checkpoint(done: Done<SieveMarks>): void {
    assert(this.#telling === 0, "a checkpoint is not taken inside a call to the listener");
    const known: [number, number, number][] = [];
    this.#known.each((...entry) => known.push(entry));
    const marks: MemoryMarks = {
      known,
      forgotten: this.#forgotten,
      waiting: this.#waiting.map((offer) => ({
        ...offer,
        record: Buffer.from(offer.record).toString("base64"),
      })),
    };
    const text = JSON.stringify(marks);
    this.#options.clock.after(0, () => done(null, text));
  }

  committed(): void {}

  close(done: Acknowledge): void {
    assert(this.#telling === 0, "a sieve is not closed inside a call to its listener");
    this.#isClosed = true;
    this.#options.clock.after(0, () => done(null));
  }

  #restore(text: SieveMarks): void {
    const { known, forgotten, waiting } = JSON.parse(text) as MemoryMarks;
    this.#forgotten = forgotten;
    for (const entry of known) this.#known.set(...entry);
    this.#waiting = waiting.map((offer) => ({
      ...offer,
      record: new Uint8Array(Buffer.from(offer.record, "base64")),
    }));
    this.#isIdleTold = this.pending === 0;
  }

  #askTurn(): void {
    if (this.#isTurnAsked || this.#isGiven) return;
    this.#isTurnAsked = true;
    this.#options.clock.after(0, () => {
      this.#isTurnAsked = false;
      if (!this.#isClosed) this.#turn();
    });
  }

  #turn(): void {
    const { listener } = this.#options;
    const offers = this.#waiting.splice(0, Math.min(this.#due, TURN_OFFERS));
    this.#due -= offers.length;
    this.#telling = offers.length;
    this.#tell(offers);
    this.#telling = 0;
    if (this.#wasRefused) {
      this.#wasRefused = false;
      listener.room();
    }
    if (this.pending === 0 && !this.#isGiven && !this.#isIdleTold) {
      this.#isIdleTold = true;
      listener.idle();
    }
    if (this.#due > 0) this.#askTurn();
  }

  #tell(offers: readonly Offer[]): void {
    const { listener } = this.#options;
    this.#fresh.clear();
    const improved = offers.flatMap((offer) => {
      const depth = this.#decide(offer);
      return depth === null ? [] : [{ ...offer, depth }];
    });
    if (this.#fresh.count > 0) {
      this.#isGiven = true;
      listener.fresh(this.#fresh, () => {
        this.#isGiven = false;
        this.#askTurn();
      });
    }
    for (const { high, low, depth, record } of improved) {
      listener.improved(high, low, depth, record);
    }
  }

  /** The better depth when this is an improvement; what is fresh goes into the batch. */
  #decide(offer: Offer): number | null {
    const { high, low, depth, record } = offer;
    if (this.#options.forgets === true) {
      this.#forgotten += 1;
      this.#fresh.addCopy(offer, record);
      return null;
    }
    const before = this.#known.get(high, low);
    if (before === NO_VALUE) {
      this.#known.set(high, low, depth);
      this.#fresh.addCopy(offer, record);
      return null;
    }
    const best = bestDepth(depth, before);
    if (!this.#options.withDepth || best === before) return null;
    this.#known.set(high, low, best);
    return best;
  }
}

interface MemoryMarks {
  readonly known: readonly (readonly [high: number, low: number, depth: number])[];
  readonly forgotten: number;
  readonly waiting: readonly (Omit<Offer, "record"> & { readonly record: string })[];
}
