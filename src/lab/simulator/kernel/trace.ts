/**
 * What happened in a simulation, one short line per event; only the last lines are kept.
 *
 * A line is `<virtual ms> <node> <sign> <what>`; `TRACE_LEGEND` says what each sign means. Off, a
 * trace costs one test of a boolean: callers build their text only after asking `isOn`. Since a
 * seed gives the same run again, runs are made with the trace off and a failing one is repeated
 * with it on.
 */

/** Every sign of a trace line and its meaning; printed with each failure. */
export const TRACE_LEGEND = {
  ">": "a message was sent: to whom, what, its number and length",
  "<": "a message arrived: from whom, what, its number",
  "=": "a second copy of a message was sent",
  "!": "a message was lost: cut link, loss, or nobody there",
  "~": "a message was held back by a clog, or a callback by a pause",
  t: "a timer fired",
  "+": "a node started: the number of its life",
  x: "a node crashed",
  z: "a node was paused: its process, or its machine with the clock",
  w: "a paused node went on: how many callbacks were waiting",
  c: "a clock was changed: drift or wall",
  n: "the network changed: cut, healed, clogged, unclogged, disturbed, calm",
  F: "a fault of the schedule struck",
  e: "another event of the world",
  "*": "a note by the code under test or its world",
} as const;

export type TraceSign = keyof typeof TRACE_LEGEND;

export class Trace {
  readonly isOn: boolean;
  readonly #linesMax: number;
  readonly #nowMs: () => number;
  readonly #ring: string[] = [];
  #written = 0;

  /** Keeps the last `linesMax` lines; 0 turns the trace off. */
  constructor(linesMax: number, nowMs: () => number) {
    this.#linesMax = linesMax;
    this.#nowMs = nowMs;
    this.isOn = linesMax > 0;
  }

  /** `who` is a node's id, or `-` for the world. Ask `isOn` before building `what`. */
  add(sign: TraceSign, who: string, what: string): void {
    if (!this.isOn) return;
    const time = this.#nowMs().toFixed(3).padStart(12);
    this.#ring[this.#written % this.#linesMax] = `${time} ${who} ${sign} ${what}`.trimEnd();
    this.#written += 1;
  }

  /** How many lines were written, kept or not. */
  get written(): number {
    return this.#written;
  }

  /** The lines still kept, oldest first. */
  lines(): string[] {
    const start = this.#written % this.#linesMax;
    if (this.#written <= this.#linesMax) return this.#ring.slice();
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)];
  }
}

/** The legend of the signs that occur in these lines, as lines of text. */
export function legendOf(lines: readonly string[]): string[] {
  const used = new Set(lines.map((line) => line.trimStart().split(" ", 3)[2]));
  return Object.entries(TRACE_LEGEND)
    .filter(([sign]) => used.has(sign))
    .map(([sign, meaning]) => `  ${sign}  ${meaning}`);
}
