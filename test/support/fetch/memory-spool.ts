/** The simplest spool: bodies in memory, and a count of the bytes that they hold. */

import { CrawlError } from "../../../src/base/errors/index.ts";
import type { Body, Clock, Done } from "../../../src/base/seams/index.ts";
import { SystemClock } from "../../../src/base/time/index.ts";
import { notKept } from "../../../src/fetch/body/body-error.ts";
import type { BodySink, BodySpool } from "../../../src/fetch/body/index.ts";
import { HeldBody } from "../../../src/lab/simulator/index.ts";

export class MemorySpool implements BodySpool {
  /** The next bodies that find no room on the disk, as many as this. */
  homeless = 0;
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
        this.#count(-lengthBytes);
        if (lengthBytes > 0 && this.homeless > 0) {
          this.homeless -= 1;
          done(notKept(new CrawlError("STORAGE_FULL", "planted")), undefined);
        } else done(null, new HeldBody(new Uint8Array(Buffer.concat(pieces)), this.#clock));
      },
      abandon: () => this.#count(-lengthBytes),
    };
  }

  #count(bytes: number): void {
    this.heldBytes += bytes;
    this.heldBytesMax = Math.max(this.heldBytesMax, this.heldBytes);
  }
}
