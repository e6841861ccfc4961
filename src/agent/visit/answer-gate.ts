/**
 * The gate that answers pass on their way from the web into the units. An answer is *worked on* from the
 * moment when the frontier is told of it until its visit is over: the page has its line, its row and its
 * place in every store.
 *
 * A checkpoint is taken when no answer is worked on: everything that the crawl knows then is what its
 * lines say, neither more nor less. Answers that come in meanwhile wait outside, for some milliseconds
 * as a rule; fetches go on.
 */
import assert from "node:assert/strict";

export class AnswerGate {
  #worked = 0;
  #quiet: (() => void) | null = null;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  /** How many answers are worked on. */
  get worked(): number {
    return this.#worked;
  }

  /** Works on an answer, now or when the gate is opened; it may be told and ended inside. */
  admit(work: () => void): void {
    if (this.#isClosed) this.#waiting.push(work);
    else work();
  }

  begin(): void {
    this.#worked += 1;
  }

  end(): void {
    assert(this.#worked > 0, "what is ended was begun");
    this.#worked -= 1;
    this.#tell();
  }

  /** Lets no more answers in. Calls back when none is worked on, perhaps inside this call. */
  close(quiet: () => void): void {
    assert(!this.#isClosed, "a gate is closed once before it is opened again");
    this.#isClosed = true;
    this.#quiet = quiet;
    this.#tell();
  }

  /** Lets those in that wait; whoever closed it is not called any more. */
  open(): void {
    this.#isClosed = false;
    this.#quiet = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const work of waiting) this.admit(work);
  }

  #tell(): void {
    const quiet = this.#quiet;
    if (quiet === null || this.#worked > 0) return;
    this.#quiet = null;
    quiet();
  }
}
