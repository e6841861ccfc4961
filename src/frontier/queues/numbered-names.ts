/**
 * Names of hosts in memory, each with its number: the first is 0, the next 1. Some forty bytes for
 * a name of twenty: the name itself, where it lies, and a place in a table of numbers. The empty
 * name is one too: it stands for the files of this machine.
 *
 * Names lie one behind the other in chunks of memory, each after its length. The table is divided
 * into 256 parts by the name's hash; each is an open-addressed table of its own that doubles when
 * it is three quarters full, so that no single call has to move everything. The hash is keyed:
 * hosts are named by strangers, who could otherwise choose names that all land in one place.
 */
import assert from "node:assert/strict";
import { type KeySlot, SipHasher, TEXT_AT } from "../../base/hash/index.ts";
import { QueueNumbers } from "./queue-numbers.ts";

/** No name is longer, in characters; DNS allows 253, but a URL may have more. */
const NAME_BYTES_MAX = 65_535;

const CHUNK_BITS = 18;
const CHUNK_BYTES = 2 ** CHUNK_BITS;
const LENGTH_BYTES = 2;
const PARTS = 256;
const PART_SLOTS_MIN = 16;

/** Numbers of hosts, each one more than it is; 0 where there is none. */
interface TablePart {
  slots: Uint32Array;
  used: number;
}

export class NumberedNames {
  readonly #hasher = new SipHasher(NAME_BYTES_MAX);
  readonly #key: KeySlot;
  readonly #chunks: Buffer[] = [];
  readonly #addresses = new QueueNumbers();
  readonly #parts: TablePart[];
  #usedBytes = CHUNK_BYTES;
  #count = 0;
  #moved = 0;
  #slotBytes = PARTS * PART_SLOTS_MIN * Uint32Array.BYTES_PER_ELEMENT;

  /** `key` has 16 bytes that nobody outside can know. */
  constructor(key: Uint8Array) {
    this.#key = this.#hasher.addKey(key);
    this.#parts = Array.from({ length: PARTS }, () => ({
      slots: new Uint32Array(PART_SLOTS_MIN),
      used: 0,
    }));
  }

  get count(): number {
    return this.#count;
  }

  /** How many entries have been moved by growth so far; one call moves those of one part. */
  get moved(): number {
    return this.#moved;
  }

  get memoryBytes(): number {
    return this.#chunks.length * CHUNK_BYTES + this.#addresses.memoryBytes + this.#slotBytes;
  }

  /** The number of a name, which gets the next one when it has none. */
  numberOf(name: string): number {
    const lengthBytes = this.#write(name);
    const hash = this.#hash(lengthBytes);
    const part = this.#partOf(hash);
    let slot = this.#slotOf(part.slots, hash, lengthBytes);
    const held = part.slots[slot] as number;
    if (held !== 0) return held - 1;
    if (part.used >= part.slots.length * 0.75) {
      this.#double(part);
      // Hashing the others has left another name in the hasher's memory.
      this.#write(name);
      slot = this.#slotOf(part.slots, hash, lengthBytes);
    }
    const number = this.#count;
    this.#keep(number, lengthBytes);
    part.slots[slot] = number + 1;
    part.used += 1;
    this.#count += 1;
    return number;
  }

  nameOf(number: number): string {
    assert(number >= 0 && number < this.#count, "only so many hosts have names");
    const { chunk, start, end } = this.#placeOf(number);
    return chunk.toString("latin1", start, end);
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

  #partOf(hash: number): TablePart {
    return this.#parts[hash % PARTS] as TablePart;
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
      this.#chunks.push(Buffer.alloc(CHUNK_BYTES));
      this.#usedBytes = 0;
    }
    const last = this.#chunks.length - 1;
    const chunk = this.#chunks[last] as Buffer;
    const at = this.#usedBytes;
    chunk.writeUInt16LE(lengthBytes, at);
    this.#hasher.bytes.copy(chunk, at + LENGTH_BYTES, TEXT_AT, TEXT_AT + lengthBytes);
    this.#usedBytes = at + LENGTH_BYTES + lengthBytes;
    this.#addresses.set(number, last * CHUNK_BYTES + at);
  }

  #double(part: TablePart): void {
    const old = part.slots;
    part.slots = new Uint32Array(old.length * 2);
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
    this.#slotBytes += old.byteLength;
  }

  #placeOf(number: number): { chunk: Buffer; start: number; end: number } {
    const address = this.#addresses.get(number);
    const chunk = this.#chunks[address >>> CHUNK_BITS] as Buffer;
    const at = address & (CHUNK_BYTES - 1);
    const start = at + LENGTH_BYTES;
    return { chunk, start, end: start + chunk.readUInt16LE(at) };
  }
}
