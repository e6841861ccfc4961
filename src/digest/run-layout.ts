/**
 * How a run lies in its file. A run is an immutable set of entries, sorted twice: by the upper half
 * of the hash and by the lower one. For each order there are
 *
 * | section | bytes        | content                                                          |
 * |---------|--------------|------------------------------------------------------------------|
 * | entries | 10 per entry | the other half (4), the page id (6)                              |
 * | starts  | 262,148      | where each of the 65,536 buckets begins, and the end             |
 * | rests   | 2 per entry  | the lower 16 bits of the half                                    |
 *
 * and at the end a footer: a magic number, the number of entries, a checksum for each section, and
 * one for itself. Numbers are little-endian, as they are in the memory of every machine that Node is
 * built for but two. Memory holds starts and rests; entries are read one by
 * one, when a search has hit. Entries with the same half are sorted by the other one.
 */
import { crc32 } from "node:zlib";
import { BUCKETS } from "./half-table.ts";
import type { PageId } from "./near-entry.ts";

export const ENTRY_BYTES = 10;
export const STARTS_BYTES: number = (BUCKETS + 1) * 4;
export const REST_BYTES = 2;
export const FOOTER_BYTES = 40;

/** By which half a table is sorted. */
export type Half = "high" | "low";

export const HALVES: readonly Half[] = ["high", "low"];

/** Checksums of a table's sections. */
export interface TableSums {
  readonly entries: number;
  readonly starts: number;
  readonly rests: number;
}

export interface RunFooter {
  readonly count: number;
  readonly sums: Readonly<Record<Half, TableSums>>;
}

const MAGIC = 0x31_52_4e_54;

/** Where the sections of a table begin in a run of `count` entries. */
export function sectionsOf(
  half: Half,
  count: number,
): { readonly entries: number; readonly starts: number; readonly rests: number } {
  const tableBytes = count * (ENTRY_BYTES + REST_BYTES) + STARTS_BYTES;
  const entries = half === "high" ? 0 : tableBytes;
  const starts = entries + count * ENTRY_BYTES;
  return { entries, starts, rests: starts + STARTS_BYTES };
}

export function runBytes(count: number): number {
  return 2 * (count * (ENTRY_BYTES + REST_BYTES) + STARTS_BYTES) + FOOTER_BYTES;
}

export function printFooter({ count, sums }: RunFooter): Uint8Array {
  const bytes = Buffer.alloc(FOOTER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(count, 4);
  HALVES.forEach((half, index) => {
    const { entries, starts, rests } = sums[half];
    [entries, starts, rests].forEach((sum, place) => {
      bytes.writeUInt32LE(sum, 8 + 12 * index + 4 * place);
    });
  });
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36);
  return bytes;
}

/** Null when the bytes are no footer, or one of a run with another number of entries. */
export function readFooter(footer: Uint8Array, expectedCount: number): RunFooter | null {
  if (footer.length !== FOOTER_BYTES) return null;
  const bytes = Buffer.from(footer.buffer, footer.byteOffset, FOOTER_BYTES);
  const isWhole = crc32(bytes.subarray(0, 36)) === bytes.readUInt32LE(36);
  const count = bytes.readUInt32LE(4);
  if (!isWhole || bytes.readUInt32LE(0) !== MAGIC || count !== expectedCount) return null;
  const sumsAt = (at: number): TableSums => ({
    entries: bytes.readUInt32LE(at),
    starts: bytes.readUInt32LE(at + 4),
    rests: bytes.readUInt32LE(at + 8),
  });
  return { count, sums: { high: sumsAt(8), low: sumsAt(20) } };
}

export function writeEntry(bytes: Buffer, at: number, other: number, id: PageId): void {
  bytes.writeUInt32LE(other, at);
  bytes.writeUIntLE(id, at + 4, 6);
}
