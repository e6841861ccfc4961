/** A batch of new URLs while it is gathered: columns that grow, filled anew for every batch. */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { FreshBatch } from "./sieve.ts";

const FIRST_COUNT = 64;
const FIRST_BYTES = 4096;

interface Key extends Fingerprint {
  readonly depth: number;
}

export class FreshColumns implements FreshBatch {
  count = 0;
  highs: Uint32Array = new Uint32Array(FIRST_COUNT);
  lows: Uint32Array = new Uint32Array(FIRST_COUNT);
  depths: Uint16Array = new Uint16Array(FIRST_COUNT);
  starts: Uint32Array = new Uint32Array(FIRST_COUNT);
  ends: Uint32Array = new Uint32Array(FIRST_COUNT);
  bytes: Uint8Array = new Uint8Array(0);
  #own: Uint8Array = this.bytes;
  #usedBytes = 0;

  clear(): void {
    this.count = 0;
    this.#usedBytes = 0;
  }

  /** Adds a URL with a copy of its record. */
  addCopy(key: Key, record: Uint8Array): void {
    const end = this.#usedBytes + record.length;
    if (end > this.#own.length) {
      const more = new Uint8Array(Math.max(FIRST_BYTES, 2 * end));
      more.set(this.#own.subarray(0, this.#usedBytes));
      this.#own = more;
    }
    this.bytes = this.#own;
    this.bytes.set(record, this.#usedBytes);
    this.add(key, this.#usedBytes, end);
    this.#usedBytes = end;
  }

  /** Adds a URL whose record is [start, end) of `bytes`. */
  add({ high, low, depth }: Key, start: number, end: number): void {
    if (this.count === this.highs.length) this.#grow();
    const at = this.count++;
    this.highs[at] = high;
    this.lows[at] = low;
    this.depths[at] = depth;
    this.starts[at] = start;
    this.ends[at] = end;
  }

  #grow(): void {
    const count = 2 * this.count;
    this.highs = grown(new Uint32Array(count), this.highs);
    this.lows = grown(new Uint32Array(count), this.lows);
    this.depths = grown(new Uint16Array(count), this.depths);
    this.starts = grown(new Uint32Array(count), this.starts);
    this.ends = grown(new Uint32Array(count), this.ends);
  }
}

function grown<Column extends Uint32Array | Uint16Array>(column: Column, old: Column): Column {
  column.set(old);
  return column;
}
