/**
 * Priorities are kept by bands, each of twice the priority of the one below: a better band comes
 * first, and inside a band the oldest record. So of two records of one host, one whose priority is
 * at least twice the other's always comes first, while smaller differences may be ignored; nothing
 * is ever sorted, and a record costs no more than in a plain queue.
 */
import assert from "node:assert/strict";

/** How many bands there are; the best one is the last. */
export const BANDS: number = 8;

/** Band 0 has what is below 1, band 1 [1, 2), band 2 [2, 4), and so on; band 7 has 64 and more. */
export function bandOf(priority: number): number {
  assert(!Number.isNaN(priority), "a priority is a number");
  if (!(priority >= 1)) return 0;
  return Math.min(BANDS - 1, 1 + Math.floor(Math.log2(priority)));
}
