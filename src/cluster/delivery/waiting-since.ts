/**
 * How long the oldest entry of a stream has waited for its acknowledgement. Entries are told apart by when
 * they came, to a second; if they wait for long, to a fiftieth of that time, so that little is kept however
 * long a place is away.
 */
import type { Clock } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";

/** Entries up to `end` that came from `atMs` on, after those of the mark before. */
interface Mark {
  readonly atMs: number;
  end: number;
}

const APART_MS = SECOND_MS;
const MARKS_MAX = 100;

export class WaitingSince {
  readonly #clock: Clock;
  /** The oldest first. */
  #marks: Mark[] = [];
  #apartMs = APART_MS;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long the oldest has waited; 0 if none waits. */
  get lagMs(): number {
    const [first] = this.#marks;
    return first === undefined ? 0 : this.#clock.nowMs() - first.atMs;
  }

  /** The stream has entries up to `end`, the last of which came at this moment. */
  appended(end: number): void {
    const atMs = this.#clock.nowMs();
    const last = this.#marks.at(-1);
    if (last !== undefined && atMs - last.atMs < this.#apartMs) last.end = end;
    else this.#marks.push({ atMs, end });
    if (this.#marks.length <= MARKS_MAX) return;
    this.#marks = halved(this.#marks);
    this.#apartMs *= 2;
  }

  /** Entries up to `end` are acknowledged. */
  acknowledged(end: number): void {
    const waiting = this.#marks.findIndex((mark) => mark.end > end);
    if (waiting !== 0) this.#marks = waiting === -1 ? [] : this.#marks.slice(waiting);
    if (this.#marks.length === 0) this.#apartMs = APART_MS;
  }
}

/** Every two as one. */
function halved(marks: readonly Mark[]): Mark[] {
  return marks.flatMap(({ atMs, end }, at) =>
    at % 2 === 1 ? [] : [{ atMs, end: marks[at + 1]?.end ?? end }],
  );
}
