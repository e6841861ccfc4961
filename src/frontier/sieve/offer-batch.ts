/**
 * Offers that are decided together: their keys in columns, and where their text lies in the log.
 *
 * Invariant: a batch is a stretch of the log, [from, to), of whole frames, and the offer with index
 * i is the i-th of that stretch, but for frames that turned out to be damaged when the batch was
 * read from the log: these have no index.
 */
import assert from "node:assert/strict";
import type { Position } from "../../base/log/index.ts";

/** Memory for the keys of one batch; it goes to the background with them, and comes back. */
export interface BatchColumns {
  readonly highs: Uint32Array<ArrayBuffer>;
  readonly lows: Uint32Array<ArrayBuffer>;
  /** Empty in a sieve without depths. */
  readonly depths: Uint16Array<ArrayBuffer>;
}

export function makeColumns(capacity: number, withDepth: boolean): BatchColumns {
  return {
    highs: new Uint32Array(capacity),
    lows: new Uint32Array(capacity),
    depths: new Uint16Array(withDepth ? capacity : 0),
  };
}

/** 0 for columns that are with the background. */
export function columnBytes({ highs, lows, depths }: BatchColumns): number {
  return highs.byteLength + lows.byteLength + depths.byteLength;
}

export class OfferBatch {
  readonly from: Position;
  #to: Position;
  #columns: BatchColumns;
  #count = 0;
  /** Where each frame begins, and the index of its first offer. */
  readonly #positions: Position[] = [];
  readonly #firsts: number[] = [];
  /** How many offers have been reported to the listener. */
  heard = 0;

  constructor(from: Position, columns: BatchColumns) {
    this.from = from;
    this.#to = from;
    this.#columns = columns;
  }

  get to(): Position {
    return this.#to;
  }

  get count(): number {
    return this.#count;
  }

  /** How many offers have not been reported to the listener. */
  get unheard(): number {
    return this.#count - this.heard;
  }

  get columns(): BatchColumns {
    return this.#columns;
  }

  get memoryBytes(): number {
    return columnBytes(this.#columns) + 16 * this.#positions.length;
  }

  get room(): number {
    return this.#columns.highs.length - this.#count;
  }

  /**
   * Moves the keys into memory of their size when they fill less than half of what they have; returns
   * the memory that is free now, or null.
   */
  shrink(): BatchColumns | null {
    const columns = this.#columns;
    const { highs, lows, depths } = columns;
    if (2 * this.#count > highs.length) return null;
    this.#columns = {
      highs: highs.slice(0, this.#count),
      lows: lows.slice(0, this.#count),
      depths: depths.slice(0, this.#count),
    };
    return columns;
  }

  /** Adds a key to the frame that `endFrame` will end. */
  add(high: number, low: number, depth: number): void {
    const at = this.#count;
    const { highs, lows, depths } = this.#columns;
    highs[at] = high;
    lows[at] = low;
    // Without depths the column is empty, and this write has no effect.
    depths[at] = depth;
    this.#count = at + 1;
  }

  /** The offers since the last frame are the frame at `position`, which ends at `end`. */
  endFrame(position: Position, end: Position, offers: number): void {
    this.#positions.push(position);
    this.#firsts.push(this.#count - offers);
    this.#to = end;
  }

  /** The text up to `end` holds nothing that could be read. */
  skipTo(end: Position): void {
    this.#to = Math.max(this.#to, end);
  }

  /** Makes an empty batch large enough for one frame, in case the sieve now has less memory. */
  reserve(offers: number): void {
    if (this.room >= offers) return;
    assert(this.#count === 0, "only an empty batch grows");
    this.#columns = makeColumns(offers, this.#columns.depths.length > 0);
  }

  /** The index of the first offer of the frame at `position`; -1 when the batch does not have it. */
  firstOf(position: Position): number {
    let least = 0;
    let most = this.#positions.length;
    while (least < most) {
      const middle = (least + most) >>> 1;
      if ((this.#positions[middle] as number) < position) least = middle + 1;
      else most = middle;
    }
    return this.#positions[least] === position ? (this.#firsts[least] as number) : -1;
  }
}
