/**
 * A run that is open for reading: its index in memory, its blocks in the file. Everything that is
 * read is compared with its checksum, so a run returns what was written or reports damage.
 */
import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { CrawlError } from "../errors/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type ReadableFile,
  type Storage,
  withValue,
} from "../seams/index.ts";
import {
  aligned,
  type Block,
  blockIn,
  blockPlace,
  blockSum,
  blocksOf,
  FOOTER_BYTES,
  INDEX_WORDS,
  type RunFormat,
  type RunShape,
  readFooter,
  shapeOf,
} from "./run-layout.ts";

/** A finished run, as its owner records it in memory and in its marks. */
export interface RunMark {
  readonly name: FileName;
  /** Records. */
  readonly count: number;
  /** Length of the file. */
  readonly bytes: number;
  /**
   * CRC-32 of its index, which has the checksums of its blocks: it tells this run from any other that is
   * whole and as long. Left out in marks of earlier versions.
   */
  readonly sum?: number;
}

/** Opens a run; `RUN_DAMAGED` when it is missing or not as it was written. */
export function openRun(
  storage: Storage,
  mark: RunMark,
  format: RunFormat,
  done: Done<RunFile>,
): void {
  const shape = shapeOf(mark.count, format);
  storage.openToRead(mark.name, (error, file) => {
    if (error?.code === "STORAGE_MISSING") done(damagedRun(mark.name, "it is missing"), undefined);
    else if (error !== null) done(error, undefined);
    else {
      readIndex(file, shape, mark.sum ?? null, (indexError, index) => {
        if (indexError === null) done(null, new RunFile(file, shape, index));
        else file.close(() => done(indexError, undefined));
      });
    }
  });
}

export class RunFile {
  readonly shape: RunShape;
  readonly blocks: number;
  readonly #file: ReadableFile;
  readonly #index: Uint32Array;

  constructor(file: ReadableFile, shape: RunShape, index: Uint32Array) {
    this.shape = shape;
    this.blocks = blocksOf(shape);
    this.#file = file;
    this.#index = index;
  }

  /** What the index occupies in memory. */
  get memoryBytes(): number {
    return this.#index.byteLength;
  }

  /** The first block from `from` on that begins above the key; the number of blocks when none. */
  blockAbove(high: number, low: number, from: number): number {
    // The next one or two are the usual answer when keys come in order.
    let below = from;
    let step = 1;
    while (below < this.blocks && !this.#beginsAbove(below, high, low)) {
      below += step;
      step *= 2;
    }
    let least = Math.max(from, below - (step >> 1));
    let most = Math.min(below, this.blocks);
    while (least < most) {
      const middle = (least + most) >>> 1;
      if (this.#beginsAbove(middle, high, low)) most = middle;
      else least = middle + 1;
    }
    return least;
  }

  /** The first key of a block. */
  firstHigh(block: number): number {
    return this.#index[block * INDEX_WORDS] as number;
  }

  firstLow(block: number): number {
    return this.#index[block * INDEX_WORDS + 1] as number;
  }

  /** Reads the blocks [from, to). */
  readBlocks(from: number, to: number, done: Done<readonly Block[]>): void {
    assert(from >= 0 && from < to && to <= this.blocks, "the blocks are in the run");
    const start = blockPlace(from, this.shape);
    const lengthBytes = blockPlace(to, this.shape) - start;
    const take = (bytes: Uint8Array): void => {
      if (bytes.length < lengthBytes) this.#fail("it is too short", done);
      else this.#check(aligned(bytes), from, to, done);
    };
    this.#file.read(start, lengthBytes, withValue(done, take));
  }

  /** Answers later, as reading does, where there is nothing to read. */
  readNothing(done: Acknowledge): void {
    this.#file.read(0, 0, (...[error]) => done(error));
  }

  close(done: Acknowledge): void {
    this.#file.close(done);
  }

  #check(bytes: Uint8Array, from: number, to: number, done: Done<readonly Block[]>): void {
    const blocks: Block[] = [];
    const start = blockPlace(from, this.shape);
    const { payloadBytes, blockRecords } = this.shape;
    for (let block = from; block < to; block++) {
      const at = blockPlace(block, this.shape) - start;
      const end = blockPlace(block + 1, this.shape) - start;
      const sum = this.#index[block * INDEX_WORDS + 2];
      if (blockSum(bytes.subarray(at, end), block) !== sum) {
        this.#fail(`block ${block} is not as written`, done);
        return;
      }
      const count = Math.min(blockRecords, this.shape.count - block * blockRecords);
      blocks.push(blockIn(bytes, at, { count, payloadBytes }));
    }
    done(null, blocks);
  }

  #beginsAbove(block: number, high: number, low: number): boolean {
    const firstHigh = this.firstHigh(block);
    return firstHigh > high || (firstHigh === high && this.firstLow(block) > low);
  }

  #fail(reason: string, done: Done<never>): void {
    done(damagedRun(this.#file.name, reason), undefined);
  }
}

/** `sum` as in its mark; null if that does not know it. */
function readIndex(
  file: ReadableFile,
  shape: RunShape,
  sum: number | null,
  done: Done<Uint32Array>,
): void {
  const blocks = blocksOf(shape);
  const start = blockPlace(blocks, shape);
  const words = blocks * INDEX_WORDS;
  const take = (read: Uint8Array): void => {
    const bytes = aligned(read);
    const footer = readFooter(bytes.subarray(words * 4), shape);
    if (footer === null) done(damagedRun(file.name, "it has no footer that fits"), undefined);
    else if (crc32(bytes.subarray(0, words * 4)) !== footer.indexSum) {
      done(damagedRun(file.name, "its index is not as written"), undefined);
    } else if (sum !== null && footer.indexSum !== sum) {
      done(damagedRun(file.name, "it is another run, or one of another moment"), undefined);
    } else done(null, new Uint32Array(bytes.buffer, bytes.byteOffset, words));
  };
  file.read(start, words * 4 + FOOTER_BYTES, withValue(done, take));
}

export function damagedRun(file: FileName, reason: string): CrawlError {
  const message =
    `The run ${file} is damaged: ${reason}. Its content cannot be trusted any more: check the disk; ` +
    "`trobar store verify --rebuild` makes it again from archive and crawl log.";
  return new CrawlError("RUN_DAMAGED", message, { file, reason });
}
