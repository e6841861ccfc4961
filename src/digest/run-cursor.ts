/**
 * Reads one table of a run from its beginning to its end, a chunk at a time, and checks its sums:
 * for merging. Entries hold only the other half; the half itself is put together from the bucket
 * and the rest.
 */
import { crc32 } from "node:zlib";
import type { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Done, ReadableFile } from "../seams/index.ts";
import { withValue } from "./answers.ts";
import { makeChunk } from "./entry-chunk.ts";
import { BUCKETS } from "./half-table.ts";
import { damagedRun } from "./near-run.ts";
import {
  ENTRY_BYTES,
  type Half,
  REST_BYTES,
  type RunFooter,
  STARTS_BYTES,
  sectionsOf,
} from "./run-layout.ts";

const CHUNK_ENTRIES = 16_384;

export class RunCursor {
  readonly #file: ReadableFile;
  readonly #footer: RunFooter;
  readonly #half: Half;
  readonly #chunk = makeChunk(CHUNK_ENTRIES);
  readonly #starts = new Uint32Array(BUCKETS + 1);
  /** How many entries are in the chunk, how many of them are used, how many were read before. */
  #filled = 0;
  #at = 0;
  #before = 0;
  #bucket = 0;
  #entriesSum = 0;
  #restsSum = 0;

  constructor(file: ReadableFile, footer: RunFooter, half: Half) {
    this.#file = file;
    this.#footer = footer;
    this.#half = half;
  }

  /** Reads where the buckets begin; the first entry must then be asked for by `fill`. */
  open(done: Acknowledge): void {
    const { starts: from } = sectionsOf(this.#half, this.#footer.count);
    const take = (bytes: Uint8Array): void => {
      if (crc32(bytes) !== this.#footer.sums[this.#half].starts) done(this.#damaged());
      else {
        new Uint8Array(this.#starts.buffer).set(bytes);
        done(null);
      }
    };
    this.#file.read(from, STARTS_BYTES, withValue(done, take));
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
    this.#before += this.#filled;
    this.#at = 0;
    const count = Math.min(CHUNK_ENTRIES, this.#footer.count - this.#before);
    this.#filled = 0;
    this.#readChunk(
      count,
      withValue(done, ({ entries, rests }) => {
        this.#decode(entries, rests, count);
        this.#filled = count;
        done(this.#isDamaged() ? this.#damaged() : null);
      }),
    );
  }

  #readChunk(count: number, done: Done<{ entries: Uint8Array; rests: Uint8Array }>): void {
    const from = sectionsOf(this.#half, this.#footer.count);
    const entriesFrom = from.entries + this.#before * ENTRY_BYTES;
    const restsFrom = from.rests + this.#before * REST_BYTES;
    const check = (entries: Uint8Array, rests: Uint8Array): void => {
      const isWhole = entries.length + rests.length === count * (ENTRY_BYTES + REST_BYTES);
      if (isWhole) done(null, { entries, rests });
      else done(this.#damaged(), undefined);
    };
    const readRests = (entries: Uint8Array): void => {
      const take = withValue(done, (rests: Uint8Array) => check(entries, rests));
      this.#file.read(restsFrom, count * REST_BYTES, take);
    };
    this.#file.read(entriesFrom, count * ENTRY_BYTES, withValue(done, readRests));
  }

  #decode(entries: Uint8Array, rests: Uint8Array, count: number): void {
    const view = Buffer.from(entries.buffer, entries.byteOffset, entries.length);
    for (let at = 0; at < count; at++) {
      while ((this.#starts[this.#bucket + 1] as number) <= this.#before + at) this.#bucket++;
      const rest = (rests[2 * at] as number) | ((rests[2 * at + 1] as number) << 8);
      this.#chunk.halves[at] = this.#bucket * BUCKETS + rest;
      this.#chunk.others[at] = view.readUInt32LE(at * ENTRY_BYTES);
      this.#chunk.ids[at] = view.readUIntLE(at * ENTRY_BYTES + 4, 6);
    }
    this.#entriesSum = crc32(entries, this.#entriesSum);
    this.#restsSum = crc32(rests, this.#restsSum);
  }

  #isDamaged(): boolean {
    const { entries, rests } = this.#footer.sums[this.#half];
    const isLast = this.#before + this.#filled === this.#footer.count;
    return isLast && (this.#entriesSum !== entries || this.#restsSum !== rests);
  }

  #damaged(): CrawlError {
    return damagedRun(
      this.#file.name,
      `the table by the ${this.#half} half does not match its sum`,
    );
  }
}
