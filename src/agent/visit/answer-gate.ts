/**
 * The gate that answers pass on their way from the web into the units. An answer is *worked on* from the
 * moment when the frontier is told of it until its visit is over: the page has its line, its row and its
 * place in every store.
 *
 * A checkpoint is taken when no answer is worked on: everything that the crawl knows then is what its
 * lines say, neither more nor less. Answers that come in meanwhile wait outside, for some milliseconds
 * as a rule; fetches go on.
 *
 * So that it takes no longer, only a few are let in at once: a lane can work on one at a time, and it makes
 * no difference to the others whether they wait outside or inside. But those that are inside may all be
 * waiting for something else, such as a handler, another process or the disk. Further ones are let in
 * whenever none of them has moved for a while.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../base/seams/index.ts";

/** Answers that are worked on at once, unless they wait for something. */
const WORKED_MAX = 8;

/** If none has moved for this long, all of them wait. */
const STILL_MS = 20;

export class AnswerGate {
  readonly #clock: Clock;
  #worked = 0;
  /** How often one of them entered a unit, or ended. */
  #moves = 0;
  #quiet: (() => void) | null = null;
  #isClosed = false;
  #waiting: (() => void)[] = [];
  /** Whether a turn is to come in which answers are let in. */
  #isTurnDue = false;
  #isWatched = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many answers are worked on. */
  get worked(): number {
    return this.#worked;
  }

  /** Works on an answer, now or later; it may be told and ended inside. */
  admit(work: () => void): void {
    if (!this.#isClosed && this.#waiting.length === 0 && this.#worked < WORKED_MAX) work();
    else {
      this.#waiting.push(work);
      this.#watch();
    }
  }

  begin(): void {
    this.#worked += 1;
  }

  /** One that is worked on has come to another unit. */
  moved(): void {
    this.#moves += 1;
  }

  end(): void {
    assert(this.#worked > 0, "what is ended was begun");
    this.#worked -= 1;
    this.#moves += 1;
    this.#tell();
    this.#letInSoon();
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
    this.#letIn(WORKED_MAX - this.#worked);
    this.#watch();
  }

  #tell(): void {
    const quiet = this.#quiet;
    if (quiet === null || this.#worked > 0) return;
    this.#quiet = null;
    quiet();
  }

  /** In a turn of its own: an answer ends inside the work of a unit. */
  #letInSoon(): void {
    if (this.#isTurnDue || this.#isClosed || this.#waiting.length === 0) return;
    this.#isTurnDue = true;
    this.#clock.after(0, () => {
      this.#isTurnDue = false;
      this.#letIn(WORKED_MAX - this.#worked);
    });
  }

  /** Looks from time to time whether those inside move, while others wait. */
  #watch(): void {
    if (this.#isWatched || this.#isClosed || this.#waiting.length === 0) return;
    this.#isWatched = true;
    const moves = this.#moves;
    this.#clock.after(STILL_MS, () => {
      this.#isWatched = false;
      if (moves === this.#moves) this.#letIn(WORKED_MAX);
      this.#watch();
    });
  }

  #letIn(count: number): void {
    for (let left = count; left > 0 && !this.#isClosed; left -= 1) {
      const work = this.#waiting.shift();
      if (work === undefined) return;
      work();
    }
  }
}
