/**
 * A choice among weighted things by one drawn word: a table of 2^16 entries, so that a choice costs
 * one look-up however many things there are. Weights are shares of the whole; what they leave goes
 * to the first thing. A share is kept to one part in 65,536.
 */
const BITS = 16;
const ENTRIES = 2 ** BITS;

export class WeightTable {
  readonly #table = new Uint8Array(ENTRIES);

  /** The share of thing `index` is `shares[index]`; that of thing 0 is what the others leave. */
  constructor(shares: readonly number[]) {
    const sum = shares.slice(1).reduce((total, share) => total + share, 0);
    // More than everything was asked for: each gets its part, and nothing is left.
    const scale = sum > 1 ? 1 / sum : 1;
    let from = 0;
    let upTo = 0;
    for (let thing = 1; thing < shares.length; thing += 1) {
      upTo += (shares[thing] ?? 0) * scale * ENTRIES;
      const end = Math.min(ENTRIES, Math.round(upTo));
      this.#table.fill(thing, from, end);
      from = end;
    }
  }

  /** The thing that a word in [0, 2^32) chooses. */
  choose(word: number): number {
    return this.#table[word >>> BITS] ?? 0;
  }
}
