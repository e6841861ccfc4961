/**
 * Which runs to merge: the newest ones, as long as none is much bigger than all newer ones
 * together, once there are enough of them. So sizes grow exponentially from run to run: there are
 * few runs, a record is rewritten only when its run has grown several times, and the cost of a new
 * record stays nearly the same however many there are.
 */

/** How much bigger the next older run may be to be included. */
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
