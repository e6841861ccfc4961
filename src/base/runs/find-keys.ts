/**
 * Looks up a sorted batch of keys in a run. Only blocks that may hold one of the keys are read, in
 * order and many at a time; so a large batch costs one pass over the run, and a small one a few
 * reads. Within a block the search goes from key to key by doubling steps, which is fast whether
 * the block holds many records for each key of the batch or few.
 */
import { type Acknowledge, type Done, withValue } from "../seams/index.ts";
import type { RunFile } from "./run-file.ts";
import type { Block } from "./run-layout.ts";

/** Keys that are looked for, ascending and all different, and what has been found of them. */
export interface WantedKeys {
  readonly count: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /** 1 for every key that a run had; others are left as they were. */
  readonly found: Uint8Array;
  /** The payload of each key that was found, from the run that was searched last. */
  readonly payloads: Uint8Array;
}

/** What is read at once: a megabyte of keys. */
const READ_RECORDS_MAX = 131_072;
/** Blocks between two that are wanted are read along with them when they are this few. */
const GAP_BLOCKS_MAX = 2;

export function findKeys(run: RunFile, wanted: WantedKeys, done: Acknowledge): void {
  new Search(run, wanted).start(done);
}

/** Looks up one key: its payload, or null when the run does not have it. */
export function findKey(
  run: RunFile,
  key: { readonly high: number; readonly low: number },
  done: Done<Uint8Array | null>,
): void {
  const wanted: WantedKeys = {
    count: 1,
    highs: Uint32Array.of(key.high),
    lows: Uint32Array.of(key.low),
    found: new Uint8Array(1),
    payloads: new Uint8Array(run.shape.payloadBytes),
  };
  findKeys(run, wanted, (error) => {
    if (error !== null) done(error, undefined);
    else done(null, wanted.found[0] === 1 ? wanted.payloads : null);
  });
}

class Search {
  readonly #run: RunFile;
  readonly #wanted: WantedKeys;
  readonly #readBlocksMax: number;

  constructor(run: RunFile, wanted: WantedKeys) {
    this.#run = run;
    this.#wanted = wanted;
    this.#readBlocksMax = Math.ceil(READ_RECORDS_MAX / run.shape.blockRecords);
  }

  start(done: Acknowledge): void {
    // Keys below the first block are in none.
    const first = this.#run.blocks === 0 ? this.#wanted.count : this.#keysBefore(0, 0);
    if (first < this.#wanted.count) this.#next(first, 0, done);
    else this.#run.readNothing(done);
  }

  /** Goes on with the keys from `at`, none of which is in a block before `block`. */
  #next(at: number, block: number, done: Acknowledge): void {
    const { highs, lows, count } = this.#wanted;
    let key = at;
    if (key >= count) {
      done(null);
      return;
    }
    const from = this.#run.blockAbove(highs[key] as number, lows[key] as number, block) - 1;
    const to = this.#extent(key, from);
    const take = (blocks: readonly Block[]): void => {
      for (const [offset, each] of blocks.entries()) {
        const end = this.#keysBefore(from + offset + 1, key);
        this.#match(each, key, end);
        key = end;
      }
      this.#next(key, to, done);
    };
    this.#run.readBlocks(from, to, withValue(done, take));
  }

  /** The end of the blocks to read at once, beginning with `from`, where key `at` may be. */
  #extent(at: number, from: number): number {
    const { highs, lows, count } = this.#wanted;
    let last = from;
    let key = at;
    for (;;) {
      key = this.#keysBefore(last + 1, key);
      if (key >= count) return last + 1;
      const next = this.#run.blockAbove(highs[key] as number, lows[key] as number, last + 1) - 1;
      if (next - last > GAP_BLOCKS_MAX + 1 || next - from >= this.#readBlocksMax) return last + 1;
      last = next;
    }
  }

  /** The first key from `at` on that does not come before the block; the count when none. */
  #keysBefore(block: number, at: number): number {
    const { highs, lows, count } = this.#wanted;
    if (block >= this.#run.blocks) return count;
    return lowerBound(
      { highs, lows, count },
      this.#run.firstHigh(block),
      this.#run.firstLow(block),
      at,
    );
  }

  /** Finds the keys [from, to) in the block where they must be. */
  #match(block: Block, from: number, to: number): void {
    const { highs, lows, found, payloads } = this.#wanted;
    const { payloadBytes } = this.#run.shape;
    let at = 0;
    for (let key = from; key < to; key++) {
      const high = highs[key] as number;
      const low = lows[key] as number;
      at = lowerBound(block, high, low, at);
      if (at === block.count) return;
      if (block.highs[at] !== high || block.lows[at] !== low) continue;
      found[key] = 1;
      for (let byte = 0; byte < payloadBytes; byte++) {
        payloads[key * payloadBytes + byte] = block.payloads[at * payloadBytes + byte] as number;
      }
    }
  }
}

interface SortedKeys {
  readonly count: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
}

/** The first place from `from` on whose key is not below; steps double from there. */
function lowerBound(keys: SortedKeys, high: number, low: number, from: number): number {
  const { highs, lows, count } = keys;
  let least = from;
  let most = from;
  let step = 1;
  while (most < count && isBelow(highs[most] as number, lows[most] as number, high, low)) {
    least = most + 1;
    most += step;
    step *= 2;
  }
  if (most > count) most = count;
  while (least < most) {
    const middle = (least + most) >>> 1;
    if (isBelow(highs[middle] as number, lows[middle] as number, high, low)) least = middle + 1;
    else most = middle;
  }
  return least;
}

function isBelow(high: number, low: number, thanHigh: number, thanLow: number): boolean {
  return high < thanHigh || (high === thanHigh && low < thanLow);
}
