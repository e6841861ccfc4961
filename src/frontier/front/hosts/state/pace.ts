/**
 * How long a host is left alone after a visit: at least the configured delay, or the host's
 * Crawl-delay if that is longer. The delay doubles each time the host answers 429 or 503, and is at
 * least a multiple of the time that its last answer took, so that an overloaded server gets fewer
 * visits. Adapted delays stay below the bound for Crawl-delay. A configured delay of 0 is not
 * adapted: it is meant for one's own servers; a Crawl-delay is respected even then.
 */

/** A host that took one second to answer is left alone for this many. */
export const ANSWER_TIME_MULTIPLE = 2;
/** After this many good answers in a row one doubling is undone. */
export const GOOD_ANSWERS_PER_STEP = 8;
const STEPS_MAX = 16;

export interface PaceSettings {
  readonly hostDelayMs: number;
  /** The longest Crawl-delay that is respected, and the bound for adapted delays. */
  readonly crawlDelayMsMax: number;
}

/** Of the last answers: how long the latest took, doublings of the delay, good ones in a row. */
export interface SavedPace {
  readonly answerMs: number;
  readonly steps: number;
  readonly good: number;
}

export class Pace {
  /** Others may apply from now on. */
  settings: PaceSettings;
  #crawlDelayMs = 0;
  #answerMs = 0;
  #steps = 0;
  #goodAnswers = 0;

  constructor(settings: PaceSettings) {
    this.settings = settings;
  }

  /** What configuration and robots.txt ask for, whatever the answers are like. */
  get wishedMs(): number {
    const { hostDelayMs, crawlDelayMsMax } = this.settings;
    return Math.max(hostDelayMs, Math.min(this.#crawlDelayMs, crawlDelayMsMax));
  }

  /** From the end of a visit to the start of the next. */
  get delayMs(): number {
    const { hostDelayMs, crawlDelayMsMax } = this.settings;
    const { wishedMs } = this;
    if (hostDelayMs === 0) return wishedMs;
    const adaptedMs = Math.max(wishedMs * 2 ** this.#steps, this.#answerMs * ANSWER_TIME_MULTIPLE);
    return Math.max(wishedMs, Math.min(adaptedMs, crawlDelayMsMax));
  }

  /** The longest Crawl-delay among the host's robots.txt files. */
  set crawlDelayMs(delayMs: number) {
    this.#crawlDelayMs = delayMs;
  }

  save(): SavedPace {
    return { answerMs: this.#answerMs, steps: this.#steps, good: this.#goodAnswers };
  }

  restore({ answerMs, steps, good }: SavedPace): void {
    this.#answerMs = answerMs;
    this.#steps = steps;
    this.#goodAnswers = good;
  }

  /** The host has answered a request for a page, after this time. */
  answered(status: number, answerMs: number): void {
    this.#answerMs = answerMs;
    if (status === 429 || status === 503) {
      this.#steps = Math.min(this.#steps + 1, STEPS_MAX);
      this.#goodAnswers = 0;
      return;
    }
    this.#goodAnswers += 1;
    if (this.#goodAnswers < GOOD_ANSWERS_PER_STEP) return;
    this.#goodAnswers = 0;
    this.#steps = Math.max(this.#steps - 1, 0);
  }
}
