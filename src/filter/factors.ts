/**
 * Cuts a sequence of numbers into factors, in linear time: each is the longest one that also begins
 * earlier in the sequence (the two may overlap), or a single number that is new. This is the
 * factorisation of Lempel and Ziv. It reads the sequence along a suffix automaton (Blumer et al.,
 * 1985) of itself, whose states know where their words end first: while that is before the place
 * where we read, the word has occurred before.
 */

/** The beginnings of the factors, and the length of the sequence at the end. */
export function factorsOf(sequence: Int32Array): number[] {
  const automaton = new SuffixAutomaton(sequence);
  const cuts = [0];
  for (let start = 0; start < sequence.length; ) {
    let state = 0;
    let end = start;
    while (end < sequence.length) {
      const next = automaton.step(state, sequence[end] ?? 0);
      if (automaton.firstEndOf(next) >= end) break;
      state = next;
      end += 1;
    }
    start = Math.max(end, start + 1);
    cuts.push(start);
  }
  return cuts;
}

const NONE = -1;

/** Recognises every word of a sequence; at most twice as many states as the sequence is long. */
class SuffixAutomaton {
  /** By state and number together; the automaton has less than three edges for each number. */
  readonly #edges = new Map<number, number>();
  /** The numbers on the edges of each state, for copying them. */
  readonly #labels: number[][] = [];
  readonly #lengths: number[] = [];
  readonly #links: number[] = [];
  readonly #firstEnds: number[] = [];
  readonly #numbersMax: number;

  constructor(sequence: Int32Array) {
    this.#numbersMax = sequence.reduce((most, number) => Math.max(most, number + 1), 1);
    let last = this.#newState({ length: 0, link: NONE, firstEnd: NONE });
    for (const [index, number] of sequence.entries()) last = this.#extend(last, number, index);
  }

  /** The state after one more number, which must be in the sequence at that place. */
  step(state: number, number: number): number {
    return this.#edges.get(this.#key(state, number)) ?? NONE;
  }

  /** Where the words of this state end for the first time. */
  firstEndOf(state: number): number {
    return this.#firstEnds[state] ?? NONE;
  }

  #extend(last: number, number: number, index: number): number {
    const length = (this.#lengths[last] ?? 0) + 1;
    const added = this.#newState({ length, link: 0, firstEnd: index });
    let state = last;
    while (state !== NONE && this.step(state, number) === NONE) {
      this.#connect(state, number, added);
      state = this.#links[state] ?? NONE;
    }
    if (state !== NONE) this.#links[added] = this.#split(state, number);
    return added;
  }

  /** The target of an edge, made to hold only words that the edge's words lead to. */
  #split(from: number, number: number): number {
    const target = this.step(from, number);
    const length = (this.#lengths[from] ?? 0) + 1;
    if (this.#lengths[target] === length) return target;
    const copy = this.#newState({
      length,
      link: this.#links[target] ?? NONE,
      firstEnd: this.firstEndOf(target),
    });
    for (const label of this.#labels[target] ?? []) {
      this.#connect(copy, label, this.step(target, label));
    }
    this.#links[target] = copy;
    let state = from;
    while (state !== NONE && this.step(state, number) === target) {
      this.#edges.set(this.#key(state, number), copy);
      state = this.#links[state] ?? NONE;
    }
    return copy;
  }

  #newState(state: {
    readonly length: number;
    readonly link: number;
    readonly firstEnd: number;
  }): number {
    this.#lengths.push(state.length);
    this.#links.push(state.link);
    this.#firstEnds.push(state.firstEnd);
    this.#labels.push([]);
    return this.#lengths.length - 1;
  }

  #connect(from: number, number: number, to: number): void {
    this.#edges.set(this.#key(from, number), to);
    this.#labels[from]?.push(number);
  }

  #key(state: number, number: number): number {
    return state * this.#numbersMax + number;
  }
}
