/**
 * Frames for machines: a header of ten bytes, then the payload as it is.
 *
 * | bytes | content                                                                 |
 * |-------|-------------------------------------------------------------------------|
 * | 0–2   | length of the payload (23 bits), and a bit: first after a sync          |
 * | 3–5   | 24 bits of the frame's tie to its log and place: says "here is a frame" |
 * | 6–9   | checksum of the payload, seeded with the tie                            |
 *
 * Numbers are little-endian. After damage a reader tries every byte; the tie lets it reject all but
 * one in 16 million of them without looking at the length they claim, so reading stays linear in
 * the number of bytes, even if an attacker wrote them.
 */
import { checksum } from "./checksum.ts";
import { type Chunk, type Framing, type Salt, seedOf, tie, type Window } from "./framing.ts";

const HEADER_BYTES = 10;
const PAYLOAD_BYTES_MAX = 2 ** 23 - 1;
const FIRST_AFTER_SYNC = 2 ** 23;

export class BinaryFraming implements Framing {
  readonly frameBytesMax: number = HEADER_BYTES + PAYLOAD_BYTES_MAX;
  readonly #salt: Salt;

  constructor(salt: Salt) {
    this.#salt = salt;
  }

  frameBytes(payload: Uint8Array): number {
    return HEADER_BYTES + payload.length;
  }

  encode(payload: Uint8Array, chunk: Chunk): void {
    const at = chunk.usedBytes;
    chunk.bytes.set(payload, at + HEADER_BYTES);
    chunk.usedBytes = at + HEADER_BYTES + payload.length;
    this.#writeHeader(chunk, at, payload.length);
  }

  markFirstAfterSync(chunk: Chunk, at: number): void {
    const word = chunk.view.getUint32(at, true) & 0xffffff;
    this.#writeHeader(chunk, at, word | FIRST_AFTER_SYNC);
  }

  check(window: Window, at: number): number {
    const { view } = window;
    const availableBytes = view.byteLength - at;
    if (availableBytes < HEADER_BYTES) return window.isLast ? 0 : -HEADER_BYTES;
    const word = view.getUint32(at, true) & 0xffffff;
    const tied = tie(this.#salt, window.position + at, word);
    if (view.getUint32(at + 2, true) >>> 8 !== tied >>> 8) return 0;
    const frameBytes = HEADER_BYTES + (word & PAYLOAD_BYTES_MAX);
    if (availableBytes < frameBytes) return window.isLast ? 0 : -frameBytes;
    const sum = checksum(view, at + HEADER_BYTES, at + frameBytes, seedOf(this.#salt, tied));
    return sum === view.getUint32(at + 6, true) ? frameBytes : 0;
  }

  seek(_window: Window, at: number): number {
    return at + 1;
  }

  isFirstAfterSync(bytes: Uint8Array, at: number, _frameBytes: number): boolean {
    return ((bytes[at + 2] ?? 0) & (FIRST_AFTER_SYNC >>> 16)) !== 0;
  }

  payload(bytes: Uint8Array, at: number, frameBytes: number): Uint8Array {
    return bytes.subarray(at + HEADER_BYTES, at + frameBytes);
  }

  #writeHeader(chunk: Chunk, at: number, word: number): void {
    const { view } = chunk;
    const end = at + HEADER_BYTES + (word & PAYLOAD_BYTES_MAX);
    const tied = tie(this.#salt, chunk.position + at, word);
    // Each of the first two stores overwrites one byte too many, which the next one corrects.
    view.setUint32(at, word, true);
    view.setUint32(at + 2, (tied & ~0xff) | (word >>> 16), true);
    view.setUint32(at + 6, checksum(view, at + HEADER_BYTES, end, seedOf(this.#salt, tied)), true);
  }
}
