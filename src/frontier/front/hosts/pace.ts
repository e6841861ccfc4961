/**
 * How long a host is left alone after a visit. It is never less than the configured delay, and is
 * lengthened by what the host says and how it fares: its Crawl-delay; `BACK_OFF` doublings while it
 * answers 429 or 503; and a multiple of the time that its last answer took, so that a server that
 * labours under our visits gets proportionally fewer of them. What is adapted stays below a bound,
 * the one for Crawl-delay. Where no delay is configured none is adapted either: whoever sets 0 owns
 * the server and wants to see it sweat; what the host asks for in words is granted even then.
 */

/** A host that took one second to answer is left alone for this many. */
export const ANSWER_TIME_MULTIPLE = 2;
/** After this many good answers in a row one doubling is taken back. */
export const GOOD_ANSWERS_PER_STEP = 8;
const STEPS_MAX = 16;

export interface PaceSettings {
  readonly hostDelayMs: number;
  /** What is granted to a Crawl-delay, and the bound for what is adapted. */
  readonly crawlDelayMsMax: number;
}

export class Pace {
  readonly #settings: PaceSettings;
  #crawlDelayMs = 0;
  #answerMs = 0;
  #steps = 0;
  #goodAnswers = 0;

  constructor(settings: PaceSettings) {
    this.#settings = settings;
  }

  /** From the end of a visit to the start of the next. */
  get delayMs(): number {
    const { hostDelayMs, crawlDelayMsMax } = this.#settings;
    const wishedMs = Math.max(hostDelayMs, Math.min(this.#crawlDelayMs, crawlDelayMsMax));
    if (hostDelayMs === 0) return wishedMs;
    const adaptedMs = Math.max(wishedMs * 2 ** this.#steps, this.#answerMs * ANSWER_TIME_MULTIPLE);
    return Math.max(wishedMs, Math.min(adaptedMs, crawlDelayMsMax));
  }

  /** The longest Crawl-delay among the host's robots.txt files. */
  set crawlDelayMs(delayMs: number) {
    this.#crawlDelayMs = delayMs;
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
