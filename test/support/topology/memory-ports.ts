/** Two ends of a channel under simulated time: messages are copied, and arrive in order, a while later. */
import type { Clock } from "../../../src/base/seams/index.ts";
import type { Port } from "../../../src/topology/threads/index.ts";

export class MemoryPort<Posted, Received> implements Port<Posted, Received> {
  readonly #clock: Clock;
  readonly #delayMs: number;
  #other: MemoryPort<Received, Posted> | null = null;
  #listener: ((message: Received) => void) | null = null;
  #early: Received[] = [];
  #isOpen = true;

  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  static pair<One, Other>(
    clock: Clock,
    delayMs = 0,
  ): [MemoryPort<One, Other>, MemoryPort<Other, One>] {
    const one = new MemoryPort<One, Other>(clock, delayMs);
    const other = new MemoryPort<Other, One>(clock, delayMs);
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  post(message: Posted, moved?: ArrayBuffer): void {
    const copy = structuredClone(message, moved === undefined ? {} : { transfer: [moved] });
    this.#clock.after(this.#delayMs, () => this.#other?.receive(copy));
  }

  listen(listener: (message: Received) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }

  close(): void {
    this.#isOpen = false;
    if (this.#other !== null) this.#other.#isOpen = false;
  }

  receive(message: Received): void {
    if (!this.#isOpen) return;
    if (this.#listener === null) this.#early.push(message);
    else this.#listener(message);
  }
}
