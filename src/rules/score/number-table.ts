/**
 * Numbers by fingerprint, as many as fit: the memory of a score, of a fixed size. A fingerprint has
 * its place in one bucket of eight; where a bucket is full, the smallest number gives way. So what
 * scores high is remembered, and what is forgotten begins again at nothing.
 */

const WAYS = 8;

export class NumberTable {
  readonly #highs: Uint32Array;
  readonly #lows: Uint32Array;
  /** 0 marks a free place, which is as good as a number of 0. */
  readonly #numbers: Float32Array;

  /** `places`, a power of two, take 12 bytes each. */
  constructor(places: number) {
    this.#highs = new Uint32Array(places);
    this.#lows = new Uint32Array(places);
    this.#numbers = new Float32Array(places);
  }

  get(high: number, low: number): number {
    const place = this.#find(high, low);
    return place === -1 ? 0 : (this.#numbers[place] as number);
  }

  /** Adds to the number of a fingerprint, and returns the sum. */
  add(high: number, low: number, more: number): number {
    const known = this.#find(high, low);
    const place = known === -1 ? this.#smallest(this.#bucket(high, low)) : known;
    const number = (known === -1 ? 0 : (this.#numbers[place] as number)) + more;
    this.#highs[place] = high;
    this.#lows[place] = low;
    this.#numbers[place] = number;
    return number;
  }

  /** Takes a number away; 0 when there was none. */
  take(high: number, low: number): number {
    const place = this.#find(high, low);
    if (place === -1) return 0;
    const number = this.#numbers[place] as number;
    this.#numbers[place] = 0;
    return number;
  }

  #bucket(high: number, low: number): number {
    return (low ^ Math.imul(high, 0x9e3779b1)) & (this.#lows.length - 1) & -WAYS;
  }

  #find(high: number, low: number): number {
    const from = this.#bucket(high, low);
    for (let place = from; place < from + WAYS; place += 1) {
      const isIt = this.#highs[place] === high && this.#lows[place] === low;
      if (isIt && this.#numbers[place] !== 0) return place;
    }
    return -1;
  }

  #smallest(from: number): number {
    let smallest = from;
    for (let place = from + 1; place < from + WAYS; place += 1) {
      if ((this.#numbers[place] as number) < (this.#numbers[smallest] as number)) smallest = place;
    }
    return smallest;
  }
}
