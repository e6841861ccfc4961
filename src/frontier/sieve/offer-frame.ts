/**
 * Offers as they lie in the sieve's text log: many in one frame, each a header of twelve bytes
 * (high half, low half, depth, length of the record; little-endian) and its record. A frame of the
 * log costs ten bytes and a checksum; shared by some hundred offers, that is next to nothing.
 */
import { RECORD_BYTES_MAX } from "./sieve.ts";

const HEADER_BYTES = 12;
const FRAME_BYTES = HEADER_BYTES + RECORD_BYTES_MAX;
/** Up to here a loop is faster than `set`, which needs a view made for it: 1 ns a byte, or 50. */
const LOOP_BYTES_MAX = 48;

/** The frame that is being filled. */
export class OfferFrame {
  readonly #bytes = new Uint8Array(FRAME_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  #usedBytes = 0;
  #count = 0;

  /** Offers in it. */
  get count(): number {
    return this.#count;
  }

  /** Everything so far; valid until the next call. */
  get payload(): Uint8Array {
    return this.#bytes.subarray(0, this.#usedBytes);
  }

  /** Whether an offer with a record of this length fits; an empty frame has room for any. */
  hasRoom(recordBytes: number): boolean {
    return this.#usedBytes + HEADER_BYTES + recordBytes <= FRAME_BYTES;
  }

  add(
    high: number,
    low: number,
    depth: number,
    record: Uint8Array,
    from: number,
    to: number,
  ): void {
    const at = this.#usedBytes;
    const view = this.#view;
    view.setUint32(at, high, true);
    view.setUint32(at + 4, low, true);
    view.setUint16(at + 8, depth, true);
    view.setUint16(at + 10, to - from, true);
    const bytes = this.#bytes;
    const start = at + HEADER_BYTES - from;
    if (to - from > LOOP_BYTES_MAX) bytes.set(record.subarray(from, to), start + from);
    else for (let byte = from; byte < to; byte++) bytes[start + byte] = record[byte] as number;
    this.#usedBytes = start + to;
    this.#count++;
  }

  clear(): void {
    this.#usedBytes = 0;
    this.#count = 0;
  }
}

/** Iterates over the offers of a frame, without an object for each. */
export class FrameOffers {
  bytes: Uint8Array = new Uint8Array(0);
  high = 0;
  low = 0;
  depth = 0;
  /** Where the record lies in `bytes`. */
  start = 0;
  end = 0;
  #view = new DataView(this.bytes.buffer);

  read(payload: Uint8Array): void {
    this.bytes = payload;
    this.#view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    this.start = 0;
    this.end = 0;
  }

  /** Moves to the next offer; false when there is none. */
  next(): boolean {
    const at = this.end;
    const view = this.#view;
    if (at + HEADER_BYTES > view.byteLength) return false;
    this.high = view.getUint32(at, true);
    this.low = view.getUint32(at + 4, true);
    this.depth = view.getUint16(at + 8, true);
    this.start = at + HEADER_BYTES;
    this.end = this.start + view.getUint16(at + 10, true);
    return this.end <= view.byteLength;
  }
}

export function countOffers(payload: Uint8Array, offers: FrameOffers): number {
  offers.read(payload);
  let count = 0;
  while (offers.next()) count++;
  return count;
}
