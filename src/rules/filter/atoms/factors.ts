/**
 * Cuts a sequence of numbers into factors, in linear time: each is the longest one that also begins
 * earlier in the sequence (the two may overlap), or a single number that is new. This is the
 * factorisation of Lempel and Ziv. It reads the sequence along a suffix automaton (Blumer et al.,
 * 1985) of itself, whose states know where their words end first: while that is before the place
 * where we read, the word has occurred before.
 */

export interface Factor {
  readonly start: number;
  readonly end: number;
  /** A number that did not occur before. */
  readonly isNew: boolean;
}

export function factorsOf(sequence: Int32Array): Factor[] {
  const automaton = new SuffixAutomaton(sequence);
  const factors: Factor[] = [];
  for (let start = 0; start < sequence.length; ) {
    let state = 0;
    let end = start;
    while (end < sequence.length) {
      const next = automaton.step(state, sequence[end] ?? 0);
      if (automaton.firstEndOf(next) >= end) break;
      state = next;
      end += 1;
    }
    const isNew = end === start;
    if (isNew) end += 1;
    factors.push({ start, end, isNew });
    start = end;
  }
  return factors;
}

const NONE = -1;

/**
 * Recognises every word of a sequence; at most twice as many states as the sequence is long, and
 * less than three edges for each of its numbers. Everything lies in flat arrays; the edges of a
 * state are a list, for copying them, and are found by a table of their hashes.
 */
class SuffixAutomaton {
  readonly #lengths: Int32Array;
  readonly #links: Int32Array;
  readonly #firstEnds: Int32Array;
  /** The newest edge of each state. */
  readonly #heads: Int32Array;
  readonly #edgeFrom: Int32Array;
  readonly #edgeNumber: Int32Array;
  readonly #edgeTo: Int32Array;
  /** The next edge of the same state. */
  readonly #edgeNext: Int32Array;
  /** Edges by hash with linear probing, one more than their index; 0 is free. */
  readonly #table: Int32Array;
  #states = 0;
  #edges = 0;

  constructor(sequence: Int32Array) {
    const length = sequence.length;
    this.#lengths = new Int32Array(2 * length + 1);
    this.#links = new Int32Array(2 * length + 1);
    this.#firstEnds = new Int32Array(2 * length + 1);
    this.#heads = new Int32Array(2 * length + 1);
    this.#edgeFrom = new Int32Array(3 * length + 1);
    this.#edgeNumber = new Int32Array(3 * length + 1);
    this.#edgeTo = new Int32Array(3 * length + 1);
    this.#edgeNext = new Int32Array(3 * length + 1);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(6 * length + 2)));
    let last = this.#newState(0, NONE, NONE);
    for (let index = 0; index < length; index += 1) {
      last = this.#extend(last, sequence[index] ?? 0, index);
    }
  }

  /** The state after one more number, or NONE. */
  step(state: number, number: number): number {
    const edge = this.#table[this.#slot(state, number)] ?? 0;
    return edge === 0 ? NONE : (this.#edgeTo[edge - 1] ?? NONE);
  }

  /** Where the words of this state end for the first time. */
  firstEndOf(state: number): number {
    return this.#firstEnds[state] ?? NONE;
  }

  #extend(last: number, number: number, index: number): number {
    const added = this.#newState((this.#lengths[last] ?? 0) + 1, 0, index);
    let state = last;
    while (state !== NONE && this.step(state, number) === NONE) {
      this.#connect(state, number, added);
      state = this.#links[state] ?? NONE;
    }
    if (state !== NONE) this.#links[added] = this.#split(state, number);
    return added;
  }

  /** The target of an edge, made to hold only words that the words of its beginning lead to. */
  #split(from: number, number: number): number {
    const target = this.step(from, number);
    const length = (this.#lengths[from] ?? 0) + 1;
    if (this.#lengths[target] === length) return target;
    const copy = this.#newState(length, this.#links[target] ?? NONE, this.firstEndOf(target));
    for (let edge = this.#heads[target] ?? 0; edge !== 0; edge = this.#edgeNext[edge - 1] ?? 0) {
      this.#connect(copy, this.#edgeNumber[edge - 1] ?? 0, this.#edgeTo[edge - 1] ?? 0);
    }
    this.#links[target] = copy;
    let state = from;
    while (state !== NONE && this.step(state, number) === target) {
      this.#edgeTo[(this.#table[this.#slot(state, number)] ?? 1) - 1] = copy;
      state = this.#links[state] ?? NONE;
    }
    return copy;
  }

  #newState(length: number, link: number, firstEnd: number): number {
    const state = this.#states;
    this.#lengths[state] = length;
    this.#links[state] = link;
    this.#firstEnds[state] = firstEnd;
    this.#states += 1;
    return state;
  }

  #connect(from: number, number: number, to: number): void {
    const edge = this.#edges;
    this.#edgeFrom[edge] = from;
    this.#edgeNumber[edge] = number;
    this.#edgeTo[edge] = to;
    this.#edgeNext[edge] = this.#heads[from] ?? 0;
    this.#heads[from] = edge + 1;
    this.#table[this.#slot(from, number)] = edge + 1;
    this.#edges += 1;
  }

  /** Where the edge is in the table, or where it would go. */
  #slot(from: number, number: number): number {
    const mask = this.#table.length - 1;
    let slot = (Math.imul(from, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)) >>> 7;
    for (slot &= mask; ; slot = (slot + 1) & mask) {
      const edge = this.#table[slot] ?? 0;
      if (edge === 0) return slot;
      if (this.#edgeFrom[edge - 1] === from && this.#edgeNumber[edge - 1] === number) return slot;
    }
  }
}
