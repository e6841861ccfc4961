/**
 * The hosts of a lane and their numbers: the first host is 0, the next 1. A name keeps its number
 * over all restarts: new names are appended to a log, in the order of their numbers, and a
 * checkpoint makes them durable. The table of a crawl that is not kept has no log.
 *
 * A name of twenty characters takes some forty bytes of memory: the name itself, where it lies, and
 * a place in a table of numbers. The empty name is one too: it stands for the files of this
 * machine.
 *
 * Names lie one behind the other in chunks of memory, each after its length. The table is divided
 * into 256 parts by the name's hash; each is an open-addressed table of its own that doubles when
 * it is three quarters full, so that no single call moves everything. The hash is keyed, since
 * strangers choose the names of hosts, and could otherwise choose names that all collide.
 */
import assert from "node:assert/strict";
import { grownBuffer } from "../../base/bytes/index.ts";
import { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "../../base/hash/index.ts";
import type { Position } from "../../base/log/index.ts";
import { type Acknowledge, type Done, type Random, withValue } from "../../base/seams/index.ts";
import type { Journal } from "./journals/journal.ts";
import { QueueNumbers } from "./queue-numbers.ts";

/** What a checkpoint records of the table, and opening it takes: plain values. */
export interface HostTableMarks {
  readonly hosts: number;
  /** Where the log of names ends. */
  readonly end: Position;
}

/** No name is longer, in characters; DNS allows 253, but a URL may have more. */
const NAME_BYTES_MAX = 65_535;

const CHUNK_BITS = 18;
const CHUNK_BYTES = 2 ** CHUNK_BITS;
/** Of the first chunk, which grows. */
const FIRST_BYTES = 1024;
/** Before each name, in memory and in the log. */
const LENGTH_BYTES = 2;
const PARTS = 256;
const PART_SLOTS_MIN = 16;
/** Of all parts without a name; it is never written to. */
const NO_SLOTS = new Uint32Array(1);

/** Numbers of hosts plus one; 0 for a free slot. */
interface TablePart {
  slots: Uint32Array;
  used: number;
}

export class HostTable {
  readonly #hasher = new SipHasher(NAME_BYTES_MAX);
  readonly #key: KeySlot;
  readonly #chunks: Buffer[] = [];
  readonly #addresses = new QueueNumbers();
  readonly #parts: TablePart[];
  #usedBytes = CHUNK_BYTES;
  #count = 0;
  #moved = 0;
  #slotBytes = 0;
  /** Null for a table in memory alone. */
  #journal: Journal | null = null;

  /** An empty table without a log; the key of its hash is drawn from `random`. */
  constructor(random: Random) {
    const key = Uint8Array.from({ length: KEY_BYTES }, () => random.below(256));
    this.#key = this.#hasher.addKey(key);
    this.#parts = Array.from({ length: PARTS }, () => ({ slots: NO_SLOTS, used: 0 }));
  }

  /** How many hosts have numbers; the next one gets this. */
  get count(): number {
    return this.#count;
  }

  /** How many entries have been moved by growth so far; one call moves those of one part. */
  get moved(): number {
    return this.#moved;
  }

  get memoryBytes(): number {
    const firstBytes = this.#chunks[0]?.length ?? 0;
    const chunksBytes = Math.max(0, this.#chunks.length - 1) * CHUNK_BYTES + firstBytes;
    const namesBytes = chunksBytes + this.#addresses.memoryBytes;
    return namesBytes + this.#slotBytes + (this.#journal?.memoryBytes ?? 0);
  }

  /**
   * The number of a host, which gets the next one when it has none. Names have one byte per
   * character.
   */
  numberOf(name: string): number {
    const lengthBytes = this.#write(name);
    const hash = this.#hash(lengthBytes);
    const part = this.#parts[hash % PARTS] as TablePart;
    let slot = this.#slotOf(part.slots, hash, lengthBytes);
    const held = part.slots[slot] as number;
    if (held !== 0) return held - 1;
    if (part.slots === NO_SLOTS || part.used >= part.slots.length * 0.75) {
      this.#double(part);
      // Hashing the other names has overwritten this one in the hasher's memory.
      this.#write(name);
      slot = this.#slotOf(part.slots, hash, lengthBytes);
    }
    const number = this.#count;
    this.#keep(number, lengthBytes);
    part.slots[slot] = number + 1;
    part.used += 1;
    this.#count += 1;
    if (this.#journal !== null) this.#log(this.#journal, lengthBytes);
    return number;
  }

  /** The number of a host; null when it has none. */
  find(name: string): number | null {
    const lengthBytes = this.#write(name);
    const hash = this.#hash(lengthBytes);
    const part = this.#parts[hash % PARTS] as TablePart;
    const held = part.slots[this.#slotOf(part.slots, hash, lengthBytes)] as number;
    return held === 0 ? null : held - 1;
  }

  nameOf(number: number): string {
    assert(number >= 0 && number < this.#count, "a host has this number");
    const { chunk, start, end } = this.#placeOf(number);
    return chunk.toString("latin1", start, end);
  }

  /** For opening: takes the names of a frame of the log; false when it is not a frame of names. */
  replay(payload: Uint8Array): boolean {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
    let at = 0;
    while (at + LENGTH_BYTES <= bytes.length) {
      const start = at + LENGTH_BYTES;
      const end = start + bytes.readUInt16LE(at);
      if (end > bytes.length) return false;
      const { count } = this;
      if (this.numberOf(bytes.toString("latin1", start, end)) < count) return false;
      at = end;
    }
    return at === bytes.length;
  }

  /** For opening: new names are logged from now on. */
  keepIn(journal: Journal): void {
    this.#journal = journal;
  }

  /** Makes the hosts of this moment durable; those that come later are not in these marks. */
  checkpoint(done: Done<HostTableMarks>): void {
    const hosts = this.#count;
    assert(this.#journal !== null, "a table in memory has no checkpoints");
    this.#journal.settle(withValue(done, (end) => done(null, { hosts, end })));
  }

  /** Closes the log; hosts that came after the last checkpoint are forgotten. */
  close(done: Acknowledge): void {
    if (this.#journal === null) done(null);
    else this.#journal.close(done);
  }

  /** Logs the name that was written last. */
  #log(journal: Journal, lengthBytes: number): void {
    const at = journal.reserve(LENGTH_BYTES + lengthBytes);
    journal.view.setUint16(at, lengthBytes, true);
    this.#hasher.bytes.copy(journal.bytes, at + LENGTH_BYTES, TEXT_AT, TEXT_AT + lengthBytes);
  }

  /** Copies the name to where it is hashed and compared. */
  #write(name: string): number {
    if (name.length > NAME_BYTES_MAX) assert.fail(`"${name}" is too long for a host`);
    return this.#hasher.bytes.write(name, TEXT_AT, "latin1");
  }

  #hash(lengthBytes: number): number {
    this.#hasher.hash(this.#key, TEXT_AT, lengthBytes);
    return this.#hasher.low;
  }

  /** The slot of the name that was written last, or the free one where it belongs. */
  #slotOf(slots: Uint32Array, hash: number, lengthBytes: number): number {
    const mask = slots.length - 1;
    let slot = (hash >>> 8) & mask;
    for (;;) {
      const held = slots[slot] as number;
      if (held === 0 || this.#isName(held - 1, lengthBytes)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isName(number: number, lengthBytes: number): boolean {
    const { bytes } = this.#hasher;
    const address = this.#addresses.get(number);
    const chunk = this.#chunks[address >>> CHUNK_BITS] as Buffer;
    const at = address & (CHUNK_BYTES - 1);
    if (chunk[at] !== (lengthBytes & 255) || chunk[at + 1] !== lengthBytes >>> 8) return false;
    for (let index = 0; index < lengthBytes; index += 1) {
      if (chunk[at + LENGTH_BYTES + index] !== bytes[TEXT_AT + index]) return false;
    }
    return true;
  }

  #keep(number: number, lengthBytes: number): void {
    if (this.#usedBytes + LENGTH_BYTES + lengthBytes > CHUNK_BYTES) {
      this.#chunks.push(Buffer.alloc(this.#chunks.length === 0 ? FIRST_BYTES : CHUNK_BYTES));
      this.#usedBytes = 0;
    }
    const last = this.#chunks.length - 1;
    const at = this.#usedBytes;
    const endBytes = at + LENGTH_BYTES + lengthBytes;
    const chunk = grownBuffer(this.#chunks[last] as Buffer, endBytes, CHUNK_BYTES);
    this.#chunks[last] = chunk;
    chunk.writeUInt16LE(lengthBytes, at);
    this.#hasher.bytes.copy(chunk, at + LENGTH_BYTES, TEXT_AT, TEXT_AT + lengthBytes);
    this.#usedBytes = endBytes;
    this.#addresses.set(number, last * CHUNK_BYTES + at);
  }

  #double(part: TablePart): void {
    const old = part.slots;
    part.slots = new Uint32Array(Math.max(PART_SLOTS_MIN, old.length * 2));
    const mask = part.slots.length - 1;
    for (const held of old) {
      if (held === 0) continue;
      const { chunk, start, end } = this.#placeOf(held - 1);
      chunk.copy(this.#hasher.bytes, TEXT_AT, start, end);
      let slot = (this.#hash(end - start) >>> 8) & mask;
      while (part.slots[slot] !== 0) slot = (slot + 1) & mask;
      part.slots[slot] = held;
    }
    this.#moved += part.used;
    this.#slotBytes += part.slots.byteLength - (old === NO_SLOTS ? 0 : old.byteLength);
  }

  #placeOf(number: number): { chunk: Buffer; start: number; end: number } {
    const address = this.#addresses.get(number);
    const chunk = this.#chunks[address >>> CHUNK_BITS] as Buffer;
    const at = address & (CHUNK_BYTES - 1);
    const start = at + LENGTH_BYTES;
    return { chunk, start, end: start + chunk.readUInt16LE(at) };
  }
}
