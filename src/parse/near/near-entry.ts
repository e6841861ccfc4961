/** One entry of the near-duplicate index: a hash and its page. */
import assert from "node:assert/strict";

/** Numbered by the owner of the index: an integer below 2^48. */
export type PageId = number;

export const PAGE_ID_BYTES = 6;
const PAGE_ID_MAX = 2 ** 48 - 1;

/** The largest distance that can be searched for. */
export const DISTANCE_MAX = 3;

/** In the log: high lane, low lane, page id. */
export const LOGGED_ENTRY_BYTES = 14;

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

export function encodeEntry(bytes: Buffer, high: number, low: number, id: PageId): void {
  bytes.writeUInt32LE(high, 0);
  bytes.writeUInt32LE(low, 4);
  bytes.writeUIntLE(id, 8, PAGE_ID_BYTES);
}

/** Null when the bytes are not an entry. */
export function decodeEntry(payload: Uint8Array): NearEntry | null {
  if (payload.length !== LOGGED_ENTRY_BYTES) return null;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const id = bytes.readUIntLE(8, PAGE_ID_BYTES);
  return { high: bytes.readUInt32LE(0), low: bytes.readUInt32LE(4), id };
}
