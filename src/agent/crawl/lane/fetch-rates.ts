/**
 * How fast an agent may fetch: pages a second, and bytes a second. Both hold a new fetch back; bytes
 * also pause what is being read. All lanes of an agent share the memory of its rates.
 */
import type { Clock } from "../../../base/seams/index.ts";
import { RateLimit } from "../../../base/time/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";

/** One for each rate. */
export interface RateMemory {
  readonly pages: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
  /** What must be added to this lane's clock to get the clock that all lanes agree upon. */
  readonly clockOffsetMs?: number;
}

export class FetchRates {
  readonly #clock: Clock;
  readonly #pages: RateLimit;
  /** For those who read bodies. */
  readonly bytes: RateLimit;

  /** The memory is its own when left out. */
  constructor(clock: Clock, memory?: RateMemory) {
    const clockOffsetMs = memory?.clockOffsetMs;
    this.#clock = clock;
    this.#pages = new RateLimit({ clock, clockOffsetMs, memory: memory?.pages });
    this.bytes = new RateLimit({ clock, clockOffsetMs, memory: memory?.bytes });
  }

  /** Takes other rates from now on. */
  adjust({ fetch }: Pick<Configuration, "fetch">): void {
    this.#pages.perSecond = fetch.pagesPerSecond;
    this.bytes.perSecond = fetch.bandwidth;
  }

  /** When the next fetch may begin; in the past, or now, if nothing holds it back. */
  get opensAtMs(): number {
    if (this.#pages.perSecond === null && this.bytes.perSecond === null) {
      return Number.NEGATIVE_INFINITY;
    }
    return this.#clock.nowMs() + Math.max(this.#pages.waitMs, this.bytes.waitMs);
  }

  /** Which of them holds fetches back now, by its word in the summary's `idle`; null if none does. */
  get waits(): "rate" | "bandwidth" | null {
    const [pagesMs, bytesMs] = [this.#pages.waitMs, this.bytes.waitMs];
    if (pagesMs === 0 && bytesMs === 0) return null;
    return pagesMs >= bytesMs ? "rate" : "bandwidth";
  }

  /** A page is requested now. */
  pageBegun(): void {
    this.#pages.take(1);
  }
}
