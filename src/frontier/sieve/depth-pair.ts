/**
 * Depths as the sieve compares them. Most are one number, of which the smaller is better. Where steps
 * inside a host are limited too (`limits.hostDepth`), a depth is a *pair* of numbers, each of which may
 * improve by itself: what is best of both is then known of a URL, even if no single path has both.
 *
 * A pair is one number as well, between those of single depths and those of requisites, so that nobody
 * has to be told which kind a crawl has. If a pair is better than another in one number and not worse in
 * the other, it is also the smaller number.
 */
const PAIR = 0x4000;
const PAIR_END = 0x8000;
const HOST_BITS = 6;
const HOST_MASK = (1 << HOST_BITS) - 1;
const DEPTH_MASK = PAIR - 1 - HOST_MASK;

/** The greatest numbers that a pair can hold; greater ones count as these. */
export const PAIRED_DEPTH_MAX: number = DEPTH_MASK >> HOST_BITS;
export const PAIRED_HOST_DEPTH_MAX: number = HOST_MASK;
/** The greatest depth that is not a pair. */
export const SINGLE_DEPTH_MAX: number = PAIR - 1;

export function pairOfDepths(depth: number, hostDepth: number): number {
  const inHost = Math.min(hostDepth, PAIRED_HOST_DEPTH_MAX);
  return PAIR | (Math.min(depth, PAIRED_DEPTH_MAX) << HOST_BITS) | inHost;
}

export function depthsOfPair(pair: number): { readonly depth: number; readonly hostDepth: number } {
  return { depth: (pair & DEPTH_MASK) >> HOST_BITS, hostDepth: pair & HOST_MASK };
}

/** The best of both: the smaller one, of pairs each of the numbers. */
export function bestDepth(one: number, other: number): number {
  if (one < PAIR || other < PAIR || one >= PAIR_END || other >= PAIR_END) {
    return one < other ? one : other;
  }
  const depth = Math.min(one & DEPTH_MASK, other & DEPTH_MASK);
  return PAIR | depth | Math.min(one & HOST_MASK, other & HOST_MASK);
}
