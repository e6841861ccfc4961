/**
 * Sends frozen batches to the background to be decided, one at a time, and owns the memory that is
 * transferred: keys and the space to sort them. When a thread dies with a batch, or the disk is full,
 * that memory is lost; then it is allocated again and the keys are read from the log.
 *
 * The large memory is only transferred with a batch that is about full. A batch that is decided
 * early, because the crawl has nothing to do, has a few thousand keys, and 100 MiB transferred with
 * it would make both threads collect garbage each time.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Log, Position } from "../../base/log/index.ts";
import type { RunMark, RunStack } from "../../base/runs/index.ts";
import type { Acknowledge, Background, Storage } from "../../base/seams/index.ts";
import { type DecidedBatch, decideBatch, makeSpace, type SortingSpace } from "./decide-batch.ts";
import { type BatchColumns, columnBytes, makeColumns, OfferBatch } from "./offer-batch.ts";
import { TextReplay } from "./text-replay.ts";

/** A batch whose keys are decided, or are to be. */
export interface FrozenBatch {
  batch: OfferBatch;
  isDurable: boolean;
  /** The keys went to the background and did not come back. */
  isLost: boolean;
  decided: Decision | null;
}

export interface Decision {
  readonly verdicts: Uint8Array;
  readonly bests: Uint16Array;
  /** What was new; null when nothing was. */
  readonly run: RunMark | null;
}

export interface DeciderOptions {
  readonly storage: Storage;
  readonly background: Background;
  readonly log: Log;
  readonly stack: RunStack;
  readonly withDepth: boolean;
  readonly batchOffers: number;
}

/** For each offer: four columns to sort with; a verdict and what look-ups find. */
const SPACE_BYTES = 16;
const VERDICT_BYTES = 4;

export class BatchDecider {
  readonly #options: DeciderOptions;
  #spare: BatchColumns | null = null;
  #space: SortingSpace | null = null;
  /** What is with the background. */
  #lentBytes = 0;

  constructor(options: DeciderOptions) {
    this.#options = options;
  }

  /** Not counting batches that are not being decided. */
  get memoryBytes(): number {
    const spareBytes = this.#spare === null ? 0 : columnBytes(this.#spare);
    return spareBytes + (this.#space?.indexes.length ?? 0) * SPACE_BYTES + this.#lentBytes;
  }

  /** An empty batch that begins at `from`. */
  newBatch(from: Position): OfferBatch {
    const { batchOffers, withDepth } = this.#options;
    const columns = this.#spare ?? makeColumns(batchOffers, withDepth);
    this.#spare = null;
    return new OfferBatch(from, columns);
  }

  /** A batch is frozen: takes back what it does not need of its memory. */
  reclaim(batch: OfferBatch): void {
    const free = batch.shrink();
    if (free?.highs.length === this.#options.batchOffers) this.#spare = free;
  }

  /** Decides a durable batch against these runs; after an error it may be asked again. */
  decide(frozen: FrozenBatch, runs: readonly RunMark[], done: Acknowledge): void {
    if (!frozen.isLost) this.#run(frozen, runs, done);
    else {
      this.#readAgain(frozen, (error) => {
        if (error === null) this.#run(frozen, runs, done);
        else done(error);
      });
    }
  }

  #run(frozen: FrozenBatch, runs: readonly RunMark[], done: Acknowledge): void {
    const { background, stack, withDepth, storage } = this.#options;
    const { count, columns } = frozen.batch;
    const name = stack.newName();
    const space = this.#takeSpace(columns);
    this.#lentBytes = columnBytes(columns) + (SPACE_BYTES + VERDICT_BYTES) * columns.highs.length;
    frozen.isLost = true;
    const task = { count, columns, space, withDepth, runs, name };
    background.run(decideBatch, task, (error, decided) => {
      this.#lentBytes = 0;
      if (error === null) this.#take(frozen, decided, done);
      // An unfinished run would occupy a disk that may be full.
      else storage.remove(name, () => done(error));
    });
  }

  #take(frozen: FrozenBatch, decided: DecidedBatch, done: Acknowledge): void {
    const { verdicts, bests, run, columns, space } = decided;
    frozen.decided = { verdicts, bests, run };
    const { batchOffers } = this.#options;
    if (columns.highs.length === batchOffers) this.#spare = columns;
    if (space.indexes.length >= batchOffers) this.#space = space;
    done(null);
  }

  /** Large space is kept for large batches. */
  #takeSpace({ highs }: BatchColumns): SortingSpace {
    const kept = this.#space;
    const isFitting = kept !== null && kept.indexes.length >= highs.length;
    if (!isFitting || highs.length < this.#options.batchOffers) return makeSpace(highs.length);
    this.#space = null;
    return kept;
  }

  #readAgain(frozen: FrozenBatch, done: Acknowledge): void {
    const { batchOffers, withDepth, log } = this.#options;
    const { from, to, heard, count } = frozen.batch;
    const batch = new OfferBatch(from, makeColumns(Math.max(batchOffers, count), withDepth));
    const replay = new TextReplay({ reader: log.reader(from), to, givenTo: from });
    replay.fill(batch, (error: CrawlError | null) => {
      batch.heard = heard;
      if (error === null) {
        frozen.batch = batch;
        frozen.isLost = false;
      }
      replay.close(() => done(error));
    });
  }
}
