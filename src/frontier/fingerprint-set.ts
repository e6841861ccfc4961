/**
 * A set of fingerprints in typed arrays: open addressing, linear probing, at most half full to three
 * quarters full. The fingerprint is its own hash; 0/0 stands for an empty place and is kept apart.
 */

export class FingerprintSet {
  #highs: Uint32Array = new Uint32Array(64);
  #lows: Uint32Array = new Uint32Array(64);
  #size = 0;
  #hasZero = false;

  get size(): number {
    return this.#size + (this.#hasZero ? 1 : 0);
  }

  has(high: number, low: number): boolean {
    if (high === 0 && low === 0) return this.#hasZero;
    const at = this.#find(high, low);
    return this.#highs[at] === high && this.#lows[at] === low;
  }

  add(high: number, low: number): void {
    if (high === 0 && low === 0) {
      this.#hasZero = true;
      return;
    }
    if (4 * (this.#size + 1) > 3 * this.#highs.length) this.#grow();
    const at = this.#find(high, low);
    if (this.#highs[at] === high && this.#lows[at] === low) return;
    this.#highs[at] = high;
    this.#lows[at] = low;
    this.#size += 1;
  }

  /** Where the fingerprint is, or the empty place where it belongs. */
  #find(high: number, low: number): number {
    const mask = this.#highs.length - 1;
    let at = (low ^ Math.imul(high, 0x9e3779b1)) & mask;
    while (
      (this.#highs[at] !== 0 || this.#lows[at] !== 0) &&
      (this.#highs[at] !== high || this.#lows[at] !== low)
    ) {
      at = (at + 1) & mask;
    }
    return at;
  }

  #grow(): void {
    const highs = this.#highs;
    const lows = this.#lows;
    const length = 2 * highs.length;
    this.#highs = new Uint32Array(length);
    this.#lows = new Uint32Array(length);
    for (let at = 0; at < highs.length; at += 1) {
      const high = highs[at] as number;
      const low = lows[at] as number;
      if (high === 0 && low === 0) continue;
      const place = this.#find(high, low);
      this.#highs[place] = high;
      this.#lows[place] = low;
    }
  }
}
