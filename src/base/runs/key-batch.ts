/**
 * Keys in memory, each with a number, in typed arrays: an open-addressed table at most half full, as
 * large from the beginning as it is meant to become. It grows only when it is made to hold more.
 *
 * The keys are keyed hashes, so that their low bits can be taken for a place as they are.
 */

/** Answered for a key that is not there. */
export const NO_VALUE = -1;

const PLACES_MIN = 16;

export class KeyBatch {
  readonly #hasValues: boolean;
  #highs: Uint32Array;
  #lows: Uint32Array;
  #isUsed: Uint8Array;
  /** Empty where keys have no numbers. */
  #values: Float64Array;
  #count = 0;

  constructor(capacity: number, hasValues: boolean) {
    this.#hasValues = hasValues;
    let places = PLACES_MIN;
    while (places < 2 * capacity) places *= 2;
    this.#highs = new Uint32Array(places);
    this.#lows = new Uint32Array(places);
    this.#isUsed = new Uint8Array(places);
    this.#values = new Float64Array(hasValues ? places : 0);
  }

  get count(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    return this.#highs.length * placeBytes(this.#hasValues);
  }

  /** The number of a key, 0 where keys have none; `NO_VALUE` when it is not there. */
  get(high: number, low: number): number {
    const place = this.#placeOf(high, low);
    if (this.#isUsed[place] === 0) return NO_VALUE;
    return this.#hasValues ? (this.#values[place] as number) : 0;
  }

  set(high: number, low: number, value: number): void {
    let place = this.#placeOf(high, low);
    if (this.#isUsed[place] === 0) {
      if (2 * this.#count >= this.#isUsed.length) {
        this.#grow();
        place = this.#placeOf(high, low);
      }
      this.#isUsed[place] = 1;
      this.#count += 1;
    }
    this.#highs[place] = high;
    this.#lows[place] = low;
    if (this.#hasValues) this.#values[place] = value;
  }

  /** Calls back for every key, in no order. */
  eachKey(visit: (high: number, low: number, value: number) => void): void {
    for (let place = 0; place < this.#isUsed.length; place += 1) {
      if (this.#isUsed[place] === 0) continue;
      const value = this.#hasValues ? (this.#values[place] as number) : 0;
      visit(this.#highs[place] as number, this.#lows[place] as number, value);
    }
  }

  /** Where the key is, or the free place where it would be. */
  #placeOf(high: number, low: number): number {
    const mask = this.#isUsed.length - 1;
    let place = low & mask;
    while (this.#isUsed[place] !== 0) {
      if (this.#highs[place] === high && this.#lows[place] === low) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  #grow(): void {
    const grown = new KeyBatch(this.#isUsed.length, this.#hasValues);
    this.eachKey((high, low, value) => grown.set(high, low, value));
    this.#highs = grown.#highs;
    this.#lows = grown.#lows;
    this.#isUsed = grown.#isUsed;
    this.#values = grown.#values;
  }
}

/** What a place takes; a key has two of them, and up to four after the size was rounded up. */
export function placeBytes(hasValues: boolean): number {
  return hasValues ? 17 : 9;
}
