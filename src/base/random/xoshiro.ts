/**
 * The generator xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2018): 128 bits of state, period 2^128 - 1, 32-bit arithmetic only. Not for secrets.
 */
import assert from "node:assert/strict";

export class Xoshiro {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** Four words of state, not all zero: that state never changes. */
  constructor(a: number, b: number, c: number, d: number) {
    assert((a | b | c | d) !== 0, "the state of the generator is not zero");
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }

  u32(): number {
    const result = Math.imul(rotate(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotate(this.#d, 11);
    return result;
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
