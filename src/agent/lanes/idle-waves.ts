/**
 * When a crawl of several lanes is over: when all of them are idle at one moment. What lanes say of
 * themselves is of different moments, and a batch of links may wake a lane that has just said to be
 * idle. So they are asked in waves, and two waves must agree: all idle, as many batches taken as sent,
 * and none more than in the wave before. Between the two moments nothing was sent, so all were idle at
 * once (Mattern's four counters).
 *
 * A lane says by itself when it becomes idle, so nobody polls: a wave begins only when every lane has
 * said so since the last one failed.
 */
import type { LaneState } from "./lane-messages.ts";

export interface IdleWavesParts {
  readonly lanes: number;
  /** Asks all lanes; answers come by `answered`. */
  readonly ask: () => void;
  /** Everything is over. False if lanes may be given more to do; it is then called again after that. */
  readonly over: () => boolean;
}

export class IdleWaves {
  readonly #parts: IdleWavesParts;
  readonly #idle = new Set<number>();
  readonly #answers = new Map<number, LaneState>();
  #isAsking = false;
  /** Batches sent, in the last wave in which all were idle. */
  #before: number | null = null;
  #isOver = false;

  constructor(parts: IdleWavesParts) {
    this.#parts = parts;
  }

  /** This lane has become idle; it may be busy again by now. */
  idle(lane: number): void {
    this.#idle.add(lane);
    this.#begin();
  }

  /** What a lane answered in this wave; once each. */
  answered(lane: number, state: LaneState): void {
    this.#answers.set(lane, state);
    // Here and not when all have answered: by then it may have become idle, and said so.
    if (!state.isIdle) this.#idle.delete(lane);
    if (this.#answers.size < this.#parts.lanes) return;
    const answers = [...this.#answers];
    this.#answers.clear();
    this.#isAsking = false;
    this.#decide(answers);
  }

  #decide(answers: readonly (readonly [lane: number, state: LaneState])[]): void {
    const sent = sum(answers.map(([, one]) => one.sent));
    const received = sum(answers.map(([, one]) => one.received));
    const isQuiet = answers.every(([, { isIdle }]) => isIdle) && sent === received;
    if (isQuiet && this.#before === sent) {
      this.#before = null;
      this.#isOver = this.#parts.over();
    } else if (isQuiet) {
      this.#before = sent;
      this.#ask();
    } else {
      // Those that are busy will say when they are idle again; the others still are, or will too.
      this.#before = null;
      this.#begin();
    }
  }

  #begin(): void {
    if (this.#idle.size === this.#parts.lanes && !this.#isAsking && !this.#isOver) this.#ask();
  }

  #ask(): void {
    this.#isAsking = true;
    this.#parts.ask();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
