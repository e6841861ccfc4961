/**
 * Which URLs wait in the queues, in which band, and with how many copies. The table has a fixed
 * size. A URL that finds no slot, or loses it to another, waits as before and merely cannot be
 * promoted; but one with superfluous copies in a queue keeps its slot, since those must be
 * recognised.
 *
 * The slots are those of a cache of fingerprints. A slot without copies is free, and so is one of a
 * host whose queue was dropped since: drops are numbered, and each slot has the number of the last
 * drop before it, so that dropping a host need not search for its slots.
 */
import assert from "node:assert/strict";
import {
  BUCKET_SLOTS,
  type Fingerprint,
  FingerprintCache,
  NO_SLOT,
} from "../../base/fingerprints/index.ts";
import { ChangedPieces } from "../queues/index.ts";

const DEPTH_MAX = 0xffff;
/** Slots whose URLs are kept together in a checkpoint; whole buckets. */
const CHUNK_BITS = 12;
/** Of a URL in a checkpoint: fingerprint, host, depth, band, copies, whether it waits. */
const SAVED_BYTES = 17;
/** What a slot takes in all columns here. */
const COLUMNS_BYTES = 13;

export class WaitingTable {
  /** For checkpoints: all URLs that have copies in queues, in chunks. */
  readonly pieces: ChangedPieces = new ChangedPieces((chunk) => this.#saveChunk(chunk));
  readonly #cache: FingerprintCache;
  readonly #hosts: Int32Array;
  readonly #depths: Uint16Array;
  readonly #bands: Uint8Array;
  /** Records of the URL in its host's queue. */
  readonly #copies: Uint8Array;
  /** 1 while one of the copies is the URL itself, 0 when all are left over. */
  readonly #waits: Uint8Array;
  /** How many drops there had been when the record was pushed. */
  readonly #epochs: Uint32Array;
  /** By host: the number of its last drop. */
  readonly #dropOf = new Map<number, number>();
  #drops = 0;
  #hand = 0;

  /** `slots` is a power of two. */
  constructor(slots: number) {
    this.#cache = new FingerprintCache(slots);
    this.#hosts = new Int32Array(slots);
    this.#depths = new Uint16Array(slots);
    this.#bands = new Uint8Array(slots);
    this.#copies = new Uint8Array(slots);
    this.#waits = new Uint8Array(slots);
    this.#epochs = new Uint32Array(slots);
  }

  get memoryBytes(): number {
    return this.#cache.memoryBytes + COLUMNS_BYTES * this.#copies.length;
  }

  /** The slot of a URL; `NO_SLOT` when it has none. */
  find(high: number, low: number): number {
    const slot = this.#cache.find(high, low);
    return slot === NO_SLOT || this.#isFree(slot) ? NO_SLOT : slot;
  }

  waits(slot: number): boolean {
    return this.#waits[slot] === 1;
  }

  band(slot: number): number {
    return this.#bands[slot] as number;
  }

  depth(slot: number): number {
    return this.#depths[slot] as number;
  }

  /** Notes a record that goes into the queue of a host; it is the URL from now on. */
  pushed(record: WaitingRecord): void {
    const { high, low, host, depth, band } = record;
    const known = this.#cache.find(high, low);
    const slot = known === NO_SLOT ? this.#vacancy(this.#cache.bucketOf(high, low)) : known;
    if (slot === NO_SLOT) return;
    this.pieces.changing(slot >>> CHUNK_BITS);
    const copies = known === NO_SLOT || this.#isFree(slot) ? 0 : (this.#copies[slot] as number);
    this.#cache.put(slot, high, low);
    this.#hosts[slot] = host;
    this.#depths[slot] = Math.min(depth, DEPTH_MAX);
    this.#bands[slot] = band;
    this.#copies[slot] = copies + 1;
    this.#waits[slot] = 1;
    this.#epochs[slot] = this.#drops;
  }

  /** Notes that a record came out of its queue; false when it was a superfluous copy. */
  pulled(high: number, low: number): boolean {
    const slot = this.find(high, low);
    if (slot === NO_SLOT) return true;
    this.pieces.changing(slot >>> CHUNK_BITS);
    this.#copies[slot] = (this.#copies[slot] as number) - 1;
    const isUrl = this.#waits[slot] === 1;
    this.#waits[slot] = 0;
    return isUrl;
  }

  /** Forgets everything of a host whose queue was dropped. */
  dropped(host: number): void {
    for (let slot = 0; slot < this.#copies.length; slot += 2 ** CHUNK_BITS) {
      this.pieces.changing(slot >>> CHUNK_BITS);
    }
    this.#drops += 1;
    this.#dropOf.set(host, this.#drops);
  }

  /** Null if there are none. */
  #saveChunk(chunk: number): Buffer | null {
    const slots: number[] = [];
    const first = chunk << CHUNK_BITS;
    const end = Math.min(first + 2 ** CHUNK_BITS, this.#copies.length);
    for (let slot = first; slot < end; slot += 1) if (!this.#isFree(slot)) slots.push(slot);
    if (slots.length === 0) return null;
    const bytes = Buffer.alloc(slots.length * SAVED_BYTES);
    for (const [index, slot] of slots.entries()) {
      const at = index * SAVED_BYTES;
      bytes.writeUInt32LE(this.#cache.high(slot), at);
      bytes.writeUInt32LE(this.#cache.low(slot), at + 4);
      bytes.writeInt32LE(this.#hosts[slot] as number, at + 8);
      bytes.writeUInt16LE(this.#depths[slot] as number, at + 12);
      bytes[at + 14] = this.#bands[slot] as number;
      bytes[at + 15] = this.#copies[slot] as number;
      bytes[at + 16] = this.#waits[slot] as number;
    }
    return bytes;
  }

  /**
   * Takes the URLs of a chunk, only while it has none of them; `found` is told how many superfluous copies
   * each has in the queue of its host.
   */
  restore(bytes: Buffer, found: (host: number, superfluous: number) => void): void {
    for (let at = 0; at < bytes.length; at += SAVED_BYTES) {
      const high = bytes.readUInt32LE(at);
      const low = bytes.readUInt32LE(at + 4);
      const [host, depth] = [bytes.readInt32LE(at + 8), bytes.readUInt16LE(at + 12)];
      this.pushed({ high, low, host, depth, band: bytes[at + 14] as number });
      const slot = this.#cache.find(high, low);
      assert(slot !== NO_SLOT, "what was in a table of this size fits into it");
      this.#copies[slot] = bytes[at + 15] as number;
      this.#waits[slot] = bytes[at + 16] as number;
      found(host, (bytes[at + 15] as number) - (bytes[at + 16] as number));
    }
  }

  #isFree(slot: number): boolean {
    if (this.#copies[slot] === 0) return true;
    const dropped = this.#dropOf.get(this.#hosts[slot] as number) ?? 0;
    return (this.#epochs[slot] as number) < dropped;
  }

  /** A slot of the bucket that is free, or whose URL has no superfluous copies, if there is one. */
  #vacancy(from: number): number {
    let vacancy = NO_SLOT;
    this.#hand = (this.#hand + 1) % BUCKET_SLOTS;
    for (let turn = 0; turn < BUCKET_SLOTS; turn += 1) {
      const slot = from + ((this.#hand + turn) % BUCKET_SLOTS);
      if (this.#isFree(slot)) return slot;
      if (this.#copies[slot] === 1 && this.#waits[slot] === 1) vacancy = slot;
    }
    return vacancy;
  }
}

/** A record of a queue, as far as the table knows it. */
export interface WaitingRecord extends Fingerprint {
  readonly host: number;
  readonly depth: number;
  readonly band: number;
}
