/**
 * Which runs to merge. Four neighbours of about the same size become one of four times the size, so
 * there are at most three of each size: a dozen in all for tens of millions of entries, and every
 * entry is written once for each size.
 */
const MERGED_RUNS = 4;

/** How many of the newest runs are to be merged now; 0 for none. `counts`: the oldest run first. */
export function runsToMerge(counts: readonly number[]): number {
  const newest = counts.slice(-MERGED_RUNS);
  const isDue = newest.length === MERGED_RUNS && (newest[0] ?? 0) <= 2 * (newest.at(-1) ?? 0);
  return isDue ? MERGED_RUNS : 0;
}
