/** DNS over one TCP connection: messages with their length before them, answered as they come. */
import type { Clock, Timer } from "../../../base/seams/index.ts";
import type { WebNames } from "./web-names.ts";
import type { Wire, WireUser } from "./wire.ts";

/** Questions are short; a client that sends longer ones is malicious or broken. */
const QUESTION_BYTES_MAX = 1024;
const QUIET_MS_MAX = 10_000;

export interface DnsStreamParts {
  readonly names: WebNames;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly gone: () => void;
}

export class DnsStream implements WireUser {
  readonly #names: WebNames;
  readonly #wire: Wire;
  readonly #clock: Clock;
  readonly #gone: () => void;
  #held: Buffer = Buffer.alloc(0);
  #timer: Timer;
  #isClosed = false;

  /** `gone` is called once, when the connection has ended. */
  constructor(parts: DnsStreamParts) {
    const { names, wire, clock, gone } = parts;
    this.#names = names;
    this.#wire = wire;
    this.#clock = clock;
    this.#gone = gone;
    this.#timer = clock.after(QUIET_MS_MAX, () => wire.reset());
  }

  received(bytes: Buffer): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    while (!this.#isClosed && this.#held.length >= 2) {
      const length = this.#held.readUInt16BE(0);
      if (length > QUESTION_BYTES_MAX) {
        this.#wire.reset();
        return;
      }
      if (this.#held.length < 2 + length) return;
      const message = this.#held.subarray(2, 2 + length);
      this.#held = this.#held.subarray(2 + length);
      this.#answer(message);
    }
  }

  drained(): void {}

  halfClosed(): void {
    // A client that has asked everything still waits for its answers; the timer ends it.
  }

  closed(): void {
    this.#isClosed = true;
    this.#timer.cancel();
    this.#gone();
  }

  #answer(message: Uint8Array): void {
    this.#timer.cancel();
    this.#timer = this.#clock.after(QUIET_MS_MAX, () => this.#wire.reset());
    this.#names.answer(message, "tcp", (answer) => {
      if (this.#isClosed) return;
      const framed = Buffer.alloc(2 + answer.length);
      framed.writeUInt16BE(answer.length, 0);
      framed.set(answer, 2);
      this.#wire.send("", framed);
    });
  }
}
