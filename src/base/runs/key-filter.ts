/**
 * A Bloom filter of fixed size: which keys have certainly not been added. With a byte for each key
 * it is wrong about three in a hundred keys that were not added; when overfull it is wrong about
 * more, which only costs time. The keys are keyed hashes and serve directly as the filter's hashes.
 */
const PROBES = 3;

export class KeyFilter {
  readonly #bits: Uint8Array;
  readonly #mask: number;

  /** With these bits, whose number is a power of two. */
  constructor(bits: Uint8Array) {
    this.#bits = bits;
    this.#mask = 8 * bits.length - 1;
  }

  /** Bits of a filter without keys; `bytes` is rounded down to a power of two. */
  static noBits(bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(2 ** Math.min(29, Math.floor(Math.log2(Math.max(1, bytes)))));
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

  /** Adds all keys of another filter of the same size. */
  addAll(bits: Uint8Array): void {
    for (let at = 0; at < bits.length; at += 1) {
      this.#bits[at] = (this.#bits[at] as number) | (bits[at] as number);
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
