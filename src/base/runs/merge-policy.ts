/**
 * Which runs to merge: the newest ones, as many as follow each other with none much bigger than all
 * newer ones together, once these are enough. So sizes grow by powers from run to run: there are few
 * runs, a record is written again only when its company has grown several times, and however many
 * records there are, the cost of a new one stays nearly the same.
 */

/** How much bigger the next older run may be to be taken along. */
const RATIO_MAX = 1.5;

/**
 * How many of the newest runs are to be merged now; 0 for none. `counts`: the oldest run first.
 * `runsMin`: fewer are not worth it; two, where every run costs every search something.
 */
export function runsToMerge(counts: readonly number[], runsMin: number): number {
  let merged = 0;
  let sum = 0;
  for (const count of counts.toReversed()) {
    if (merged > 0 && count > RATIO_MAX * sum) break;
    sum += count;
    merged++;
  }
  return merged >= runsMin ? merged : 0;
}
