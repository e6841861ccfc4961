/**
 * What memory holds of a run: the same half of each of its hashes, twice, in eight bytes for both
 * halves together. Two hashes that differ in at most three bits have a half in which they differ in
 * at most one, and of the two blocks of that half one is the same in both. So a half is looked for
 * in the bucket of its upper block, where the lower one may differ in a bit, and in the bucket of
 * its lower block, where the upper one may.
 */
import { type BlockTable, BUCKETS, type HitTaker } from "./block-table.ts";

export class HalfTable implements HitTaker {
  /** Buckets by the upper block: in the order of the run's entries. */
  readonly #straight: BlockTable;
  /** Buckets by the lower block. */
  readonly #turned: BlockTable;
  #upper = 0;
  #lower = 0;
  #last = -1;
  #taker: HitTaker | null = null;

  constructor(straight: BlockTable, turned: BlockTable) {
    this.#straight = straight;
    this.#turned = turned;
  }

  get memoryBytes(): number {
    return this.#straight.memoryBytes + this.#turned.memoryBytes;
  }

  /** Writes the tables for these halves, which are sorted. */
  fill(halves: Uint32Array): void {
    fillStraight(this.#straight, halves);
    fillTurned(this.#turned, halves);
  }

  /** Finds entries whose half is `half`, and with `turnsBits` those that differ in one bit too. */
  search(half: number, turnsBits: boolean, taker: HitTaker): void {
    this.#upper = half >>> 16;
    this.#lower = half & 0xffff;
    if (!turnsBits) {
      this.#straight.find(this.#upper, this.#lower, taker);
      return;
    }
    this.#straight.findNear(this.#upper, this.#lower, taker);
    this.#taker = taker;
    this.#last = this.#upper;
    this.#turned.findNear(this.#lower, this.#upper, this);
  }

  /** For the turned table: an upper block that differs in one bit; says where its entries are. */
  hit(from: number): void {
    const upper = this.#turned.values[from] as number;
    if (upper === this.#upper || upper === this.#last) return;
    this.#last = upper;
    this.#straight.find(upper, this.#lower, this.#taker as HitTaker);
  }

  /** The half of the entry at a position. */
  halfAt(position: number): number {
    return this.#bucketOf(position) * BUCKETS + (this.#straight.values[position] as number);
  }

  /** The halves of the entries from a position on, as many as there is room for. */
  readHalves(from: number, halves: Uint32Array): void {
    const { starts, values } = this.#straight;
    let bucket = this.#bucketOf(from);
    for (let at = 0; at < halves.length; at++) {
      while ((starts[bucket + 1] as number) <= from + at) bucket++;
      halves[at] = bucket * BUCKETS + (values[from + at] as number);
    }
  }

  #bucketOf(position: number): number {
    const { starts } = this.#straight;
    let from = 0;
    let to = BUCKETS;
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if ((starts[middle] as number) <= position) from = middle;
      else to = middle;
    }
    return from;
  }
}

function fillStraight({ starts, values }: BlockTable, halves: Uint32Array): void {
  let bucket = -1;
  for (let at = 0; at < halves.length; at++) {
    const half = halves[at] as number;
    while (bucket < half >>> 16) starts[++bucket] = at;
    values[at] = half & 0xffff;
  }
  while (bucket < BUCKETS) starts[++bucket] = halves.length;
}

/** Sorts by counting; since the halves come in order, so do the upper blocks in each bucket. */
function fillTurned({ starts, values }: BlockTable, halves: Uint32Array): void {
  starts.fill(0);
  for (const half of halves) {
    const next = (half & 0xffff) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
  }
  const places = starts.slice();
  for (const half of halves) {
    const bucket = half & 0xffff;
    const place = places[bucket] as number;
    values[place] = half >>> 16;
    places[bucket] = place + 1;
  }
}
