/**
 * What a reader found in one step: whole frames, and ranges of damaged bytes. Frames are numbers in
 * typed arrays; a payload costs a view, and only when it is asked for.
 */
import assert from "node:assert/strict";
import { emptyWindow, type Framing, type Window } from "./framing.ts";
import type { Position, Range } from "./position.ts";

export class FrameBatch {
  readonly #framing: Framing;
  #window: Window = emptyWindow(0);
  #starts: Uint32Array = new Uint32Array(64);
  #lengths: Uint32Array = new Uint32Array(64);
  #count = 0;
  #damage: Range[] = [];

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes that are not, or no longer, frames, in the order of their positions. */
  get damage(): readonly Range[] {
    return this.#damage;
  }

  positionOf(index: number): Position {
    return this.#window.position + this.#start(index);
  }

  /** Where the frame ends, and the next one begins. */
  endOf(index: number): Position {
    return this.positionOf(index) + (this.#lengths[index] ?? 0);
  }

  /** The payload; it stays valid when the reader continues. */
  payloadOf(index: number): Uint8Array {
    return this.#framing.payload(this.#window.bytes, this.#start(index), this.#lengths[index] ?? 0);
  }

  /** Whether everything before this frame was durable when it was written. */
  isFirstAfterSync(index: number): boolean {
    const start = this.#start(index);
    return this.#framing.isFirstAfterSync(this.#window.bytes, start, this.#lengths[index] ?? 0);
  }

  /** For the reader: starts over with this window. */
  reset(window: Window): void {
    this.#window = window;
    this.#count = 0;
    this.#damage = [];
  }

  addFrame(start: number, lengthBytes: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#lengths = doubled(this.#lengths);
    }
    this.#starts[this.#count] = start;
    this.#lengths[this.#count] = lengthBytes;
    this.#count += 1;
  }

  addDamage(range: Range): void {
    this.#damage.push(range);
  }

  #start(index: number): number {
    assert(index >= 0 && index < this.#count, "the index is below the number of frames");
    return this.#starts[index] ?? 0;
  }
}

function doubled(numbers: Uint32Array): Uint32Array {
  const more = new Uint32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
