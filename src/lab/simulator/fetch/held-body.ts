/** A body that lies in memory from its first byte to its release: what simulated fetches give. */
import assert from "node:assert/strict";
import type { Body, Clock, Done } from "../../../base/seams/index.ts";

export class HeldBody implements Body {
  readonly lengthBytes: number;
  readonly #clock: Clock;
  #bytes: Uint8Array | null;

  constructor(bytes: Uint8Array, clock: Clock) {
    this.lengthBytes = bytes.length;
    this.#bytes = bytes;
    this.#clock = clock;
  }

  get bytes(): Uint8Array {
    assert(this.#bytes !== null, "a body is not read after its release");
    return this.#bytes;
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    const piece = this.bytes.slice(offset, offset + lengthBytes);
    this.#clock.after(0, () => done(null, piece));
  }

  release(): void {
    assert(this.#bytes !== null, "a body is released once");
    this.#bytes = null;
  }
}
