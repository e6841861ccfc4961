/**
 * Random numbers without history: every number belongs to a spot of the web (a host, a page of it)
 * and to the purpose it is drawn for, and to nothing else. So a page can be made without making any
 * other page first, and drawing more for one purpose changes nothing for another.
 *
 * 32-bit arithmetic only, so that a seed means the same web on every machine. Not for secrets.
 */
export class Chance {
  readonly #low: number;
  readonly #high: number;
  #counter = 0;
  #salt = 0;

  constructor(seed: string, purpose: string) {
    this.#low = textHash(`${seed}/${purpose}`, 0x811c9dc5);
    this.#high = textHash(`${purpose}/${seed}`, 0x9747b28c);
  }

  /** Begins the row of numbers that belongs to this spot. */
  at(major: number, minor: number): this {
    const first = mix(this.#low ^ Math.imul(major, 0x9e3779b1));
    const second = mix(this.#high ^ first ^ Math.imul(minor, 0x85ebca6b));
    this.#counter = first ^ (second >>> 7);
    this.#salt = second;
    return this;
  }

  /** The first number of a spot, when only one is wanted; a row that was begun is not disturbed. */
  one(major: number, minor: number): number {
    const first = mix(this.#low ^ Math.imul(major, 0x9e3779b1));
    return mix(this.#high ^ first ^ Math.imul(minor, 0x85ebca6b)) >>> 0;
  }

  /** A whole number in [0, 2^32). */
  u32(): number {
    this.#counter = (this.#counter + 0x9e3779b9) | 0;
    return mix(this.#counter ^ this.#salt) >>> 0;
  }

  /** A number in [0, 1). */
  unit(): number {
    return this.u32() / 2 ** 32;
  }

  /** A whole number in [0, bound). For bounds far below 2^32, as all here are, there is no bias. */
  below(bound: number): number {
    return Math.floor((this.u32() / 2 ** 32) * bound);
  }

  /** True in this share of all cases; draws nothing when that is none. */
  happens(share: number): boolean {
    return share > 0 && this.unit() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

/** A share of all numbers that `one` gives: the spots whose number is below it are chosen. */
export function threshold(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 2 ** 32);
}

/** A strong mixer of 32 bits; also the hash of one number. */
export function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

/** 32 bits of any text. */
export function textHash(text: string, basis = 0x811c9dc5): number {
  let hash = basis;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 13;
  }
  return mix(hash) >>> 0;
}
