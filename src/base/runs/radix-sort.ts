/**
 * Sorts 64-bit keys, given as two columns of 32 bits, together with the index of each: by the
 * highest digit into buckets, then each bucket by the next digit, and so on; what is small enough
 * is sorted by insertion. Stable: equal keys stay in the order of their indexes.
 *
 * Fingerprints are evenly distributed, so two rounds bring almost every key to its place and the
 * second one works in buckets that fit the cache: 4 million keys take 33 ns each, where starting
 * from the lowest digit takes 65 (eight rounds of eight bits) or 85 (four of sixteen, whose writes
 * miss the cache). Unevenly distributed keys cost more rounds, six at most.
 */
import assert from "node:assert/strict";

/** Keys with their indexes: three columns of one length. */
export interface KeyColumns {
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  readonly indexes: Uint32Array;
}

interface Digit {
  readonly isHigh: boolean;
  readonly shift: number;
  readonly mask: number;
}

const DIGITS: readonly Digit[] = [true, false].flatMap((isHigh) => [
  { isHigh, shift: 21, mask: 0x7ff },
  { isHigh, shift: 10, mask: 0x7ff },
  { isHigh, shift: 0, mask: 0x3ff },
]);
const BUCKETS = 2048;
/** Up to here insertion is faster than another round. */
const SMALL = 32;

/**
 * Sorts the first `count` keys of `columns` in place; `indexes` are renumbered from 0. `scratch` is
 * as long and is overwritten.
 */
export function sortKeys(columns: KeyColumns, scratch: KeyColumns, count: number): void {
  const { indexes } = columns;
  assert(count <= indexes.length && count <= scratch.indexes.length, "there is room to sort");
  for (let at = 0; at < count; at++) indexes[at] = at;
  new Sorting(columns, scratch).sort(0, count, 0);
}

class Sorting {
  readonly #target: KeyColumns;
  readonly #scratch: KeyColumns;
  /** One for each digit that was needed: few keys need none. */
  readonly #tables: Uint32Array[] = [];

  constructor(target: KeyColumns, scratch: KeyColumns) {
    this.#target = target;
    this.#scratch = scratch;
  }

  /** Sorts [from, to), all of whose keys agree in the digits before `level`. */
  sort(from: number, to: number, level: number): void {
    const isInTarget = level % 2 === 0;
    const [source, goal] = isInTarget
      ? [this.#target, this.#scratch]
      : [this.#scratch, this.#target];
    const digit = DIGITS[level];
    if (to - from <= SMALL || digit === undefined) {
      if (digit !== undefined) insert(source, from, to);
      if (!isInTarget) copy(source, goal, from, to);
      return;
    }
    const ends = this.#tables[level] ?? new Uint32Array(BUCKETS + 1);
    this.#tables[level] = ends;
    const isFine = distribute({ source, goal, from, to, digit, ends });
    if (isFine) {
      insert(goal, from, to);
      if (isInTarget) copy(goal, source, from, to);
    } else this.#sortBuckets(from, level, ends);
  }

  #sortBuckets(from: number, level: number, ends: Uint32Array): void {
    let start = from;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const end = ends[bucket] as number;
      if (end > start) this.sort(start, end, level + 1);
      start = end;
    }
  }
}

interface Round {
  readonly source: KeyColumns;
  readonly goal: KeyColumns;
  readonly from: number;
  readonly to: number;
  readonly digit: Digit;
  /** Where each bucket ends, afterwards. */
  readonly ends: Uint32Array;
}

/** Moves keys into buckets by one digit; true when no bucket is too large for insertion. */
function distribute({ source, goal, from, to, digit, ends }: Round): boolean {
  const { highs, lows, indexes } = source;
  const { highs: goalHighs, lows: goalLows, indexes: goalIndexes } = goal;
  const keys = digit.isHigh ? highs : lows;
  const { shift, mask } = digit;
  ends.fill(0);
  for (let at = from; at < to; at++) {
    const bucket = ((keys[at] as number) >>> shift) & mask;
    ends[bucket] = (ends[bucket] as number) + 1;
  }
  const largest = startsFromCounts(ends, from);
  for (let at = from; at < to; at++) {
    const bucket = ((keys[at] as number) >>> shift) & mask;
    const place = ends[bucket] as number;
    ends[bucket] = place + 1;
    goalHighs[place] = highs[at] as number;
    goalLows[place] = lows[at] as number;
    goalIndexes[place] = indexes[at] as number;
  }
  return largest <= SMALL;
}

/** Replaces counts by the places where buckets begin; returns the largest count. */
function startsFromCounts(counts: Uint32Array, from: number): number {
  let start = from;
  let largest = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = counts[bucket] as number;
    counts[bucket] = start;
    start += count;
    if (count > largest) largest = count;
  }
  return largest;
}

function insert({ highs, lows, indexes }: KeyColumns, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    const high = highs[at] as number;
    const low = lows[at] as number;
    const index = indexes[at] as number;
    let place = at;
    while (place > from) {
      const before = place - 1;
      const beforeHigh = highs[before] as number;
      if (beforeHigh < high || (beforeHigh === high && (lows[before] as number) <= low)) break;
      highs[place] = beforeHigh;
      lows[place] = lows[before] as number;
      indexes[place] = indexes[before] as number;
      place = before;
    }
    highs[place] = high;
    lows[place] = low;
    indexes[place] = index;
  }
}

function copy(source: KeyColumns, goal: KeyColumns, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    goal.highs[at] = source.highs[at] as number;
    goal.lows[at] = source.lows[at] as number;
    goal.indexes[at] = source.indexes[at] as number;
  }
}
