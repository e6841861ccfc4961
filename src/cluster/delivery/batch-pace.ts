/**
 * How long an entry waits for others that go with it. Each batch costs two waits for a disk and two messages,
 * however small it is. So what is told goes out soon as long as that is little: at the beginning of a crawl,
 * in a small one, after a pause. When much is told all the time, a batch goes out once in a longer while.
 *
 * Soon means `lingerMs`. For each `restMs` that pass, one batch may be sent so; up to `burst` are saved up.
 */
import type { Clock } from "../../base/seams/index.ts";

export interface BatchPaceSettings {
  readonly lingerMs: number;
  readonly restMs: number;
  /** At least 1. */
  readonly burst: number;
}

export class BatchPace {
  readonly #clock: Clock;
  readonly #settings: BatchPaceSettings;
  /** Batches that may be sent soon, at that instant. */
  #saved: number;
  #atMs: number;

  constructor(clock: Clock, settings: BatchPaceSettings) {
    this.#clock = clock;
    this.#settings = settings;
    this.#saved = settings.burst;
    this.#atMs = clock.nowMs();
  }

  /** From now until a batch that begins now is sent. */
  get waitMs(): number {
    const { lingerMs, restMs } = this.#settings;
    this.#save();
    return Math.max(lingerMs, (1 - this.#saved) * restMs);
  }

  /** A batch was sent before it was full. */
  sent(): void {
    this.#save();
    this.#saved -= 1;
  }

  #save(): void {
    const { restMs, burst } = this.#settings;
    const nowMs = this.#clock.nowMs();
    this.#saved = Math.min(burst, this.#saved + (nowMs - this.#atMs) / restMs);
    this.#atMs = nowMs;
  }
}
