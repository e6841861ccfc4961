/**
 * Goes through a run from a record to its end, a megabyte at a time. The current key is in two
 * fields, which is all that most steps of a merge look at; the records around it are in columns.
 */
import type { Acknowledge } from "../seams/index.ts";
import { withValue } from "../seams/index.ts";
import type { RunFile } from "./run-file.ts";
import type { Block } from "./run-layout.ts";

/** What is read at once: a megabyte of keys. */
const READ_RECORDS = 131_072;
const NO_BLOCK: Block = {
  count: 0,
  highs: new Uint32Array(0),
  lows: new Uint32Array(0),
  payloads: new Uint8Array(0),
};

export class RunCursor {
  readonly run: RunFile;
  /** Whether there is a record at hand; when not, there may be after `fill`. */
  hasRecord = false;
  /** Its key. */
  high = 0;
  low = 0;
  /** The block it is in, and the place in that. */
  block: Block = NO_BLOCK;
  at = 0;
  #blocks: readonly Block[] = [];
  #taken = 0;
  /** The next block to read, and how much of it to skip. */
  #next: number;
  #skip: number;

  constructor(run: RunFile, record: number) {
    this.run = run;
    this.#next = Math.floor(record / run.shape.blockRecords);
    this.#skip = record % run.shape.blockRecords;
  }

  /** Whether every record has been gone through. */
  get isAtEnd(): boolean {
    return !this.hasRecord && this.#next >= this.run.blocks;
  }

  /** The number of the record at hand, in the whole run. */
  get record(): number {
    const ahead = this.#blocks.slice(this.#taken).reduce((sum, { count }) => sum + count, 0);
    const { blockRecords, count: all } = this.run.shape;
    const read = Math.min(this.#next * blockRecords, all);
    const isUnread = this.#blocks.length === 0;
    return isUnread ? read + this.#skip : read - ahead - (this.block.count - this.at);
  }

  /** Goes on to a place in the block at hand; past its end, to the beginning of the next. */
  moveTo(at: number): void {
    this.at = at;
    if (at >= this.block.count) {
      this.#takeBlock();
      return;
    }
    this.high = this.block.highs[at] as number;
    this.low = this.block.lows[at] as number;
  }

  /** Reads more; only when there is no record at hand and the end is not reached. */
  fill(done: Acknowledge): void {
    const { blocks, shape } = this.run;
    const to = Math.min(this.#next + Math.ceil(READ_RECORDS / shape.blockRecords), blocks);
    const take = (read: readonly Block[]): void => {
      const skip = this.#skip;
      this.#blocks = read;
      this.#taken = 0;
      this.#next = to;
      this.#skip = 0;
      this.#takeBlock();
      this.moveTo(skip);
      done(null);
    };
    this.run.readBlocks(this.#next, to, withValue(done, take));
  }

  #takeBlock(): void {
    const next = this.#blocks[this.#taken];
    this.hasRecord = next !== undefined;
    if (next === undefined) return;
    this.#taken++;
    this.block = next;
    this.moveTo(0);
  }
}
