/**
 * What memory holds of a run: the same half of each of its hashes, sorted, in two bytes each. The
 * upper 16 bits of a half choose a bucket, the lower 16 are kept in it in order.
 *
 * Two hashes that differ in at most three bits have a half in which they differ in at most one. So
 * a hash is looked for by each of its halves as it is and with each bit turned over: 33 searches,
 * 17 of them in one bucket. Every search is binary, so the work is bounded whatever is in the run.
 */
export const BUCKETS = 65_536;

/** Short buckets are read from end to end, which is quicker than seventeen searches. */
const SCANNED_MAX = 256;

/**
 * No more entries with one and the same half are looked at. By chance two entries in ten million
 * share a half; whoever brings hundreds of pages to do so may hide near duplicates among them.
 */
export const EQUAL_HALVES_MAX = 256;

/** Takes the positions of entries whose half is near: from `from` up to, not including, `to`. */
export interface HitTaker {
  hit(from: number, to: number): void;
}

export class HalfTable {
  /** Where each bucket begins among the rests, and at last where the last one ends. */
  readonly starts: Uint32Array;
  /** The lower 16 bits of every half, in order within each bucket. */
  readonly rests: Uint16Array;

  /** `starts` and `rests` as they lie in a file. */
  constructor(starts: ArrayBuffer, rests: ArrayBuffer) {
    this.starts = new Uint32Array(starts);
    this.rests = new Uint16Array(rests);
  }

  /** Finds entries whose half is `half`, and with `turnsBits` those that differ in one bit too. */
  search(half: number, turnsBits: boolean, taker: HitTaker): void {
    const bucket = half >>> 16;
    const rest = half & 0xffff;
    if (!turnsBits) {
      this.#searchRest(bucket, rest, taker);
      return;
    }
    this.#searchBucket(bucket, rest, taker);
    for (let bit = 0; bit < 16; bit++) this.#searchRest(bucket ^ (1 << bit), rest, taker);
  }

  /** Rests that differ from `rest` in at most one bit. */
  #searchBucket(bucket: number, rest: number, taker: HitTaker): void {
    const from = this.starts[bucket] as number;
    const to = this.starts[bucket + 1] as number;
    if (to - from > SCANNED_MAX) {
      this.#searchRest(bucket, rest, taker);
      for (let bit = 0; bit < 16; bit++) this.#searchRest(bucket, rest ^ (1 << bit), taker);
      return;
    }
    for (let at = from; at < to; at++) {
      const difference = (this.rests[at] as number) ^ rest;
      if ((difference & (difference - 1)) === 0) taker.hit(at, at + 1);
    }
  }

  #searchRest(bucket: number, rest: number, taker: HitTaker): void {
    const { rests } = this;
    const end = this.starts[bucket + 1] as number;
    let from = this.starts[bucket] as number;
    let to = end;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((rests[middle] as number) < rest) from = middle + 1;
      else to = middle;
    }
    if (from === end || rests[from] !== rest) return;
    const limit = Math.min(end, from + EQUAL_HALVES_MAX);
    while (to < limit && rests[to] === rest) to++;
    taker.hit(from, to);
  }
}
