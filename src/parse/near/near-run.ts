/**
 * A run that is open for searching: its two half tables in memory, its entries in the file. A
 * search says which entries may be near; whether they are, and whose they are, the file knows.
 */
import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Done, FileName, ReadableFile, Storage } from "../../base/seams/index.ts";
import { whenDone, withValue } from "../../base/seams/index.ts";
import { hammingDistance } from "../digest/index.ts";
import type { HalfTable } from "./half-table.ts";
import type { PageId } from "./near-entry.ts";
import {
  ENTRY_BYTES,
  FOOTER_BYTES,
  type Half,
  indexBytes,
  placesOf,
  type RunFooter,
  readFooter,
  runBytes,
  tableIn,
} from "./run-layout.ts";
import { parseRunName, type RunName } from "./run-name.ts";

/** Tables are read into memory in pieces of this size, so that nothing else waits long. */
const PIECE_BYTES = 1024 * 1024;

/** Entries that lie side by side in one table and have, or nearly have, the half searched for. */
export interface Hit {
  readonly run: NearRun;
  readonly half: Half;
  readonly from: number;
  to: number;
}

export class NearRun {
  readonly name: RunName;
  readonly tables: Readonly<Record<Half, HalfTable>>;
  readonly #file: ReadableFile;
  #holders = 0;
  #isRetired = false;

  constructor(name: RunName, file: ReadableFile, tables: Readonly<Record<Half, HalfTable>>) {
    this.name = name;
    this.#file = file;
    this.tables = tables;
  }

  /** What the tables occupy in memory. */
  get memoryBytes(): number {
    return this.tables.high.memoryBytes + this.tables.low.memoryBytes;
  }

  /** Begins to follow up hits; `release` must be called when that is done. */
  hold(): void {
    assert(!this.#isRetired, "a retired run is not searched any more");
    this.#holders++;
  }

  release(): void {
    this.#holders--;
    if (this.#isRetired && this.#holders === 0) this.#file.close(() => undefined);
  }

  /** The page of the first entry of the hit that is within `distance`; null when none is. */
  resolve(hit: Hit, query: NearQuery, done: Done<PageId | null>): void {
    assert(this.#holders > 0, "a run is held while hits are followed up");
    const { entries } = placesOf(hit.half, this.name.count);
    const lengthBytes = (hit.to - hit.from) * ENTRY_BYTES;
    const take = (bytes: Uint8Array): void => {
      if (bytes.length === lengthBytes) done(null, this.#nearIn(bytes, hit, query));
      else done(damagedRun(this.#file.name, "it is too short"), undefined);
    };
    this.#file.read(entries + hit.from * ENTRY_BYTES, lengthBytes, withValue(done, take));
  }

  /** Lets the file go when nobody holds the run any more; it must not be searched again. */
  retire(): void {
    this.#isRetired = true;
    if (this.#holders === 0) this.#file.close(() => undefined);
  }

  #nearIn(bytes: Uint8Array, hit: Hit, query: NearQuery): PageId | null {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const { high, low, distance } = query;
    for (let entry = hit.from; entry < hit.to; entry++) {
      const at = (entry - hit.from) * ENTRY_BYTES;
      const half = this.tables[hit.half].halfAt(entry);
      const other = view.readUInt32LE(at);
      const [otherHigh, otherLow] = hit.half === "high" ? [half, other] : [other, half];
      if (hammingDistance(high, low, otherHigh, otherLow) <= distance) {
        return view.readUIntLE(at + 4, 6);
      }
    }
    return null;
  }
}

/** A hash that is looked for, and how far away the answer may be. */
export interface NearQuery {
  readonly high: number;
  readonly low: number;
  readonly distance: number;
}

/** Opens the run of this name. `NEAR_RUN_DAMAGED` when it is not as it was written. */
export function openRun(storage: Storage, file: FileName, done: Done<NearRun>): void {
  const read = (opened: ReadableFile): void =>
    readRun(opened, (...outcome) => {
      if (outcome[0] === null) done(...outcome);
      else opened.close(() => done(...outcome));
    });
  storage.openToRead(file, withValue(done, read));
}

function readRun(file: ReadableFile, done: Done<NearRun>): void {
  const name = parseRunName(file.name);
  assert(name !== null, `${file.name} is no name of a run`);
  const readTables = (footer: RunFooter): void => {
    const readLow = (high: HalfTable): void => {
      const finish = (low: HalfTable): void => done(null, new NearRun(name, file, { high, low }));
      readTable(file, footer, "low", withValue(done, finish));
    };
    readTable(file, footer, "high", withValue(done, readLow));
  };
  readRunFooter(file, name, withValue(done, readTables));
}

export function readRunFooter(file: ReadableFile, name: RunName, done: Done<RunFooter>): void {
  const take = (bytes: Uint8Array): void => {
    const footer = readFooter(bytes, name.count);
    if (footer === null) done(damagedRun(file.name, "it has no footer"), undefined);
    else done(null, footer);
  };
  file.read(runBytes(name.count) - FOOTER_BYTES, FOOTER_BYTES, withValue(done, take));
}

/** Reads the index of one table of a run. */
export function readTable(
  file: ReadableFile,
  footer: RunFooter,
  half: Half,
  done: Done<HalfTable>,
): void {
  const { count, sums } = footer;
  const index = new Uint8Array(indexBytes(count));
  const finish = (): void => {
    if (crc32(index) === sums[half].index) done(null, tableIn(index, count));
    else done(damagedRun(file.name, `the index by the ${half} half is not as written`), undefined);
  };
  readInto(file, placesOf(half, count).index, index, whenDone(done, finish));
}

function readInto(
  file: ReadableFile,
  from: number,
  target: Uint8Array,
  done: Acknowledge,
  filled = 0,
): void {
  if (filled === target.length) {
    done(null);
    return;
  }
  const sizeBytes = Math.min(PIECE_BYTES, target.length - filled);
  const take = (bytes: Uint8Array): void => {
    if (bytes.length < sizeBytes) done(damagedRun(file.name, "it is too short"));
    else {
      target.set(bytes, filled);
      readInto(file, from, target, done, filled + sizeBytes);
    }
  };
  file.read(from + filled, sizeBytes, withValue(done, take));
}

export function damagedRun(file: FileName, reason: string): CrawlError {
  const message =
    `The near-duplicate run ${file} is damaged: ${reason}. It is made anew from its log when the ` +
    "index is opened again; check the disk.";
  return new CrawlError("NEAR_RUN_DAMAGED", message, { file, reason });
}
