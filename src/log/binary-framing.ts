/**
 * Frames for machines: a header of ten bytes, then the payload as it is.
 *
 * | bytes | content                                                                 |
 * |-------|-------------------------------------------------------------------------|
 * | 0–2   | length of the payload (23 bits), and a bit: first after a sync          |
 * | 3–5   | 24 bits of the frame's tie to its log and place: says "here is a frame" |
 * | 6–9   | checksum of the payload, seeded with the tie                            |
 *
 * Numbers are little-endian. A reader that has lost its way tries every byte; the tie lets it
 * dismiss all but one in 16 million of them without looking at the length they claim, so it stays
 * linear in the number of bytes, whoever wrote them.
 */
import assert from "node:assert/strict";
import { checksum } from "./checksum.ts";
import { type Chunk, type Framing, type Salt, seedOf, tie, type Window } from "./framing.ts";

const HEADER_BYTES = 10;
const PAYLOAD_BYTES_MAX = 2 ** 23 - 1;
const FIRST_AFTER_SYNC = 2 ** 23;

export class BinaryFraming implements Framing {
  readonly kind = "binary";
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
    this.#writeHeader(chunk, at, word24(chunk.bytes, at) | FIRST_AFTER_SYNC);
  }

  check(window: Window, at: number): number {
    const { bytes } = window;
    const availableBytes = bytes.length - at;
    if (availableBytes < HEADER_BYTES) return window.isLast ? 0 : -HEADER_BYTES;
    const word = word24(bytes, at);
    const tied = tie(this.#salt, window.position + at, word);
    if (word24(bytes, at + 3) !== tied >>> 8) return 0;
    const frameBytes = HEADER_BYTES + (word & PAYLOAD_BYTES_MAX);
    if (availableBytes < frameBytes) return window.isLast ? 0 : -frameBytes;
    const sum = checksum(bytes, at + HEADER_BYTES, at + frameBytes, seedOf(this.#salt, tied));
    return sum === word32(bytes, at + 6) ? frameBytes : 0;
  }

  seek(_window: Window, at: number): number {
    return at + 1;
  }

  isFirstAfterSync(bytes: Uint8Array, at: number, _frameBytes: number): boolean {
    return (word24(bytes, at) & FIRST_AFTER_SYNC) !== 0;
  }

  payload(bytes: Uint8Array, at: number, frameBytes: number): Uint8Array {
    return bytes.subarray(at + HEADER_BYTES, at + frameBytes);
  }

  #writeHeader(chunk: Chunk, at: number, word: number): void {
    const { bytes } = chunk;
    const end = at + HEADER_BYTES + (word & PAYLOAD_BYTES_MAX);
    assert(end <= chunk.usedBytes, "a frame lies inside the used part of its chunk");
    const tied = tie(this.#salt, chunk.position + at, word);
    const sum = checksum(bytes, at + HEADER_BYTES, end, seedOf(this.#salt, tied));
    bytes[at] = word;
    bytes[at + 1] = word >>> 8;
    bytes[at + 2] = word >>> 16;
    bytes[at + 3] = tied >>> 8;
    bytes[at + 4] = tied >>> 16;
    bytes[at + 5] = tied >>> 24;
    bytes[at + 6] = sum;
    bytes[at + 7] = sum >>> 8;
    bytes[at + 8] = sum >>> 16;
    bytes[at + 9] = sum >>> 24;
  }
}

function word24(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}

function word32(bytes: Uint8Array, at: number): number {
  return (word24(bytes, at) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
}
