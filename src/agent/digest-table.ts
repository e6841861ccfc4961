/**
 * A table from 64-bit digests to numbers, in typed arrays: has a page with this digest been seen,
 * and where is it? Open addressing at a load of at most one half, so a member costs 32 to 64 bytes
 * and no object.
 *
 * The digests are keyed hashes, so that their low bits can be taken for a place as they are.
 */

const PLACES_MIN = 1024;

export class DigestTable {
  size = 0;
  #high = new Uint32Array(PLACES_MIN);
  #low = new Uint32Array(PLACES_MIN);
  /** One more than the value, so that 0 marks a free place. */
  #values = new Float64Array(PLACES_MIN);

  /** The value, a whole number from 0 on; null when there is none. */
  get(high: number, low: number): number | null {
    const value = this.#values[this.#placeOf(high, low)] ?? 0;
    return value === 0 ? null : value - 1;
  }

  set(high: number, low: number, value: number): void {
    if (this.size * 2 >= this.#values.length) this.#grow();
    const place = this.#placeOf(high, low);
    if (this.#values[place] === 0) this.size += 1;
    this.#put(place, high, low, value + 1);
  }

  /** Where the digest is, or the free place where it would be. */
  #placeOf(high: number, low: number): number {
    const mask = this.#values.length - 1;
    let place = low & mask;
    while (this.#values[place] !== 0) {
      if (this.#high[place] === high && this.#low[place] === low) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  #put(place: number, high: number, low: number, value: number): void {
    this.#high[place] = high;
    this.#low[place] = low;
    this.#values[place] = value;
  }

  #grow(): void {
    const high = this.#high;
    const low = this.#low;
    const values = this.#values;
    this.#high = new Uint32Array(values.length * 2);
    this.#low = new Uint32Array(values.length * 2);
    this.#values = new Float64Array(values.length * 2);
    for (let from = 0; from < values.length; from += 1) {
      const value = values[from] ?? 0;
      if (value === 0) continue;
      const place = this.#placeOf(high[from] ?? 0, low[from] ?? 0);
      this.#put(place, high[from] ?? 0, low[from] ?? 0, value);
    }
  }
}
