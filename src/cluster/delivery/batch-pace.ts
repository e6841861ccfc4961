/**
 * How long an entry waits for others that go with it. Each batch costs two waits for a disk and two messages,
 * however small it is. So what is told goes out soon as long as that is little: at the beginning of a crawl,
 * in a small one, after a pause. When much is told all the time, a batch goes out once in a longer while.
 *
 * Soon means `lingerMs`. For each `restMs` that pass, one batch may be sent so; up to `burst` are saved up. All
 * outboxes of an agent share one pace, so that it sends no more batches among many agents than among few; only
 * what has waited for `waitMsMax` goes out in any case.
 */
import type { Clock } from "../../base/seams/index.ts";

export interface BatchPaceSettings {
  readonly lingerMs: number;
  readonly restMs: number;
  /** At least 1. */
  readonly burst: number;
  /** At least `restMs`. */
  readonly waitMsMax: number;
}

export class BatchPace {
  readonly #clock: Clock;
  readonly #settings: BatchPaceSettings;
  /** Batches that may be sent soon, at that instant; below 0 if others have to wait for those that were sent. */
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
    const { lingerMs, restMs, waitMsMax } = this.#settings;
    this.#save();
    return Math.max(lingerMs, Math.min(waitMsMax, (1 - this.#saved) * restMs));
  }

  /** A batch was sent before it was full. */
  sent(): void {
    const { restMs, waitMsMax } = this.#settings;
    this.#save();
    // What is sent because it has waited for long enough must not keep the next ones for longer.
    this.#saved = Math.max(this.#saved - 1, 1 - waitMsMax / restMs);
  }

  #save(): void {
    const { restMs, burst } = this.#settings;
    const nowMs = this.#clock.nowMs();
    this.#saved = Math.min(burst, this.#saved + (nowMs - this.#atMs) / restMs);
    this.#atMs = nowMs;
  }
}
