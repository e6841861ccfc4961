/**
 * Merges tables of several runs into one, in the order of their half, a chunk at a time. Of equal
 * hashes the entry of the first run stays, which is the oldest, so the same stay in both orders.
 */
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import { whenDone } from "../../base/seams/index.ts";
import { type EntryChunk, type EntrySource, makeChunk } from "./entry-chunk.ts";
import type { RunCursor } from "./run-cursor.ts";

const CHUNK_ENTRIES = 16_384;

export class MergeSource implements EntrySource {
  readonly countMax: number;
  readonly #cursors: readonly RunCursor[];
  readonly #chunk = makeChunk(CHUNK_ENTRIES);
  #count = 0;
  #isFirst = true;
  #lastHalf = 0;
  #lastOther = 0;

  /** `cursors` are in the order of age, the oldest first. */
  constructor(cursors: readonly RunCursor[], countMax: number) {
    this.#cursors = cursors;
    this.countMax = countMax;
  }

  next(done: Done<EntryChunk | null>): void {
    this.#count = 0;
    this.#merge(
      whenDone(done, () => {
        done(null, this.#count === 0 ? null : { ...this.#chunk, count: this.#count });
      }),
    );
  }

  /** Fills the chunk as far as entries are at hand; then reads on where they ran out. */
  #merge(done: Acknowledge): void {
    for (;;) {
      const empty = this.#cursors.find((cursor) => !cursor.hasEntry && !cursor.isAtEnd);
      if (empty !== undefined) {
        empty.fill(whenDone(done, () => this.#merge(done)));
        return;
      }
      if (this.#takeUntilEmpty()) {
        done(null);
        return;
      }
    }
  }

  /** True when the chunk is full or all is merged, false when a cursor must be filled. */
  #takeUntilEmpty(): boolean {
    while (this.#count < CHUNK_ENTRIES) {
      const least = this.#least();
      if (least === null) return true;
      this.#take(least);
      least.advance();
      if (!least.hasEntry && !least.isAtEnd) return false;
    }
    return true;
  }

  #least(): RunCursor | null {
    let least: RunCursor | null = null;
    for (const cursor of this.#cursors) {
      if (!cursor.hasEntry) continue;
      if (least === null || isBefore(cursor, least)) least = cursor;
    }
    return least;
  }

  #take(cursor: RunCursor): void {
    const { half, other } = cursor;
    if (!this.#isFirst && half === this.#lastHalf && other === this.#lastOther) return;
    this.#isFirst = false;
    this.#lastHalf = half;
    this.#lastOther = other;
    const at = this.#count++;
    this.#chunk.halves[at] = half;
    this.#chunk.others[at] = other;
    this.#chunk.ids[at] = cursor.id;
  }
}

function isBefore(one: RunCursor, other: RunCursor): boolean {
  return one.half < other.half || (one.half === other.half && one.other < other.other);
}
