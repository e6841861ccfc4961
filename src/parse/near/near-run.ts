/**
 * A run that is open for searching: the table of its half is in memory, its records are in the file.
 * A search of the table finds entries that may be near; the file tells whether they are, and their
 * pages.
 *
 * The keys of a run by the high half are the hashes; by the low half, the hashes with their halves
 * swapped. The payload is the page id.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../base/errors/index.ts";
import {
  type Block,
  openRun,
  type RunFile,
  type RunFormat,
  type RunMark,
} from "../../base/runs/index.ts";
import type { Background, Done, Storage } from "../../base/seams/index.ts";
import { withValue } from "../../base/seams/index.ts";
import { hammingDistance } from "../digest/index.ts";
import { type Half, type HalfColumns, HalfTable } from "./half-table.ts";
import { loadHalfTable } from "./load-half-table.ts";
import { type NearQuery, PAGE_ID_BYTES, type PageId } from "./near-entry.ts";

/** Blocks are small (3.5 KiB), since a hit reads one. */
const BLOCK_RECORDS = 256;

export const NEAR_FORMAT: RunFormat = {
  payloadBytes: PAGE_ID_BYTES,
  blockRecords: BLOCK_RECORDS,
};

/** Adjacent entries of a run that have, or nearly have, the half searched for. */
export interface Hit {
  readonly run: NearRun;
  readonly from: number;
  to: number;
}

export interface NearRunToOpen {
  readonly storage: Storage;
  readonly background: Background;
  readonly half: Half;
  readonly mark: RunMark;
}

/** `NEAR_RUN_DAMAGED` when the run is missing or damaged. */
export function openNearRun(run: NearRunToOpen, done: Done<NearRun>): void {
  const { storage, background, half, mark } = run;
  const failed = (error: CrawlError): void => done(nearFailure(error), undefined);
  const open = (columns: HalfColumns): void => {
    const finish = (file: RunFile): void =>
      done(null, new NearRun({ half, mark, file, table: new HalfTable(columns) }));
    openRun(storage, mark, NEAR_FORMAT, withValue(failed, finish));
  };
  background.run(loadHalfTable, { mark, format: NEAR_FORMAT }, withValue(failed, open));
}

interface NearRunParts {
  readonly half: Half;
  readonly mark: RunMark;
  readonly file: RunFile;
  readonly table: HalfTable;
}

export class NearRun {
  readonly half: Half;
  readonly mark: RunMark;
  readonly table: HalfTable;
  readonly #file: RunFile;
  #holders = 0;
  #isRetired = false;

  constructor({ half, mark, file, table }: NearRunParts) {
    this.half = half;
    this.mark = mark;
    this.table = table;
    this.#file = file;
  }

  /** Of the table and the index of the file. */
  get memoryBytes(): number {
    return this.table.memoryBytes + this.#file.memoryBytes;
  }

  /** Begins the reading of hits; `release` ends it. */
  hold(): void {
    assert(!this.#isRetired, "a retired run is not searched");
    this.#holders++;
  }

  release(): void {
    this.#holders--;
    if (this.#isRetired && this.#holders === 0) this.#file.close(() => undefined);
  }

  /** The page of the first entry of the hit that is within `distance`; null when none is. */
  resolve(hit: Hit, query: NearQuery, done: Done<PageId | null>): void {
    assert(this.#holders > 0, "a run is held while hits are read");
    const first = Math.floor(hit.from / BLOCK_RECORDS);
    const take = (blocks: readonly Block[]): void => {
      let begin = first * BLOCK_RECORDS;
      for (const block of blocks) {
        const id = this.#nearIn(block, hit.from - begin, hit.to - begin, query);
        if (id !== null) {
          done(null, id);
          return;
        }
        begin += BLOCK_RECORDS;
      }
      done(null, null);
    };
    const failed = (error: CrawlError): void => done(nearFailure(error), undefined);
    const end = Math.ceil(hit.to / BLOCK_RECORDS);
    this.#file.readBlocks(first, end, withValue(failed, take));
  }

  /** Closes the file when the run is no longer held; it must not be searched again. */
  retire(): void {
    this.#isRetired = true;
    if (this.#holders === 0) this.#file.close(() => undefined);
  }

  /** The first near page among the records of a block in [from, to). */
  #nearIn(block: Block, from: number, to: number, query: NearQuery): PageId | null {
    const { high, low, distance } = query;
    const [half, other] = this.half === "high" ? [high, low] : [low, high];
    const end = Math.min(to, block.count);
    for (let at = Math.max(0, from); at < end; at++) {
      const recordHigh = block.highs[at] as number;
      const recordLow = block.lows[at] as number;
      if (hammingDistance(half, other, recordHigh, recordLow) > distance) continue;
      const { buffer, byteOffset } = block.payloads;
      return Buffer.from(buffer, byteOffset + at * PAGE_ID_BYTES).readUIntLE(0, PAGE_ID_BYTES);
    }
    return null;
  }
}

/** The crawl goes on without a damaged run, so the remedy differs from that of other runs. */
export function nearFailure(error: CrawlError): CrawlError {
  if (error.code !== "RUN_DAMAGED") return error;
  const file = String(error.facts["file"]);
  const reason = String(error.facts["reason"]);
  const message =
    `The near-duplicate run ${file} is damaged: ${reason}. Nothing is merged with it any more, and ` +
    "when the crawl is continued some near duplicates of its pages are not found; check the disk.";
  return new CrawlError("NEAR_RUN_DAMAGED", message, { file, reason });
}
