/**
 * The records of a host that are in memory, first in, first out: copies, one behind the other in one
 * piece of memory, each after its length. A host has few of them; the rest wait in its queue.
 */
import assert from "node:assert/strict";

const LENGTH_BYTES = 4;
const EMPTY = Buffer.alloc(0);

export class RecordWindow {
  #bytes: Buffer = EMPTY;
  #from = 0;
  #to = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Memory held. */
  get heldBytes(): number {
    return this.#bytes.length;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    this.#makeRoom(LENGTH_BYTES + to - from);
    this.#bytes.writeUInt32LE(to - from, this.#to);
    this.#to += LENGTH_BYTES;
    for (let at = from; at < to; at += 1) this.#bytes[this.#to + at - from] = bytes[at] as number;
    this.#to += to - from;
    this.#count += 1;
  }

  /** Reads the first record and leaves it; only when there is one. */
  peek<Record>(read: (bytes: Buffer, from: number, to: number) => Record): Record {
    assert(this.#count > 0, "a record is read in a window that has one");
    const from = this.#from + LENGTH_BYTES;
    return read(this.#bytes, from, from + this.#bytes.readUInt32LE(this.#from));
  }

  /** Takes the first record out and reads it; only when there is one. */
  take<Record>(read: (bytes: Buffer, from: number, to: number) => Record): Record {
    const record = this.peek(read);
    this.#from += LENGTH_BYTES + this.#bytes.readUInt32LE(this.#from);
    this.#count -= 1;
    if (this.#count === 0) this.clear();
    return record;
  }

  /** Copies of all records, the first one first. */
  records(): readonly Buffer[] {
    const records: Buffer[] = [];
    for (let at = this.#from; at < this.#to; ) {
      const from = at + LENGTH_BYTES;
      at = from + this.#bytes.readUInt32LE(at);
      records.push(Buffer.from(this.#bytes.subarray(from, at)));
    }
    return records;
  }

  clear(): void {
    this.#bytes = EMPTY;
    this.#from = 0;
    this.#to = 0;
    this.#count = 0;
  }

  #makeRoom(moreBytes: number): void {
    if (this.#to + moreBytes <= this.#bytes.length) return;
    const used = this.#to - this.#from;
    const wanted = Math.max(128, used + moreBytes);
    const roomy = Buffer.alloc(this.#count === 0 ? wanted : 2 * wanted);
    this.#bytes.copy(roomy, 0, this.#from, this.#to);
    this.#bytes = roomy;
    this.#from = 0;
    this.#to = used;
  }
}
