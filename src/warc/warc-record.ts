/**
 * One record of a WARC file: what it is (type, id, date), its other fields, and its block of bytes.
 * WARC 1.1 is ISO 28500:2017.
 */
import type { Random } from "../seams/index.ts";
import type { Field, Fields } from "./fields.ts";

export type WarcType =
  | "warcinfo"
  | "response"
  | "resource"
  | "request"
  | "metadata"
  | "revisit"
  | "conversion"
  | "continuation";

/** A record to be written. Type, id, date, block digest and length are added when it is encoded. */
export interface WarcRecord {
  readonly type: WarcType;
  /** `urn:uuid:…`, without angle brackets. */
  readonly id: string;
  /** When the bytes were captured, in wall-clock milliseconds. */
  readonly dateMs: number;
  readonly fields: readonly Field[];
  /** The block, in pieces that need not be joined by the caller. */
  readonly block: readonly Uint8Array[];
}

/** A record as it was read. */
export interface ReadRecord {
  /** Where its bytes, or the member that holds it, begin in the file. */
  readonly offset: number;
  /** How many bytes of the file it takes, with compression. */
  readonly lengthBytes: number;
  readonly format: "warc" | "arc";
  /** As `WARC-Type` says; `response` for pages of an ARC file. Unknown types are kept. */
  readonly type: string;
  /** The page's address without the angle brackets that some writers put; null for none. */
  readonly targetUri: string | null;
  readonly fields: Fields;
  readonly block: Uint8Array;
  /** Things a strict reader would have refused, in words; none for a proper record. */
  readonly warnings: readonly string[];
}

/** A fresh record id. */
export function recordId(random: Random): string {
  const hex = (word: number) => word.toString(16).padStart(8, "0");
  const [first, second, third, fourth] = [random.u32(), random.u32(), random.u32(), random.u32()];
  const middle = hex(second);
  const versioned = `${middle.slice(0, 4)}-4${middle.slice(5)}`;
  const varied = hex(((third & 0x3fffffff) | 0x80000000) >>> 0);
  return `urn:uuid:${hex(first)}-${versioned}-${varied.slice(0, 4)}-${varied.slice(4)}${hex(fourth)}`;
}
