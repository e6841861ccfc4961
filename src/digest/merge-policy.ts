/**
 * Which runs to merge: the newest ones, as long as the next older is not much bigger than all of
 * them together. So sizes about double from run to run like the digits of a binary number: there
 * are few runs, three or four for ten million entries, each of which costs every search something,
 * and an entry is written again only when its company has about doubled.
 */

/** How much bigger the next older run may be to be taken along. */
const RATIO_MAX = 1.5;

/** How many of the newest runs are to be merged now; 0 for none. `counts`: the oldest run first. */
export function runsToMerge(counts: readonly number[]): number {
  let merged = 0;
  let sum = 0;
  for (const count of counts.toReversed()) {
    if (merged > 0 && count > RATIO_MAX * sum) break;
    sum += count;
    merged++;
  }
  return merged > 1 ? merged : 0;
}
