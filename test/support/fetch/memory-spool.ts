/** The simplest spool: bodies in memory, and a count of the bytes that they hold. */

import type { Body, Clock, Done } from "../../../src/base/seams/index.ts";
import { SystemClock } from "../../../src/base/time/index.ts";
import type { BodySink, BodySpool } from "../../../src/fetch/body/index.ts";
import { HeldBody } from "../../../src/lab/simulator/index.ts";

export class MemorySpool implements BodySpool {
  /** Bodies begun so far. */
  opened = 0;
  heldBytes = 0;
  heldBytesMax = 0;
  readonly #clock: Clock;

  constructor(clock: Clock = new SystemClock()) {
    this.#clock = clock;
  }

  open(): BodySink {
    this.opened += 1;
    const pieces: Uint8Array[] = [];
    let lengthBytes = 0;
    return {
      write: (bytes, from, to) => {
        // `slice` of a Buffer is only another view of bytes that will be overwritten.
        pieces.push(new Uint8Array(bytes.subarray(from, to)));
        lengthBytes += to - from;
        this.#count(to - from);
        return true;
      },
      end: (done: Done<Body>) => {
        done(null, new HeldBody(new Uint8Array(Buffer.concat(pieces)), this.#clock));
        this.#count(-lengthBytes);
      },
      abandon: () => this.#count(-lengthBytes),
    };
  }

  #count(bytes: number): void {
    this.heldBytes += bytes;
    this.heldBytesMax = Math.max(this.heldBytesMax, this.heldBytes);
  }
}
