/** Distances between 64-bit hashes given as two 32-bit lanes. */

/** How many of the 32 bits are set. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** In how many bits two hashes differ. */
export function hammingDistance(
  high: number,
  low: number,
  otherHigh: number,
  otherLow: number,
): number {
  return bitCount(high ^ otherHigh) + bitCount(low ^ otherLow);
}
