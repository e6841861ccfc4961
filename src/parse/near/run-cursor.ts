/**
 * Reads one table of a run from its beginning to its end, a chunk at a time, and checks its sums:
 * for merging. Entries hold only the other half; the half itself is in the index.
 */
import { crc32 } from "node:zlib";
import type { Acknowledge, ReadableFile } from "../../base/seams/index.ts";
import { withValue } from "../../base/seams/index.ts";
import { makeChunk } from "./entry-chunk.ts";
import type { HalfTable } from "./half-table.ts";
import { damagedRun, readTable } from "./near-run.ts";
import { ENTRY_BYTES, type Half, placesOf, type RunFooter } from "./run-layout.ts";

const CHUNK_ENTRIES = 16_384;

export class RunCursor {
  readonly #file: ReadableFile;
  readonly #footer: RunFooter;
  readonly #half: Half;
  readonly #chunk = makeChunk(CHUNK_ENTRIES);
  #table: HalfTable | null = null;
  /** How many entries are in the chunk, how many of them are used, how many were read before. */
  #filled = 0;
  #at = 0;
  #before = 0;
  #entriesSum = 0;

  constructor(file: ReadableFile, footer: RunFooter, half: Half) {
    this.#file = file;
    this.#footer = footer;
    this.#half = half;
  }

  /** Whether there is an entry at hand; when not, there may be more after `fill`. */
  get hasEntry(): boolean {
    return this.#at < this.#filled;
  }

  /** Whether every entry has been used. */
  get isAtEnd(): boolean {
    return this.#before + this.#at === this.#footer.count;
  }

  get half(): number {
    return this.#chunk.halves[this.#at] as number;
  }

  get other(): number {
    return this.#chunk.others[this.#at] as number;
  }

  get id(): number {
    return this.#chunk.ids[this.#at] as number;
  }

  advance(): void {
    this.#at++;
  }

  /** Reads the next chunk; only when there is no entry at hand and more are to come. */
  fill(done: Acknowledge): void {
    const table = this.#table;
    if (table !== null) this.#readChunk(table, done);
    else {
      const take = (read: HalfTable): void => {
        this.#table = read;
        this.#readChunk(read, done);
      };
      readTable(this.#file, this.#footer, this.#half, withValue(done, take));
    }
  }

  #readChunk(table: HalfTable, done: Acknowledge): void {
    this.#before += this.#filled;
    this.#at = 0;
    this.#filled = 0;
    const count = Math.min(CHUNK_ENTRIES, this.#footer.count - this.#before);
    const { entries } = placesOf(this.#half, this.#footer.count);
    const take = (bytes: Uint8Array): void => {
      const isWhole = bytes.length === count * ENTRY_BYTES;
      if (isWhole) this.#decode(table, bytes, count);
      const isDamaged = !isWhole || this.#isSumWrong();
      done(isDamaged ? damagedRun(this.#file.name, "its entries are not as written") : null);
    };
    const from = entries + this.#before * ENTRY_BYTES;
    this.#file.read(from, count * ENTRY_BYTES, withValue(done, take));
  }

  #decode(table: HalfTable, bytes: Uint8Array, count: number): void {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    table.readHalves(this.#before, this.#chunk.halves.subarray(0, count));
    for (let at = 0; at < count; at++) {
      this.#chunk.others[at] = view.readUInt32LE(at * ENTRY_BYTES);
      this.#chunk.ids[at] = view.readUIntLE(at * ENTRY_BYTES + 4, 6);
    }
    this.#entriesSum = crc32(bytes, this.#entriesSum);
    this.#filled = count;
  }

  #isSumWrong(): boolean {
    const isLast = this.#before + this.#filled === this.#footer.count;
    return isLast && this.#entriesSum !== this.#footer.sums[this.#half].entries;
  }
}
