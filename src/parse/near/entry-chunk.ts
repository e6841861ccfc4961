/** Entries on their way into a run: some at a time, in the order of one half. */
import type { Done } from "../../base/seams/index.ts";
import { bitwiseOrder } from "./radix-order.ts";
import type { Half } from "./run-layout.ts";

export interface EntryChunk {
  readonly count: number;
  /** The half by which they are sorted. */
  readonly halves: Uint32Array;
  readonly others: Uint32Array;
  readonly ids: Float64Array;
}

/** Gives all entries of a run, sorted by half and then by the other half, in chunks. */
export interface EntrySource {
  /** How many there are at most. */
  readonly countMax: number;
  /** The next chunk; null at the end. It may be filled anew by the next call. */
  next(done: Done<EntryChunk | null>): void;
}

export function makeChunk(capacity: number): EntryChunk {
  return {
    count: capacity,
    halves: new Uint32Array(capacity),
    others: new Uint32Array(capacity),
    ids: new Float64Array(capacity),
  };
}

/** Entries in no order, as a batch has them. */
export interface LooseEntries {
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  readonly ids: Float64Array;
}

export function sortedChunk({ highs, lows, ids }: LooseEntries, half: Half): EntryChunk {
  const [halves, others] = half === "high" ? [highs, lows] : [lows, highs];
  const order = bitwiseOrder(halves, others);
  const chunk = makeChunk(order.length);
  for (let at = 0; at < order.length; at++) {
    const entry = order[at] as number;
    chunk.halves[at] = halves[entry] as number;
    chunk.others[at] = others[entry] as number;
    chunk.ids[at] = ids[entry] as number;
  }
  return chunk;
}
