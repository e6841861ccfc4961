/**
 * A sieve on disk that begins small: until it is outgrown, a `SmallSieve` decides in memory; then its
 * keys become the first run, and a `DiskSieve` goes on with the same log from where the small one has
 * told. Marks of both have one form, so a sieve may be opened as either.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { batchOf, type RunMark, writeBatch } from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { DEPTH_BYTES } from "./decide-batch.ts";
import { DiskSieve, type DiskSieveParts } from "./disk-sieve.ts";
import type { Sieve, SieveMarks } from "./sieve.ts";
import type { SieveState } from "./sieve-state.ts";
import { SmallSieve } from "./small-sieve.ts";

export interface GrowingSieveParts extends DiskSieveParts {
  readonly clock: Clock;
  /** With more keys it is no longer small. */
  readonly smallKeysMax: number;
}

export class GrowingSieve implements Sieve {
  readonly #parts: GrowingSieveParts;
  readonly #state: SieveState;
  /** Null when it was outgrown. */
  #small: SmallSieve | null;
  #sieve: Sieve;
  /** It is outgrown, and the large one is being made, or could not be made yet. */
  #isOutgrown = false;
  #isGrowing = false;
  #closed: Acknowledge | null = null;

  constructor(parts: GrowingSieveParts, state: SieveState) {
    this.#parts = parts;
    this.#state = state;
    const outgrown = (): void => {
      this.#isOutgrown = true;
      this.#grow();
    };
    const small = new SmallSieve({ ...parts, keysMax: parts.smallKeysMax, outgrown }, state);
    this.#small = small;
    this.#sieve = small;
  }

  /** For opening: begins to work; the listener is not called before. */
  start(): void {
    this.#small?.start();
  }

  get pending(): number {
    return this.#sieve.pending;
  }

  get seen(): number {
    return this.#sieve.seen;
  }

  get memoryBytes(): number {
    return this.#sieve.memoryBytes;
  }

  tryOffer(
    high: number,
    low: number,
    depth: number,
    record: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    return this.#sieve.tryOffer(high, low, depth, record, from, to);
  }

  flush(): void {
    this.#sieve.flush();
    this.#grow();
  }

  checkpoint(done: Done<SieveMarks>): void {
    this.#sieve.checkpoint(done);
    this.#grow();
  }

  committed(): void {
    this.#sieve.committed();
  }

  close(done: Acknowledge): void {
    if (this.#isGrowing) this.#closed = done;
    else this.#sieve.close(done);
  }

  /** Puts a large sieve in the place of the small one; what failed is tried again when it is called. */
  #grow(): void {
    const small = this.#small;
    if (small === null || !this.#isOutgrown || this.#isGrowing) return;
    this.#isGrowing = true;
    const failed = (error: CrawlError): void => {
      if (this.#ended(small)) return;
      this.#parts.listener.failed(error);
    };
    const write = (): void => this.#writeKeys(small, withValue(failed, become));
    const become = (run: RunMark | null): void => {
      if (!this.#ended(small)) this.#become(small, run);
    };
    // The large sieve reads offers that were not told from the log.
    this.#parts.log.commit(whenDone(failed, write));
  }

  /** Whether the sieve was closed meanwhile, which has waited for this. */
  #ended(small: SmallSieve): boolean {
    this.#isGrowing = false;
    if (this.#closed !== null) small.close(this.#closed);
    return this.#closed !== null;
  }

  #writeKeys({ keys }: SmallSieve, done: Done<RunMark | null>): void {
    const { background, storage, stack, withDepth } = this.#parts;
    if (keys.known.count === 0) {
      done(null, null);
      return;
    }
    const batch = batchOf(keys.known, stack.newName(), withDepth ? DEPTH_BYTES : 0);
    const { name } = batch;
    background.run(writeBatch, batch, (error, run) => {
      if (error === null) done(null, run);
      else storage.remove(name, () => done(error, undefined));
    });
  }

  #become(small: SmallSieve, run: RunMark | null): void {
    const { listener, log, stack, clock } = this.#parts;
    const { givenTo: given, seen, pending } = small.keys;
    small.stop();
    if (run !== null) stack.push(run);
    const state = { ...this.#state, from: given, given, to: log.end, seen, pending };
    const large = new DiskSieve(this.#parts, state, true);
    this.#small = null;
    this.#sieve = large;
    large.start();
    if (small.wasRefused) {
      clock.after(0, () => {
        if (this.#closed === null) listener.room();
      });
    }
  }
}
