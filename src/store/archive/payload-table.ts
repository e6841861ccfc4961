/**
 * Which bodies the archive has already: SHA-1 of a body → the URL and date of the record that has
 * it. It answers at once and keeps no object per page: an entry is some 30 bytes and the URL's path
 * in a shared arena, the origin of URLs is kept once per host, and a slot of a hash table leads to
 * it; less than 100 bytes a page in all. Whole digests are compared, so two bodies are never
 * confused.
 *
 * Memory is bounded. When it is used up nothing new is remembered, and a duplicate of a body that
 * was not remembered is stored again: the archive grows, but nothing is lost.
 */
import assert from "node:assert/strict";
import { grownBuffer } from "../../base/bytes/index.ts";
import type { Random } from "../../base/seams/index.ts";

export interface PayloadOriginal {
  readonly url: string;
  readonly dateMs: number;
}

/** The bodies that the archive has, as a store asks for them. */
export interface Payloads {
  /** `url` is the page that has the body now, if it is about to be stored. */
  find(digest: Uint8Array, url: string | null): PayloadOriginal | null;
  add(digest: Uint8Array, url: string, dateMs: number): void;
}

/** Entries of a table, one after the other. */
export interface PayloadPiece {
  readonly bytes: Buffer;
  readonly entries: number;
  /** Where the next piece begins. */
  readonly next: number;
}

/** Digest, six bytes of date, four of the origin's number, two of the path's length. */
const HEAD_BYTES = 32;
const DIGEST_BYTES = 20;
const CHUNK_BYTES = 1024 * 1024;
/** Of the first chunk, which grows. */
const FIRST_BYTES = 4096;
const PATH_BYTES_MAX = 0xffff;
/** Of entries that are given out together. */
const PIECE_BYTES = 64 * 1024;
/** Each table is small and grows alone, so that no insertion takes long. */
const TABLES = 256;
const SLOTS_MIN = 8;

export class PayloadTable implements Payloads {
  readonly #bytesMax: number;
  readonly #salt: number;
  readonly #chunks: Buffer[] = [];
  /** How much of each chunk has entries, but for the last. */
  readonly #ends: number[] = [];
  #usedBytes = CHUNK_BYTES;
  /** By the first byte of a digest; absent where there is none yet. */
  readonly #tables: Uint32Array[] = [];
  readonly #counts: Uint32Array = new Uint32Array(TABLES);
  #slots = 0;
  readonly #origins: string[] = [];
  readonly #originNumbers = new Map<string, number>();
  #originBytes = 0;
  #count = 0;

  /** `random` keeps servers from choosing bodies that crowd one place of the table. */
  constructor(random: Random, bytesMax: number = 512 * 1024 * 1024) {
    this.#salt = random.u32() | 1;
    this.#bytesMax = bytesMax;
  }

  get count(): number {
    return this.#count;
  }

  /** Where pages are, in the order in which they were met; entries name them by their numbers. */
  get origins(): readonly string[] {
    return this.#origins;
  }

  /** Memory in use, about. */
  get bytes(): number {
    const firstBytes = this.#chunks[0]?.length ?? 0;
    const chunksBytes = Math.max(0, this.#chunks.length - 1) * CHUNK_BYTES + firstBytes;
    return chunksBytes + this.#slots * 4 + this.#originBytes;
  }

  /** The record that has the body with this digest; null when none is known. */
  find(digest: Uint8Array): PayloadOriginal | null {
    const number = digest[0] ?? 0;
    const table = this.#tables[number] ?? NO_TABLE;
    const found = table[this.#slot(table, digest)] ?? 0;
    return found === 0 ? null : this.#original(found);
  }

  /** Remembers a body that has been stored; a digest that is known stays as it is. */
  add(digest: Uint8Array, url: string, dateMs: number): void {
    assert(digest.length === DIGEST_BYTES, "a SHA-1 has twenty bytes");
    if (this.#has(digest)) return;
    const entry = this.#write(digest, url, dateMs);
    if (entry !== 0) this.#index(digest, entry);
  }

  /** Where entries go that are added from now on: see `entriesFrom`. */
  get end(): number {
    const { length } = this.#chunks;
    return length === 0 ? 0 : (length - 1) * CHUNK_BYTES + this.#usedBytes;
  }

  /**
   * Some entries as they lie in memory, between two places that were ends of the table or of pieces; the
   * first place is 0.
   */
  entriesFrom(place: number, end: number): PayloadPiece {
    let number = Math.floor(place / CHUNK_BYTES);
    let from = place % CHUNK_BYTES;
    if (from === (this.#ends[number] ?? CHUNK_BYTES)) {
      number += 1;
      from = 0;
    }
    const chunk = this.#chunks[number];
    assert(chunk !== undefined && place < end, "there are entries from here on");
    const chunkEnd = this.#ends[number] ?? this.#usedBytes;
    const to = Math.min(chunkEnd, end - number * CHUNK_BYTES);
    let at = from;
    let entries = 0;
    while (at < to && at - from < PIECE_BYTES) {
      at += entryLength(chunk.readUInt16LE(at + 30));
      entries += 1;
    }
    return { bytes: chunk.subarray(from, at), entries, next: number * CHUNK_BYTES + at };
  }

  /** The next origin of another table, all of whose entries are added afterwards. */
  addOrigin(origin: string): void {
    this.#originNumber(origin);
  }

  /** Adds entries of another table with the same origins. How many they are; null if they are not such. */
  addEntries(entries: Buffer): number | null {
    return walkEntries(entries, this.#origins.length, (from, to) => {
      const digest = entries.subarray(from, from + DIGEST_BYTES);
      if (this.#has(digest) || !this.#hasRoom(to - from)) return;
      const chunk = this.#chunks.at(-1) as Buffer;
      chunk.set(entries.subarray(from, to), this.#usedBytes);
      this.#index(digest, this.#take(to - from));
    });
  }

  #has(digest: Uint8Array): boolean {
    const table = this.#tables[digest[0] ?? 0] ?? NO_TABLE;
    return table[this.#slot(table, digest)] !== 0;
  }

  /** Lets a digest, which is not known yet, lead to an entry. */
  #index(digest: Uint8Array, entry: number): void {
    const number = digest[0] ?? 0;
    const count = (this.#counts[number] ?? 0) + 1;
    let table = this.#tables[number] ?? NO_TABLE;
    if (table === NO_TABLE || count * 4 > table.length * 3) table = this.#grown(number);
    table[this.#slot(table, digest)] = entry;
    this.#counts[number] = count;
    this.#count += 1;
  }

  /** Where the digest is, or where it would go. */
  #slot(table: Uint32Array, digest: Uint8Array): number {
    const mask = table.length - 1;
    let slot = this.#hash(digest, 0) & mask;
    for (;;) {
      const entry = table[slot] ?? 0;
      if (entry === 0 || this.#isSame(entry, digest)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #hash(bytes: Uint8Array, at: number): number {
    const low = word(bytes, at + 1);
    const high = word(bytes, at + 5);
    const mixed = Math.imul(low ^ this.#salt, 0x85ebca6b) ^ Math.imul(high, this.#salt);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  #isSame(entry: number, digest: Uint8Array): boolean {
    const { chunk, at } = this.#locate(entry);
    for (let index = 0; index < DIGEST_BYTES; index += 1) {
      if (chunk[at + index] !== digest[index]) return false;
    }
    return true;
  }

  /** Entries begin at multiples of four; their numbers count from one. */
  #locate(entry: number): { readonly chunk: Buffer; readonly at: number } {
    const offset = (entry - 1) * 4;
    const chunk = this.#chunks[Math.floor(offset / CHUNK_BYTES)];
    assert(chunk !== undefined, "an entry is in a chunk");
    return { chunk, at: offset % CHUNK_BYTES };
  }

  #original(entry: number): PayloadOriginal {
    const { chunk, at } = this.#locate(entry);
    const dateMs = chunk.readUIntLE(at + 20, 6);
    const origin = this.#origins[chunk.readUInt32LE(at + 26)] ?? "";
    const path = chunk.toString(
      "utf8",
      at + HEAD_BYTES,
      at + HEAD_BYTES + chunk.readUInt16LE(at + 30),
    );
    return { url: origin + path, dateMs };
  }

  /** The number of a new entry; 0 when there is no memory for it, or its path is too long. */
  #write(digest: Uint8Array, url: string, dateMs: number): number {
    const cut = originLength(url);
    const path = url.slice(cut);
    const pathBytes = Buffer.byteLength(path, "utf8");
    const entryBytes = entryLength(pathBytes);
    if (pathBytes > PATH_BYTES_MAX || !this.#hasRoom(entryBytes)) return 0;
    const chunk = this.#chunks.at(-1);
    assert(chunk !== undefined, "there is a chunk with room");
    const at = this.#usedBytes;
    chunk.set(digest, at);
    chunk.writeUIntLE(dateMs, at + 20, 6);
    chunk.writeUInt32LE(this.#originNumber(url.slice(0, cut)), at + 26);
    chunk.writeUInt16LE(pathBytes, at + 30);
    chunk.write(path, at + HEAD_BYTES, "utf8");
    return this.#take(entryBytes);
  }

  /** Takes the room of an entry in the last chunk, and gives the number of the entry. */
  #take(entryBytes: number): number {
    const at = this.#usedBytes;
    this.#usedBytes += entryBytes;
    return ((this.#chunks.length - 1) * CHUNK_BYTES + at) / 4 + 1;
  }

  #hasRoom(entryBytes: number): boolean {
    if (this.#usedBytes + entryBytes > CHUNK_BYTES) {
      if (this.bytes + CHUNK_BYTES > this.#bytesMax) return false;
      if (this.#chunks.length > 0) this.#ends.push(this.#usedBytes);
      this.#chunks.push(Buffer.alloc(this.#chunks.length === 0 ? FIRST_BYTES : CHUNK_BYTES));
      this.#usedBytes = 0;
    }
    const last = this.#chunks.length - 1;
    const chunk = this.#chunks[last] as Buffer;
    this.#chunks[last] = grownBuffer(chunk, this.#usedBytes + entryBytes, CHUNK_BYTES);
    return true;
  }

  #originNumber(origin: string): number {
    const known = this.#originNumbers.get(origin);
    if (known !== undefined) return known;
    const number = this.#origins.length;
    this.#origins.push(origin);
    this.#originNumbers.set(origin, number);
    this.#originBytes += origin.length + 64;
    return number;
  }

  #grown(number: number): Uint32Array {
    const old = this.#tables[number] ?? NO_TABLE;
    const table = new Uint32Array(old === NO_TABLE ? SLOTS_MIN : old.length * 2);
    this.#tables[number] = table;
    this.#slots += table.length - (old === NO_TABLE ? 0 : old.length);
    const mask = table.length - 1;
    for (const entry of old) {
      if (entry === 0) continue;
      const { chunk, at } = this.#locate(entry);
      let slot = this.#hash(chunk, at) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = entry;
    }
    return table;
  }
}

/** Empty, and never written to. */
const NO_TABLE: Uint32Array = new Uint32Array(1);

/** Entries begin at multiples of four. */
function entryLength(pathBytes: number): number {
  return (HEAD_BYTES + pathBytes + 3) & ~3;
}

/**
 * Goes through entries that were given out by a table with so many origins. How many they are; null if they
 * cannot be such.
 */
export function walkEntries(
  entries: Buffer,
  origins: number,
  take: (from: number, to: number) => void,
): number | null {
  let count = 0;
  for (let at = 0; at < entries.length; count += 1) {
    if (at + HEAD_BYTES > entries.length) return null;
    const end = at + entryLength(entries.readUInt16LE(at + 30));
    if (end > entries.length || entries.readUInt32LE(at + 26) >= origins) return null;
    take(at, end);
    at = end;
  }
  return count;
}

function word(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  return low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

/** Scheme, host and port: everything before the path. */
function originLength(url: string): number {
  const host = url.indexOf("://");
  if (host === -1) return 0;
  const slash = url.indexOf("/", host + 3);
  return slash === -1 ? url.length : slash;
}
