/**
 * Decides a batch of offers, in the background: which are fresh, which are improvements. The keys
 * are sorted, looked up in every run, and judged group by group, each group in the order of its
 * offers; what is fresh or improved becomes a new run. Memory comes with the batch and goes back.
 */

import type { RunWriter } from "../../base/runs/index.ts";
import {
  findKeys,
  openRun,
  type RunFile,
  type RunMark,
  sortKeys,
  startRun,
} from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Storage,
  type Task,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { bestDepth } from "./depth-pair.ts";
import type { BatchColumns } from "./offer-batch.ts";

export const DEPTH_BYTES = 2;

/** What became of an offer; 0 when it was known. */
export const FRESH = 1;
export const IMPROVED = 2;

/** Memory to sort in, for as many keys as the batch may have. */
export interface SortingSpace {
  readonly indexes: Uint32Array<ArrayBuffer>;
  readonly otherHighs: Uint32Array<ArrayBuffer>;
  readonly otherLows: Uint32Array<ArrayBuffer>;
  readonly otherIndexes: Uint32Array<ArrayBuffer>;
}

export interface BatchToDecide {
  readonly count: number;
  readonly columns: BatchColumns;
  readonly space: SortingSpace;
  readonly withDepth: boolean;
  /** Everything given out so far, the oldest first. */
  readonly runs: readonly RunMark[];
  /** The run that is to hold what is new. */
  readonly name: FileName;
}

export interface DecidedBatch {
  /** `FRESH`, `IMPROVED` or 0 for each offer. */
  readonly verdicts: Uint8Array<ArrayBuffer>;
  /** For each improvement, the best of all offers so far; empty where that is its own depth. */
  readonly bests: Uint16Array<ArrayBuffer>;
  /** Null when there was nothing new. */
  readonly run: RunMark | null;
  readonly columns: BatchColumns;
  readonly space: SortingSpace;
}

export function makeSpace(capacity: number): SortingSpace {
  return {
    indexes: new Uint32Array(capacity),
    otherHighs: new Uint32Array(capacity),
    otherLows: new Uint32Array(capacity),
    otherIndexes: new Uint32Array(capacity),
  };
}

export const decideBatch: Task<BatchToDecide, DecidedBatch> = {
  module: import.meta.url,
  name: "decideBatch",
  run(batch, { storage }, done) {
    new Deciding(batch, storage).start(done);
  },
  moves: {
    input: buffersOf,
    output: (decided) => [decided.verdicts.buffer, decided.bests.buffer, ...buffersOf(decided)],
  },
};

function buffersOf({ columns, space }: Pick<DecidedBatch, "columns" | "space">): ArrayBuffer[] {
  return [...Object.values(columns), ...Object.values(space)].map(({ buffer }) => buffer);
}

/** How a key stands: as it was looked up, or that it belongs into the new run. */
const TO_WRITE = 2;
const WAITING_BYTES_MAX = 1024 * 1024;

class Deciding {
  readonly #batch: BatchToDecide;
  readonly #storage: Storage;
  readonly #payloadBytes: number;
  readonly #verdicts: Uint8Array<ArrayBuffer>;
  #bests: Uint16Array<ArrayBuffer> = new Uint16Array(0);
  /** How many different keys there are; they lie in `otherHighs` and `otherLows`, ascending. */
  #keys = 0;
  #standing = new Uint8Array(0);
  #payloads = new Uint8Array(0);
  #written = 0;

  constructor(batch: BatchToDecide, storage: Storage) {
    this.#batch = batch;
    this.#storage = storage;
    this.#payloadBytes = batch.withDepth ? DEPTH_BYTES : 0;
    this.#verdicts = new Uint8Array(batch.count);
  }

  start(done: Done<DecidedBatch>): void {
    const { columns, space, count } = this.#batch;
    const { indexes, otherHighs, otherLows, otherIndexes } = space;
    sortKeys(
      { highs: columns.highs, lows: columns.lows, indexes },
      { highs: otherHighs, lows: otherLows, indexes: otherIndexes },
      count,
    );
    this.#gatherKeys();
    this.#standing = new Uint8Array(this.#keys);
    this.#payloads = new Uint8Array(this.#keys * this.#payloadBytes);
    this.#lookUp(
      0,
      whenDone(done, () => this.#finish(done)),
    );
  }

  /** The different keys, and in `otherIndexes` where the group of each begins. */
  #gatherKeys(): void {
    const { columns, space, count } = this.#batch;
    const { highs, lows } = columns;
    const { otherHighs, otherLows, otherIndexes } = space;
    let keys = 0;
    for (let at = 0; at < count; at++) {
      const high = highs[at] as number;
      const low = lows[at] as number;
      if (keys > 0 && otherHighs[keys - 1] === high && otherLows[keys - 1] === low) continue;
      otherHighs[keys] = high;
      otherLows[keys] = low;
      otherIndexes[keys] = at;
      keys++;
    }
    this.#keys = keys;
  }

  #lookUp(at: number, done: Acknowledge): void {
    const mark = this.#batch.runs[at];
    if (mark === undefined) {
      done(null);
      return;
    }
    const { otherHighs, otherLows } = this.#batch.space;
    const wanted = {
      count: this.#keys,
      highs: otherHighs,
      lows: otherLows,
      found: this.#standing,
      payloads: this.#payloads,
    };
    const search = (run: RunFile): void =>
      findKeys(run, wanted, (error) =>
        run.close((closeError) => {
          const failure = error ?? closeError;
          if (failure === null) this.#lookUp(at + 1, done);
          else done(failure);
        }),
      );
    const format = { payloadBytes: this.#payloadBytes };
    openRun(this.#storage, mark, format, withValue(done, search));
  }

  #finish(done: Done<DecidedBatch>): void {
    const { columns, space } = this.#batch;
    const answer = (run: RunMark | null): void =>
      done(null, { verdicts: this.#verdicts, bests: this.#bests, run, columns, space });
    if (this.#judge() === 0) answer(null);
    else this.#writeRun(withValue(done, answer));
  }

  /** Judges every offer; answers how many records are to be written. */
  #judge(): number {
    const { count, space, withDepth } = this.#batch;
    const starts = space.otherIndexes;
    let records = 0;
    for (let key = 0; key < this.#keys; key++) {
      const start = starts[key] as number;
      const end = key + 1 < this.#keys ? (starts[key + 1] as number) : count;
      const isChanged = withDepth
        ? this.#judgeDepths(key, start, end)
        : this.#judgeFirst(key, start);
      if (!isChanged) continue;
      this.#standing[key] = TO_WRITE;
      records++;
    }
    return records;
  }

  #judgeFirst(key: number, start: number): boolean {
    if (this.#standing[key] !== 0) return false;
    this.#verdicts[this.#batch.space.indexes[start] as number] = FRESH;
    return true;
  }

  #judgeDepths(key: number, start: number, end: number): boolean {
    const { space, columns } = this.#batch;
    const payloads = this.#payloads;
    const at = key * DEPTH_BYTES;
    const isFound = this.#standing[key] !== 0;
    let best = isFound
      ? (payloads[at] as number) | ((payloads[at + 1] as number) << 8)
      : Number.POSITIVE_INFINITY;
    let isChanged = false;
    for (let place = start; place < end; place++) {
      const index = space.indexes[place] as number;
      const depth = columns.depths[index] as number;
      const better = bestDepth(depth, best);
      if (better === best) continue;
      this.#verdicts[index] = best === Number.POSITIVE_INFINITY ? FRESH : IMPROVED;
      // In a pair of depths, the one that is not better is another offer's.
      if (better !== depth) this.#tellBest(index, better);
      best = better;
      isChanged = true;
    }
    payloads[at] = best & 0xff;
    payloads[at + 1] = best >>> 8;
    return isChanged;
  }

  #tellBest(index: number, best: number): void {
    const { count, columns } = this.#batch;
    if (this.#bests.length === 0) this.#bests = columns.depths.slice(0, count);
    this.#bests[index] = best;
  }

  #writeRun(done: Done<RunMark>): void {
    const { name } = this.#batch;
    const payloadBytes = this.#payloadBytes;
    const run = { storage: this.#storage, name, payloadBytes, beginning: null };
    const write = (writer: RunWriter): void =>
      this.#writeRecords(writer, (error) => {
        if (error === null) writer.finish(done);
        else writer.close(() => done(error, undefined));
      });
    startRun(run, withValue(done, write));
  }

  #writeRecords(writer: RunWriter, done: Acknowledge): void {
    const { otherHighs, otherLows } = this.#batch.space;
    const standing = this.#standing;
    const width = this.#payloadBytes;
    let key = this.#written;
    while (key < this.#keys && writer.waitingBytes < WAITING_BYTES_MAX) {
      if (standing[key] === TO_WRITE) {
        const high = otherHighs[key] as number;
        writer.add(high, otherLows[key] as number, this.#payloads, key * width);
      }
      key++;
    }
    this.#written = key;
    const goOn = whenDone(done, () => this.#writeRecords(writer, done));
    if (key < this.#keys) writer.write(goOn);
    else done(null);
  }
}
