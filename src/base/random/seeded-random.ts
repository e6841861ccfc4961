/**
 * Random numbers from a seed: a string is spread over the state of the generator in `xoshiro.ts`.
 *
 * The seed is kept as a string, so that a fork is simply the seed of its parent with the label
 * added: what a fork draws depends on its path of labels and on nothing else.
 */
import assert from "node:assert/strict";
import type { Random } from "../seams/index.ts";
import { Xoshiro } from "./xoshiro.ts";

export class SeededRandom implements Random {
  readonly seed: string;
  readonly #source: Xoshiro;

  constructor(seed: string | number) {
    this.seed = String(seed);
    const next = spread(this.seed);
    // A state of four zeros would stay that way for ever; one fixed bit costs nothing.
    this.#source = new Xoshiro(next(), next(), next(), next() | 1);
  }

  u32(): number {
    return this.#source.u32();
  }

  below(bound: number): number {
    assert(Number.isInteger(bound) && bound >= 1 && bound <= 2 ** 32, "bound is in [1, 2^32]");
    // Draws above the largest multiple of `bound` are thrown away: small results would be likelier.
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let drawn = this.u32();
    while (drawn >= limit) drawn = this.u32();
    return drawn % bound;
  }

  unit(): number {
    const high = this.u32() >>> 5;
    const low = this.u32() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  fork(label: string): SeededRandom {
    return new SeededRandom(`${this.seed}/${label}`);
  }
}

/** Spreads a string over words: FNV-1a to start with, then a counter through a strong mixer. */
function spread(seed: string): () => number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < seed.length; index += 1) {
    const unit = seed.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) + low;
    high ^= high >>> 13;
  }
  let counter = low;
  return () => {
    counter = (counter + 0x9e3779b9) | 0;
    let word = counter ^ high;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return word ^ (word >>> 15);
  };
}
