/**
 * Records that wait in memory to be written: one list for each queue, in chunks of memory that are
 * filled from end to end, so that a record costs its bytes and eight more, and no object.
 *
 * A record is the address of the next one in its list (4 bytes), its length (4) and its bytes, at
 * an address that is a multiple of four. A list is known by one number, its *anchor*. First-in
 * first-out: the address of the newest, whose next is the oldest, so the list is a ring. Last-in
 * first-out: the address of the newest, whose next is the one before. What is taken from a list
 * leaves its bytes behind until the whole buffer is cleared.
 */
import assert from "node:assert/strict";
import { QueueNumbers } from "./queue-numbers.ts";

/** No record; nothing is ever put at this address. */
export const NO_RECORD: number = 0;

const HEADER_BYTES = 8;
/** A chunk holds the longest record. */
const SMALL_CHUNK_BITS = 18;
const CHUNK_BITS = 20;

interface BufferChunk {
  readonly bytes: Uint8Array;
  /** The same memory, four bytes at a time. */
  readonly words: Uint32Array;
}

export class RecordBuffer {
  readonly #isStack: boolean;
  /** How many bits of an address tell the place inside a chunk. */
  readonly #chunkBits: number;
  readonly #chunksKept: number;
  readonly #chunks: BufferChunk[] = [];
  readonly #anchors = new QueueNumbers();
  #current = 0;
  #usedBytes: number;
  #count = 0;

  /** `bytesMax` is how much memory `clear` keeps for the next records; a buffer may hold more. */
  constructor({ isStack, bytesMax }: { readonly isStack: boolean; readonly bytesMax: number }) {
    this.#isStack = isStack;
    this.#chunkBits = bytesMax < 2 ** CHUNK_BITS ? SMALL_CHUNK_BITS : CHUNK_BITS;
    this.#chunksKept = Math.ceil(bytesMax / 2 ** this.#chunkBits);
    this.#chunks.push(this.#newChunk());
    this.#usedBytes = HEADER_BYTES;
  }

  /** How many records are in it. */
  get count(): number {
    return this.#count;
  }

  /** One more than the greatest queue with records. */
  get queues(): number {
    return this.#anchors.size;
  }

  /** Bytes filled since it was cleared. */
  get bytes(): number {
    return this.#current * 2 ** this.#chunkBits + this.#usedBytes;
  }

  get memoryBytes(): number {
    return this.#chunks.length * 2 ** this.#chunkBits + this.#anchors.memoryBytes;
  }

  push(queue: number, record: Uint8Array, from: number, to: number): void {
    const lengthBytes = to - from;
    const address = this.#reserve(lengthBytes);
    const { bytes, words } = this.#chunkOf(address);
    const at = this.#placeOf(address);
    for (let index = 0; index < lengthBytes; index += 1) {
      bytes[at + HEADER_BYTES + index] = record[from + index] as number;
    }
    words[(at >>> 2) + 1] = lengthBytes;
    this.#link(queue, address);
    this.#count += 1;
  }

  /** The first record of the queue; `NO_RECORD` when it is empty. */
  first(queue: number): number {
    const anchor = this.#anchors.get(queue);
    return this.#isStack || anchor === NO_RECORD ? anchor : this.next(anchor);
  }

  /** The record behind another of its queue. Behind the last one of a ring is its first. */
  next(address: number): number {
    return this.#chunkOf(address).words[this.#placeOf(address) >>> 2] ?? NO_RECORD;
  }

  /** Whether nothing comes behind this record of the queue. */
  isLast(queue: number, address: number): boolean {
    if (this.#isStack) return this.next(address) === NO_RECORD;
    return address === this.#anchors.get(queue);
  }

  lengthOf(address: number): number {
    return this.#chunkOf(address).words[(this.#placeOf(address) >>> 2) + 1] ?? 0;
  }

  /** Copies a record to `target`, where there must be room for it. */
  copyTo(address: number, target: Uint8Array, at: number): void {
    const { bytes } = this.#chunkOf(address);
    const from = this.#placeOf(address) + HEADER_BYTES;
    const lengthBytes = this.lengthOf(address);
    // For the lengths of URLs a loop is faster than the view that `set` needs.
    for (let index = 0; index < lengthBytes; index += 1) {
      target[at + index] = bytes[from + index] as number;
    }
  }

  /** Takes the first record of a queue out of it. */
  removeFirst(queue: number): void {
    const anchor = this.#anchors.get(queue);
    assert(anchor !== NO_RECORD, "a record is taken from a queue that has one");
    const first = this.#isStack ? anchor : this.next(anchor);
    const second = this.next(first);
    if (this.#isStack) this.#anchors.set(queue, second);
    else if (first === anchor) this.#anchors.set(queue, NO_RECORD);
    else this.#setNext(anchor, second);
    this.#count -= 1;
  }

  /** Drops all records; memory within the bound is kept for the next ones. */
  clear(): void {
    this.#anchors.clear();
    this.#chunks.length = Math.min(this.#chunks.length, this.#chunksKept);
    this.#current = 0;
    this.#usedBytes = HEADER_BYTES;
    this.#count = 0;
  }

  #link(queue: number, address: number): void {
    const anchor = this.#anchors.get(queue);
    if (this.#isStack) this.#setNext(address, anchor);
    else if (anchor === NO_RECORD) this.#setNext(address, address);
    else {
      this.#setNext(address, this.next(anchor));
      this.#setNext(anchor, address);
    }
    this.#anchors.set(queue, address);
  }

  #reserve(lengthBytes: number): number {
    const neededBytes = (HEADER_BYTES + lengthBytes + 3) & ~3;
    if (this.#usedBytes + neededBytes > 2 ** this.#chunkBits) {
      this.#current += 1;
      this.#usedBytes = 0;
      if (this.#current === this.#chunks.length) this.#chunks.push(this.#newChunk());
    }
    const address = this.#current * 2 ** this.#chunkBits + this.#usedBytes;
    if (address >= 2 ** 32) assert.fail("a buffer has at most 4 GiB");
    this.#usedBytes += neededBytes;
    return address;
  }

  #newChunk(): BufferChunk {
    const bytes = new Uint8Array(2 ** this.#chunkBits);
    return { bytes, words: new Uint32Array(bytes.buffer) };
  }

  #chunkOf(address: number): BufferChunk {
    return this.#chunks[address >>> this.#chunkBits] as BufferChunk;
  }

  #placeOf(address: number): number {
    return address & (2 ** this.#chunkBits - 1);
  }

  #setNext(address: number, next: number): void {
    this.#chunkOf(address).words[this.#placeOf(address) >>> 2] = next;
  }
}
