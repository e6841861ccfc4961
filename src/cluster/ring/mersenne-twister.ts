/**
 * The Mersenne Twister MT19937 (Matsumoto and Nishimura, "Mersenne twister: a 623-dimensionally
 * equidistributed uniform pseudorandom number generator", 1998) with their seeding of 2002 by a key
 * of several words. The ring draws the points of an agent from it, as UbiCrawler did; everything
 * else that needs chance uses `src/base/random`. Not for secrets.
 *
 * Invariant: the numbers are those of the authors' reference program, which the test quotes.
 */

const STATE_WORDS = 624;
/** The word that a new word is mixed with lies this far ahead. */
const AHEAD_WORDS = 397;
const TWIST = 0x9908b0df;
const UPPER_BIT = 0x80000000;
const LOWER_BITS = 0x7fffffff;
/** What the state is filled from before the key is mixed in. */
const FIRST_SEED = 19_650_218;

export class MersenneTwister {
  readonly #state = new Uint32Array(STATE_WORDS);
  #next = STATE_WORDS;

  /** The key has at least one word. */
  constructor(key: Uint32Array) {
    this.#fill(FIRST_SEED);
    this.#mixIn(key);
  }

  /** The next number: 32 bits, unsigned. */
  u32(): number {
    if (this.#next === STATE_WORDS) {
      this.#renew();
      this.#next = 0;
    }
    let word = this.#state[this.#next] as number;
    this.#next += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  }

  #fill(seed: number): void {
    this.#state[0] = seed;
    for (let at = 1; at < STATE_WORDS; at += 1) {
      this.#state[at] = this.#product(at, 1_812_433_253) + at;
    }
  }

  /** Mixes the words of the key into the state, one after the other and again from the first. */
  #mixIn(key: Uint32Array): void {
    const state = this.#state;
    const steps = Math.max(STATE_WORDS, key.length);
    let at = 1;
    for (let step = 0; step < steps; step += 1) {
      const index = step % key.length;
      const mixed = (state[at] as number) ^ this.#product(at, 1_664_525);
      state[at] = mixed + (key[index] as number) + index;
      at = this.#following(at);
    }
    for (let step = 1; step < STATE_WORDS; step += 1) {
      state[at] = ((state[at] as number) ^ this.#product(at, 1_566_083_941)) - at;
      at = this.#following(at);
    }
    state[0] = UPPER_BIT;
  }

  /** The word before `at`, its upper bits folded into its lower ones, times `factor`. */
  #product(at: number, factor: number): number {
    const before = this.#state[at - 1] as number;
    return Math.imul(before ^ (before >>> 30), factor);
  }

  /** The place after `at`; the first word is only ever a copy of the last one. */
  #following(at: number): number {
    if (at + 1 < STATE_WORDS) return at + 1;
    this.#state[0] = this.#state[STATE_WORDS - 1] as number;
    return 1;
  }

  #renew(): void {
    const state = this.#state;
    for (let at = 0; at < STATE_WORDS; at += 1) {
      const upper = (state[at] as number) & UPPER_BIT;
      const word = upper | ((state[(at + 1) % STATE_WORDS] as number) & LOWER_BITS);
      const twisted = (word >>> 1) ^ (word & 1 ? TWIST : 0);
      state[at] = (state[(at + AHEAD_WORDS) % STATE_WORDS] as number) ^ twisted;
    }
  }
}
