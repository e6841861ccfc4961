/**
 * What memory holds of a run: the half of each hash by which the run is sorted, twice, in four bytes;
 * eight for the runs of both halves together. Two hashes that differ in at most three bits have a
 * half in which they differ in at most one, and one of the two blocks of that half is the same in
 * both. So a half is searched for in the bucket of its upper block, where the lower one may differ in
 * a bit, and in the bucket of its lower block, where the upper one may.
 */
import { type BlockColumns, BlockTable, BUCKETS, type HitTaker } from "./block-table.ts";

/** By which half of the hash a run is sorted. */
export type Half = "high" | "low";

export class HalfTable implements HitTaker {
  /** Buckets by the upper block, in the order of the run's entries. */
  readonly #straight: BlockTable;
  /** Buckets by the lower block. */
  readonly #turned: BlockTable;
  #upper = 0;
  #lower = 0;
  #last = -1;
  #taker: HitTaker | null = null;

  constructor({ straight, turned }: HalfColumns) {
    this.#straight = new BlockTable(straight);
    this.#turned = new BlockTable(turned);
  }

  get memoryBytes(): number {
    return this.#straight.memoryBytes + this.#turned.memoryBytes;
  }

  /** Finds entries with this half, and with `turnsBits` also those that differ in one bit. */
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

  /** For the turned table: finds the entries of an upper block that differs in one bit. */
  hit(from: number): void {
    const upper = this.#turned.values[from] as number;
    if (upper === this.#upper || upper === this.#last) return;
    this.#last = upper;
    this.#straight.find(upper, this.#lower, this.#taker as HitTaker);
  }
}

/** A table as plain values, which can be passed between threads. */
export interface HalfColumns {
  readonly straight: BlockColumns;
  readonly turned: BlockColumns;
}

/** The columns for these sorted halves. */
export function halfColumns(halves: Uint32Array): HalfColumns {
  const straight = makeColumns(halves.length);
  const turned = makeColumns(halves.length);
  fillStraight(straight, halves);
  fillTurned(turned, halves);
  return { straight, turned };
}

function makeColumns(count: number): BlockColumns {
  return { starts: new Uint32Array(BUCKETS + 1), values: new Uint16Array(count) };
}

function fillStraight({ starts, values }: BlockColumns, halves: Uint32Array): void {
  let bucket = -1;
  for (let at = 0; at < halves.length; at++) {
    const half = halves[at] as number;
    while (bucket < half >>> 16) starts[++bucket] = at;
    values[at] = half & 0xffff;
  }
  while (bucket < BUCKETS) starts[++bucket] = halves.length;
}

/**
 * A counting sort; since the halves are sorted, so are the upper blocks in each bucket. Loops by index
 * take 8 ns an entry, those over the array's iterator 21.
 */
function fillTurned({ starts, values }: BlockColumns, halves: Uint32Array): void {
  const count = halves.length;
  for (let at = 0; at < count; at++) {
    const next = ((halves[at] as number) & 0xffff) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
  }
  const places = starts.slice();
  for (let at = 0; at < count; at++) {
    const half = halves[at] as number;
    const bucket = half & 0xffff;
    const place = places[bucket] as number;
    values[place] = half >>> 16;
    places[bucket] = place + 1;
  }
}
