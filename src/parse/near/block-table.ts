/**
 * Numbers of 16 bits in 65,536 buckets, sorted within each: one half of every hash of a run, of which
 * one block chooses the bucket and the other is stored in it, in two bytes.
 *
 * Short buckets are scanned, which is fast because they are contiguous; long ones are searched, so
 * the work is bounded whatever they contain.
 */
export const BUCKETS = 65_536;

const SCANNED_MAX = 2048;

/**
 * How many equal numbers of one bucket are looked at. By chance hardly two entries in ten million
 * share a half; a site with hundreds of such pages can only hide near duplicates among them.
 */
export const EQUAL_MAX = 256;

/** Takes positions in [from, to). */
export interface HitTaker {
  hit(from: number, to: number): void;
}

export interface BlockColumns {
  /** Where each bucket begins, and where the last one ends. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly values: Uint16Array<ArrayBuffer>;
}

export class BlockTable implements BlockColumns {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly values: Uint16Array<ArrayBuffer>;

  constructor({ starts, values }: BlockColumns) {
    this.starts = starts;
    this.values = values;
  }

  get memoryBytes(): number {
    return this.starts.byteLength + this.values.byteLength;
  }

  /** Finds a value in a bucket. */
  find(bucket: number, value: number, taker: HitTaker): void {
    const { values } = this;
    const end = this.starts[bucket + 1] as number;
    let from = this.starts[bucket] as number;
    let to = end;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((values[middle] as number) < value) from = middle + 1;
      else to = middle;
    }
    if (from === end || values[from] !== value) return;
    const limit = Math.min(end, from + EQUAL_MAX);
    while (to < limit && values[to] === value) to++;
    taker.hit(from, to);
  }

  /** Finds a value and those that differ from it in one bit. */
  findNear(bucket: number, value: number, taker: HitTaker): void {
    const { values } = this;
    const from = this.starts[bucket] as number;
    const to = this.starts[bucket + 1] as number;
    if (to - from > SCANNED_MAX) {
      this.find(bucket, value, taker);
      for (let bit = 0; bit < 16; bit++) this.find(bucket, value ^ (1 << bit), taker);
      return;
    }
    for (let at = from; at < to; at++) {
      const difference = (values[at] as number) ^ value;
      if ((difference & (difference - 1)) === 0) taker.hit(at, at + 1);
    }
  }
}
