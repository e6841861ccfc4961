/**
 * Frames that were appended and are not yet in a file: chunks of memory, filled one after the
 * other and written out from the first on. A payload is copied once, into its chunk.
 *
 * Frames never span two chunks, and the unwritten part of a chunk begins and ends with whole
 * frames; so a segment may end wherever a written piece ends. The sum of all unwritten bytes is
 * bounded: `tryAppend` refuses what would go beyond, and `isFull` asks who appends to hold back.
 */
import assert from "node:assert/strict";
import { grownBytes } from "../bytes/index.ts";
import { type Chunk, type Framing, viewOf } from "./framing.ts";
import type { Position } from "./position.ts";

interface PendingChunk extends Chunk {
  writtenBytes: number;
}

export interface PendingLimits {
  readonly chunkBytes: number;
  readonly pendingBytesMax: number;
}

/** Most logs of a small crawl never need more than this for a chunk, which grows as it is filled. */
const FIRST_BYTES = 4096;

export class PendingFrames {
  readonly #framing: Framing;
  readonly #limits: PendingLimits;
  readonly #frameBytesMax: number;
  /** Never empty; the last one is being filled. */
  readonly #chunks: PendingChunk[];
  readonly #spare: Uint8Array[] = [];
  #filling: PendingChunk;
  #pendingBytes = 0;
  #isLong = false;

  constructor(framing: Framing, limits: PendingLimits, position: Position) {
    this.#framing = framing;
    this.#limits = limits;
    this.#frameBytesMax = Math.min(framing.frameBytesMax, limits.pendingBytesMax);
    this.#filling = this.#chunk(position, 0);
    this.#chunks = [this.#filling];
  }

  /** Unwritten bytes. */
  get bytes(): number {
    return this.#pendingBytes;
  }

  /** Memory for frames and for the room for further ones. */
  get memoryBytes(): number {
    const spareBytes = this.#spare.length * this.#limits.chunkBytes;
    return this.#chunks.reduce((sum, { bytes }) => sum + bytes.length, spareBytes);
  }

  /** Where the next frame will begin. */
  get end(): Position {
    return this.#filling.position + this.#filling.usedBytes;
  }

  /** Whether a full chunk waits. */
  get hasFullChunk(): boolean {
    return this.#chunks.length > 1;
  }

  /** Whether a frame with this payload can be taken at all, when nothing else is pending. */
  fits(payload: Uint8Array): boolean {
    return this.#framing.frameBytes(payload) <= this.#frameBytesMax;
  }

  /** Whether as much waits as may. */
  get isFull(): boolean {
    return this.#pendingBytes >= this.#limits.pendingBytesMax;
  }

  /** Takes a copy of the payload, or refuses when there is no room. */
  tryAppend(payload: Uint8Array): boolean {
    const frameBytes = this.#framing.frameBytes(payload);
    if (this.#pendingBytes + frameBytes > this.#limits.pendingBytesMax) {
      this.#expectFitting(frameBytes);
      return false;
    }
    this.#take(payload, frameBytes);
    return true;
  }

  /** Takes a copy of the payload, however much waits. */
  append(payload: Uint8Array): void {
    this.#take(payload, this.#framing.frameBytes(payload));
  }

  #take(payload: Uint8Array, frameBytes: number): void {
    this.#expectFitting(frameBytes);
    let chunk = this.#filling;
    const endBytes = chunk.usedBytes + frameBytes;
    if (endBytes > this.#limits.chunkBytes && endBytes > chunk.bytes.length) {
      chunk = this.#begin(frameBytes);
    } else if (endBytes > chunk.bytes.length) this.#grow(chunk, endBytes);
    this.#framing.encode(payload, chunk);
    this.#pendingBytes += frameBytes;
  }

  // Not `assert(…)` here and in `Log.tryAppend`: its call costs as much as a short checksum.
  #expectFitting(frameBytes: number): void {
    if (frameBytes > this.#frameBytesMax) assert.fail("a payload that is appended fits");
  }

  /** Marks the first unwritten frame: everything before it is durable. */
  markFirstAfterSync(): void {
    const first = this.#chunks[0];
    if (first === undefined || first.writtenBytes === first.usedBytes) return;
    this.#framing.markFirstAfterSync(first, first.writtenBytes);
  }

  /**
   * What to write next: pieces of whole frames, in order, as many as fit into `roomBytes`, which
   * may be none; `onlyFull` leaves out the chunk that is being filled.
   */
  unwritten(roomBytes: number, onlyFull: boolean): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for (const chunk of this.#chunks) {
      const pieceBytes = chunk.usedBytes - chunk.writtenBytes;
      if (pieceBytes === 0 || (onlyFull && chunk === this.#filling)) break;
      if (bytes + pieceBytes > roomBytes) break;
      pieces.push(chunk.bytes.subarray(chunk.writtenBytes, chunk.usedBytes));
      bytes += pieceBytes;
    }
    return pieces;
  }

  /** Length of the first piece that `unwritten` would return. */
  get firstPieceBytes(): number {
    const first = this.#chunks[0];
    return first === undefined ? 0 : first.usedBytes - first.writtenBytes;
  }

  /** The first `count` unwritten bytes are in the file now. */
  written(count: number): void {
    this.#pendingBytes -= count;
    let restBytes = count;
    while (restBytes > 0) {
      const chunk = this.#chunks[0];
      assert(chunk !== undefined, "no more is written than was pending");
      const pieceBytes = Math.min(restBytes, chunk.usedBytes - chunk.writtenBytes);
      chunk.writtenBytes += pieceBytes;
      restBytes -= pieceBytes;
      if (chunk.writtenBytes === chunk.usedBytes) this.#release(chunk);
    }
  }

  /** Forgets what was appended from `position` on, which is where a frame begins. */
  cutTo(position: Position): void {
    while (this.#chunks.length > 1 && this.#filling.position >= position) {
      this.#pendingBytes -= this.#filling.usedBytes;
      this.#chunks.pop();
      this.#filling = this.#chunks.at(-1) ?? this.#filling;
    }
    const chunk = this.#filling;
    const keptBytes = Math.max(chunk.writtenBytes, position - chunk.position);
    this.#pendingBytes -= chunk.usedBytes - keptBytes;
    chunk.usedBytes = keptBytes;
  }

  /** With nothing pending: the next frame will begin at `position`. */
  moveTo(position: Position): void {
    assert(this.#pendingBytes === 0, "positions of pending frames do not change");
    this.#filling.position = position;
    this.#filling.usedBytes = 0;
    this.#filling.writtenBytes = 0;
  }

  #begin(frameBytes: number): PendingChunk {
    this.#isLong = true;
    const chunk = this.#chunk(this.end, frameBytes);
    if (this.#filling.usedBytes === this.#filling.writtenBytes) {
      // Nothing in it is unwritten, but the frame is too large for it.
      this.#chunks.pop();
      this.#spareBytes(this.#filling.bytes);
    }
    this.#chunks.push(chunk);
    this.#filling = chunk;
    return chunk;
  }

  #chunk(position: Position, frameBytes: number): PendingChunk {
    const fits = frameBytes <= this.#limits.chunkBytes;
    const spare = fits ? this.#spare.pop() : undefined;
    const bytes = spare ?? new Uint8Array(fits ? this.#firstBytes : frameBytes);
    return { bytes, view: viewOf(bytes), position, usedBytes: 0, writtenBytes: 0 };
  }

  /** A log that has filled a chunk will fill the next one. */
  get #firstBytes(): number {
    const { chunkBytes } = this.#limits;
    return this.#isLong ? chunkBytes : Math.min(FIRST_BYTES, chunkBytes);
  }

  /** What is being written is read from the old bytes, which stay as they are. */
  #grow(chunk: PendingChunk, lengthBytes: number): void {
    chunk.bytes = grownBytes(chunk.bytes, lengthBytes, this.#limits.chunkBytes);
    chunk.view = viewOf(chunk.bytes);
  }

  #release(chunk: PendingChunk): void {
    if (chunk === this.#filling) {
      // Everything in it is written: it can be filled again from its beginning.
      chunk.position += chunk.usedBytes;
      chunk.usedBytes = 0;
      chunk.writtenBytes = 0;
    } else {
      this.#chunks.shift();
      this.#spareBytes(chunk.bytes);
    }
  }

  #spareBytes(bytes: Uint8Array): void {
    // Fresh memory costs more than the checksum of what goes into it.
    const { chunkBytes, pendingBytesMax } = this.#limits;
    const isWanted = (this.#spare.length + 1) * chunkBytes <= pendingBytesMax;
    if (isWanted && bytes.length === chunkBytes) this.#spare.push(bytes);
  }
}
