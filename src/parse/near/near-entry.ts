/** One entry of the near-duplicate index: a hash and its page. */
import assert from "node:assert/strict";

/** Numbered by the owner of the index: an integer below 2^48. */
export type PageId = number;

export const PAGE_ID_BYTES = 6;
const PAGE_ID_MAX = 2 ** 48 - 1;

/** The largest distance that can be searched for. */
export const DISTANCE_MAX = 3;

export interface NearEntry {
  readonly high: number;
  readonly low: number;
  readonly id: PageId;
}

/** A hash to search for, and how many bits may differ. */
export interface NearQuery {
  readonly high: number;
  readonly low: number;
  readonly distance: number;
}

export function assertPageId(id: PageId): void {
  assert(Number.isSafeInteger(id) && id >= 0 && id <= PAGE_ID_MAX, "a page id is below 2^48");
}
