/**
 * The thing in a machine that counts time: it runs at its own rate against true time, can be set
 * forward and back, and can stop. A node has two of them, one for the monotonic clock (never set)
 * and one for the wall clock (never stopped).
 */
import assert from "node:assert/strict";
import { type Kernel, onGrid, onGridBefore } from "./kernel.ts";

export class Oscillator {
  readonly #kernel: Kernel;
  /** At the true instant `#sinceMs` it showed `#shownMs`, and has run at `#rate` since. */
  #sinceMs: number;
  #shownMs: number;
  #rate = 1;
  #isStopped = false;

  constructor(kernel: Kernel, shownMs: number) {
    this.#kernel = kernel;
    this.#sinceMs = kernel.nowMs;
    this.#shownMs = shownMs;
  }

  /** What it shows now, on the kernel's grid. */
  get nowMs(): number {
    return this.#showsAt(this.#kernel.nowMs);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Makes it gain `ppm` microseconds in every true second, or lose them. */
  drift(ppm: number): void {
    assert(Math.abs(ppm) < 1_000_000, "a clock runs forward");
    this.#settle();
    this.#rate = 1 + ppm / 1_000_000;
  }

  jump(byMs: number): void {
    this.#settle();
    this.#shownMs = onGrid(this.#shownMs + byMs);
  }

  stop(): void {
    this.#settle();
    this.#isStopped = true;
  }

  go(): void {
    this.#settle();
    this.#isStopped = false;
  }

  /** The first true instant, from now on, at which it shows at least `shownMs`. */
  reachesAtMs(shownMs: number): number {
    assert(!this.#isStopped, "a stopped clock reaches nothing");
    const guessMs = onGrid(this.#sinceMs + (shownMs - this.#shownMs) / this.#rate);
    let atMs = Math.max(guessMs, this.#kernel.nowMs);
    // Dividing and multiplying by the rate may be one tick of the grid off.
    while (this.#showsAt(atMs) < shownMs) atMs = onGrid(atMs + 0.0005);
    return atMs;
  }

  #showsAt(trueMs: number): number {
    if (this.#isStopped) return this.#shownMs;
    return onGridBefore(this.#shownMs + (trueMs - this.#sinceMs) * this.#rate);
  }

  /** Begins a new stretch of running with what is shown now. */
  #settle(): void {
    this.#shownMs = this.nowMs;
    this.#sinceMs = this.#kernel.nowMs;
  }
}
