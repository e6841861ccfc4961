/**
 * The vote that makes a SimHash (Charikar, 2002): every feature of a text votes for or against bits
 * of the hash, as its own hash says, and each bit goes to the majority.
 *
 * Two things differ from the textbook. A feature votes on four bits, not on all 64, which costs a
 * sixteenth and changes nothing else. And votes have very different weights, also drawn from the
 * feature's hash: half of them 1, a quarter 16, an eighth 256 and so on. So each bit is decided by
 * the few heaviest votes on it. With equal weights, replacing one word in a hundred changes about 5
 * of the 64 bits, because the angle between two sums grows with the square root of what differs; with
 * these weights it changes one, because all that counts is whether one of the few deciding features
 * was replaced (sign stable projections; Li, Samorodnitsky and Hopcroft, 2013).
 */

/**
 * A vote, by ten bits of its feature's hash: the last says for or against, the others give the
 * weight, 16 to the power of their leading zeros. A table, because a processor mispredicts every
 * other branch on a random bit.
 */
const VOTES = Float64Array.from({ length: 1024 }, (_, bits) => {
  const weight = 16 ** (Math.clz32(bits >>> 1) - 23);
  return (bits & 1) === 0 ? -weight : weight;
});

/** The step from one random number of a feature to the next. */
const STEP = 0x9e3779b9;

export class BitVotes {
  readonly #sums = new Float64Array(64);

  clear(): void {
    this.#sums.fill(0);
  }

  /** Casts the votes of the first `count` features, multiplied by `weight`. */
  cast(features: Int32Array, count: number, weight: number): void {
    const sums = this.#sums;
    for (let at = 0; at < count; at++) {
      const bits = mixed((features[at] as number) + STEP);
      castPair(sums, bits, weight);
      castPair(sums, mixed(bits + STEP), weight);
    }
  }

  /** The outcome for the upper 32 bits, unsigned. */
  get high(): number {
    return this.#outcome(32);
  }

  /** The outcome for the lower 32 bits, unsigned. */
  get low(): number {
    return this.#outcome(0);
  }

  #outcome(from: number): number {
    let result = 0;
    for (let bit = 0; bit < 32; bit++) {
      if ((this.#sums[from + bit] as number) > 0) result |= 1 << bit;
    }
    return result >>> 0;
  }
}

/** Two votes use the 32 bits of a number: six choose the bit, ten the vote. */
function castPair(sums: Float64Array, bits: number, weight: number): void {
  const first = bits & 63;
  const second = (bits >>> 16) & 63;
  const firstVote = VOTES[(bits >>> 6) & 1023] as number;
  const secondVote = VOTES[bits >>> 22] as number;
  sums[first] = (sums[first] as number) + weight * firstVote;
  sums[second] = (sums[second] as number) + weight * secondVote;
}

/** Spreads a number over 32 bits, one to one (the end of MurmurHash3). */
export function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
