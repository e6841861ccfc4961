/**
 * Writes a run, record by record in the order of keys, in bounded memory: whole blocks go to the
 * file when the owner says so, the index is gathered on the way, and the footer comes last. A run
 * counts only when `finish` has answered; until then its file means nothing.
 *
 * Writing can be interrupted wherever the number of records is a multiple of a block, and taken up
 * again later by another writer with the same `RunBeginning`.
 */
import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Storage,
  type StorageFile,
  whenDone,
  withValue,
} from "../seams/index.ts";
import type { RunMark } from "./run-file.ts";
import {
  type Block,
  blockIn,
  blockSum,
  INDEX_WORDS,
  printFooter,
  type RunFormat,
  recordBytes,
  shapeOf,
} from "./run-layout.ts";

/** What has been written of a run: whole blocks, and their part of the index. */
export interface RunBeginning {
  readonly count: number;
  readonly index: Uint32Array;
}

export interface RunToWrite extends RunFormat {
  readonly storage: Storage;
  readonly name: FileName;
  /**
   * Where an interrupted writer stopped; null for a new run, which replaces any file of that name.
   */
  readonly beginning: RunBeginning | null;
}

/** Opens the file of a run to write, and cuts off what does not belong to it. */
export function startRun(run: RunToWrite, done: Done<RunWriter>): void {
  const { storage, name, payloadBytes } = run;
  const beginning = run.beginning ?? { count: 0, index: new Uint32Array(0) };
  const bytes = beginning.count * recordBytes(payloadBytes);
  const cut = (file: StorageFile): void => {
    assert(file.lengthBytes >= bytes, "what was written of a run is there");
    file.cut(bytes, (error) => {
      if (error === null) done(null, new RunWriter(file, run, beginning));
      else file.close(() => done(error, undefined));
    });
  };
  storage.open(name, withValue(done, cut));
}

export class RunWriter {
  readonly #file: StorageFile;
  readonly #payloadBytes: number;
  readonly #blockRecords: number;
  readonly #blockBytes: number;
  /** Whole blocks that wait to be written. */
  #full: Uint8Array[] = [];
  #block: Block;
  #blockBuffer: Uint8Array;
  #filled = 0;
  /** Records in whole blocks. */
  #count: number;
  #index: Uint32Array;
  #blocks: number;

  constructor(file: StorageFile, format: RunFormat, beginning: RunBeginning) {
    const { payloadBytes, blockRecords } = shapeOf(0, format);
    assert(beginning.count % blockRecords === 0, "writing goes on where a block begins");
    this.#file = file;
    this.#payloadBytes = payloadBytes;
    this.#blockRecords = blockRecords;
    this.#blockBytes = blockRecords * recordBytes(payloadBytes);
    this.#count = beginning.count;
    this.#index = beginning.index;
    this.#blocks = beginning.count / blockRecords;
    this.#blockBuffer = new Uint8Array(this.#blockBytes);
    this.#block = this.#columns(this.#blockRecords);
  }

  /** Records so far. */
  get count(): number {
    return this.#count + this.#filled;
  }

  /** Bytes that wait in whole blocks; the owner calls `write` before they become too many. */
  get waitingBytes(): number {
    return this.#full.length * this.#blockBytes;
  }

  /** What another writer needs to go on; only when no block is begun and all are written. */
  get beginning(): RunBeginning {
    assert(this.#filled === 0 && this.#full.length === 0, "a run is interrupted between blocks");
    return { count: this.#count, index: this.#index.slice(0, this.#blocks * INDEX_WORDS) };
  }

  /**
   * Adds a record, whose key is above all before; the payload is read from `payloads` at `from`.
   */
  add(high: number, low: number, payloads: Uint8Array, from: number): void {
    const at = this.#filled;
    const block = this.#block;
    block.highs[at] = high;
    block.lows[at] = low;
    const width = this.#payloadBytes;
    for (let byte = 0; byte < width; byte++) {
      block.payloads[at * width + byte] = payloads[from + byte] as number;
    }
    this.#filled = at + 1;
    if (this.#filled === this.#blockRecords) this.#endBlock();
  }

  /** How many records still fit into the block that is being filled. */
  get blockRoom(): number {
    return this.#blockRecords - this.#filled;
  }

  /** Whether no block is begun. */
  get isBetweenBlocks(): boolean {
    return this.#filled === 0;
  }

  /** Adds the records [from, to) of a block of another run; no more than `blockRoom`. */
  addRange(source: Block, from: number, to: number): void {
    const { highs, lows, payloads } = this.#block;
    const { highs: sourceHighs, lows: sourceLows } = source;
    const shift = this.#filled - from;
    for (let at = from; at < to; at++) {
      highs[at + shift] = sourceHighs[at] as number;
      lows[at + shift] = sourceLows[at] as number;
    }
    const width = this.#payloadBytes;
    for (let byte = from * width; byte < to * width; byte++) {
      payloads[byte + shift * width] = source.payloads[byte] as number;
    }
    this.#filled = to + shift;
    if (this.#filled === this.#blockRecords) this.#endBlock();
  }

  /** Writes the whole blocks. */
  write(done: Acknowledge): void {
    const chunks = this.#full;
    this.#full = [];
    this.#file.append(chunks, done);
  }

  /** Writes the rest, makes all of it durable and closes the file. */
  finish(done: Done<RunMark>): void {
    const { count } = this;
    if (this.#filled > 0) this.#endLastBlock();
    const index = this.#index.subarray(0, this.#blocks * INDEX_WORDS);
    const bytes = new Uint8Array(index.buffer, index.byteOffset, index.byteLength);
    const format = { payloadBytes: this.#payloadBytes, blockRecords: this.#blockRecords };
    const sum = crc32(bytes);
    this.#full.push(bytes, printFooter(shapeOf(count, format), sum));
    const settle: Acknowledge = (error) =>
      this.close((closeError) => {
        const failure = error ?? closeError;
        if (failure !== null) done(failure, undefined);
        else done(null, { name: this.#file.name, count, bytes: this.#file.lengthBytes, sum });
      });
    this.write(whenDone(settle, () => this.#file.sync(settle)));
  }

  /** Closes the file as it is. */
  close(done: Acknowledge): void {
    this.#file.close(done);
  }

  #endBlock(): void {
    this.#noteBlock(this.#blockBuffer, this.#blockRecords);
    this.#full.push(this.#blockBuffer);
    this.#blockBuffer = new Uint8Array(this.#blockBytes);
    this.#block = this.#columns(this.#blockRecords);
    this.#filled = 0;
  }

  /** The last block is shorter, so its columns move together. */
  #endLastBlock(): void {
    const filled = this.#filled;
    const long = this.#block;
    this.#blockBuffer = new Uint8Array(filled * recordBytes(this.#payloadBytes));
    const short = this.#columns(filled);
    short.highs.set(long.highs.subarray(0, filled));
    short.lows.set(long.lows.subarray(0, filled));
    short.payloads.set(long.payloads.subarray(0, filled * this.#payloadBytes));
    this.#noteBlock(this.#blockBuffer, filled);
    this.#full.push(this.#blockBuffer);
    this.#block = short;
    this.#filled = 0;
  }

  #columns(count: number): Block {
    return blockIn(this.#blockBuffer, 0, { count, payloadBytes: this.#payloadBytes });
  }

  #noteBlock(bytes: Uint8Array, count: number): void {
    const at = this.#blocks * INDEX_WORDS;
    if (at + INDEX_WORDS > this.#index.length) {
      const more = new Uint32Array(2 * at + 64 * INDEX_WORDS);
      more.set(this.#index);
      this.#index = more;
    }
    this.#index[at] = this.#block.highs[0] as number;
    this.#index[at + 1] = this.#block.lows[0] as number;
    this.#index[at + 2] = blockSum(bytes, this.#blocks);
    this.#blocks++;
    this.#count += count;
  }
}
