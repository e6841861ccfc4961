/**
 * A count over time, and how fast it has grown lately. From one redraw to the next the rate jumps
 * between 0 and twice its mean; over a window of seconds it is steady.
 */
import { SECOND_MS } from "../../base/units/index.ts";

interface Sample {
  readonly atMs: number;
  readonly count: number;
}

export class RateWindow {
  readonly #windowMs: number;
  readonly #samples: Sample[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Instants never go back. The sample that the window begins in is kept. */
  add(atMs: number, count: number): void {
    this.#samples.push({ atMs, count });
    while ((this.#samples[1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - this.#windowMs) {
      this.#samples.shift();
    }
  }

  /** 0 before there are two samples. */
  get perSecond(): number {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs <= first.atMs) return 0;
    return ((last.count - first.count) / (last.atMs - first.atMs)) * SECOND_MS;
  }
}
