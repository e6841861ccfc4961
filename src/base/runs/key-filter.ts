/**
 * A Bloom filter of fixed size: which keys have certainly not been added. With a byte for each key
 * it is wrong about three in a hundred keys that were not added; when overfull it is wrong about
 * more, which only costs time. The keys are keyed hashes and serve directly as the filter's hashes.
 */
const PROBES = 3;

export class KeyFilter {
  readonly #bits: Uint8Array;
  readonly #mask: number;

  /** `bytes` is rounded down to a power of two. */
  constructor(bytes: number) {
    const size = 2 ** Math.min(29, Math.floor(Math.log2(Math.max(1, bytes))));
    this.#bits = new Uint8Array(size);
    this.#mask = 8 * size - 1;
  }

  get memoryBytes(): number {
    return this.#bits.length;
  }

  add(high: number, low: number): void {
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (low + Math.imul(probe, high | 1)) & this.#mask;
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }

  /** False for a key that was never added. */
  mayHave(high: number, low: number): boolean {
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (low + Math.imul(probe, high | 1)) & this.#mask;
      if (((this.#bits[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}
