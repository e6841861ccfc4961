/**
 * One record of a WARC file: what it is (type, id, date), its other fields, and its block of bytes.
 * WARC 1.1 is ISO 28500:2017.
 */
import type { Random } from "../../base/seams/index.ts";
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
  /** How many bytes of the file it occupies, compressed. */
  readonly lengthBytes: number;
  readonly format: "warc" | "arc";
  /** As `WARC-Type` says; `response` for pages of an ARC file. Unknown types are kept. */
  readonly type: string;
  /** The address of the page, without the angle brackets of some writers; null for none. */
  readonly targetUri: string | null;
  readonly fields: Fields;
  readonly block: Uint8Array;
  /** Whether its gzip member or zstd frame holds other records too, so its place is not its alone. */
  readonly sharesMember: boolean;
  /** What a strict reader would have refused, in words; empty for a proper record. */
  readonly warnings: readonly string[];
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/** A fresh record id: a UUID of version 4. */
export function recordId(random: Random): string {
  const second = (random.u32() & 0xffff0fff) | 0x4000;
  const third = (random.u32() & 0x3fffffff) | 0x80000000;
  return (
    `urn:uuid:${word(random.u32())}-${highHalf(second)}-` +
    `${lowHalf(second)}-${highHalf(third)}-${lowHalf(third)}${word(random.u32())}`
  );
}

function word(bits: number): string {
  return highHalf(bits) + lowHalf(bits);
}

function highHalf(bits: number): string {
  return `${HEX[bits >>> 24]}${HEX[(bits >>> 16) & 255]}`;
}

function lowHalf(bits: number): string {
  return `${HEX[(bits >>> 8) & 255]}${HEX[bits & 255]}`;
}
