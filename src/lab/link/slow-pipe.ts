/**
 * One direction of a connection through a slow link. It reads from one end and writes to the other when
 * the bytes have arrived; the end of what it reads arrives after them.
 *
 * It reads no further while it holds more than a window: a receiver that does not read slows its sender
 * down, as it does on a wire.
 */
import type { Readable, Writable } from "node:stream";
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { Arrival, Transit } from "./transit.ts";

export interface SlowPipeParts {
  readonly from: Readable;
  readonly to: Writable;
  readonly clock: Clock;
  readonly transit: Transit;
}

const WINDOW_BYTES = 4 * 1024 * 1024;
/** Arrives last. */
const END = new Uint8Array(0);

export class SlowPipe {
  readonly #parts: SlowPipeParts;
  #underWay: Arrival[] = [];
  #heldBytes = 0;
  #passedBytes = 0;
  #timer: Timer | null = null;
  #isHeld = false;

  constructor(parts: SlowPipeParts) {
    this.#parts = parts;
    const { from, to, clock, transit } = parts;
    from.on("data", (bytes: Uint8Array) => this.#take(transit.arrivals(bytes, clock.nowMs())));
    from.on("end", () => this.#take([{ atMs: transit.next(clock.nowMs()), bytes: END }]));
    to.on("drain", () => this.#adjust());
  }

  /** How many bytes have arrived. */
  get passedBytes(): number {
    return this.#passedBytes;
  }

  get stalls(): number {
    return this.#parts.transit.stalls;
  }

  /** Nothing arrives until it is released. */
  hold(): void {
    this.#isHeld = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  release(): void {
    this.#isHeld = false;
    this.#deliver();
  }

  /** Drops what is under way. */
  close(): void {
    this.hold();
    this.#underWay = [];
  }

  #take(arrivals: readonly Arrival[]): void {
    for (const arrival of arrivals) {
      this.#underWay.push(arrival);
      this.#heldBytes += arrival.bytes.length;
    }
    this.#adjust();
    if (this.#timer === null && !this.#isHeld) this.#deliver();
  }

  #deliver(): void {
    const { clock, to } = this.#parts;
    const nowMs = clock.nowMs();
    const due = this.#underWay.findIndex(({ atMs }) => atMs > nowMs);
    const arrived = this.#underWay.splice(0, due < 0 ? this.#underWay.length : due);
    for (const { bytes } of arrived) {
      this.#heldBytes -= bytes.length;
      this.#passedBytes += bytes.length;
      if (!to.writable) continue;
      if (bytes === END) to.end();
      else to.write(bytes);
    }
    this.#adjust();
    const next = this.#underWay[0];
    this.#timer = next === undefined ? null : this.#waitFor(next.atMs - nowMs);
  }

  #waitFor(delayMs: number): Timer {
    return this.#parts.clock.after(delayMs, () => this.#deliver());
  }

  #adjust(): void {
    const { from, to } = this.#parts;
    const isFull = this.#heldBytes + to.writableLength > WINDOW_BYTES;
    if (isFull) from.pause();
    else if (from.isPaused()) from.resume();
  }
}
