/**
 * Does a sequence of numbers contain a k-th power, that is, some group k times in a row? In time
 * linear in its length, after Main ("Detecting leftmost maximal periodicities", 1989).
 *
 * The sequence is cut into factors, each the longest that has occurred before (or one new number).
 * Take the power that ends first. It cannot lie inside one factor, or it would have occurred
 * before. So it crosses the beginning of the factor in which it ends; and, with `p` the length of
 * its group, it reaches back less than `p` beyond the factor before that one, or that factor could
 * have been longer. As k groups fit between these bounds, `p` is less than both factors together
 * and the power begins less than twice the factor before plus this factor away from the cut.
 * At each cut it is therefore enough to look at a window of that size, which takes linear time.
 */
import { factorsOf } from "./factors.ts";

export function hasPower(sequence: Int32Array, exponent: number): boolean {
  let lengthBefore = 0;
  for (const { start, end, isNew } of factorsOf(sequence)) {
    const length = end - start;
    const from = Math.max(0, start - 2 * lengthBefore - length);
    lengthBefore = length;
    // The last number of a power is never new.
    if (isNew || end - from < exponent) continue;
    if (hasPowerAcross(sequence.subarray(from, end), start - from, exponent)) return true;
  }
  return false;
}

/**
 * Whether a power crosses the cut of a window. With group length `p` there are as many equal pairs
 * at distance `p` around the cut as the numbers before it agree with those `p` places away, plus
 * as many as those after it do; k - 1 groups of pairs make a power. The pairs are counted once with
 * the cut at their left member (the group is copied to the right of the cut) and once at the right.
 */
function hasPowerAcross(window: Int32Array, cut: number, exponent: number): boolean {
  const left = window.slice(0, cut).reverse();
  const right = window.subarray(cut);
  const backwards = window.slice().reverse();
  const rightInRight = agreements(right, right);
  const leftInLeft = agreements(left, left);
  const leftInAll = agreements(left, backwards);
  const rightInAll = agreements(right, window);
  const needed = exponent - 1;
  for (let length = 1; length <= right.length; length += 1) {
    const after = rightInRight[length] ?? 0;
    const before = leftInAll[right.length - length] ?? 0;
    if (before + after >= needed * length) return true;
  }
  for (let length = 1; length <= left.length; length += 1) {
    const after = rightInAll[left.length - length] ?? 0;
    const before = leftInLeft[length] ?? 0;
    if (before + after >= needed * length) return true;
  }
  return false;
}

/** For each place of `text`, how much of `pattern` agrees with what stands from there on. */
function agreements(pattern: Int32Array, text: Int32Array): Int32Array {
  const own = text === pattern ? undefined : agreements(pattern, pattern);
  const found = new Int32Array(text.length);
  // The known agreement that reaches furthest covers [start, end).
  let start = 0;
  let end = 0;
  for (let at = own === undefined ? 1 : 0; at < text.length; at += 1) {
    const copied = at < end ? ((own ?? found)[at - start] ?? 0) : 0;
    let length = Math.min(copied, Math.max(0, end - at));
    while (
      length < pattern.length &&
      at + length < text.length &&
      pattern[length] === text[at + length]
    ) {
      length += 1;
    }
    found[at] = length;
    if (at + length > end) {
      start = at;
      end = at + length;
    }
  }
  if (own === undefined) found[0] = pattern.length;
  return found;
}
