/**
 * How a run lies in its file. A run is an immutable set of entries, sorted twice: by the upper half
 * of the hash and by the lower one. For each order there is a table:
 *
 * | section       | bytes        | content                                                       |
 * |---------------|--------------|---------------------------------------------------------------|
 * | entries       | 10 per entry | the other half (4), the page id (6)                           |
 * | starts        | 262,148      | where each bucket begins, and the end: by the upper block     |
 * | turned starts | 262,148      | the same for buckets by the lower block of the half           |
 * | values        | 2 per entry  | the lower blocks, bucket after bucket; as the entries follow  |
 * | turned values | 2 per entry  | the upper blocks, bucket after bucket of the turned ones      |
 *
 * and at the end a footer: a magic number, the number of entries, checksums of each table's entries
 * and of the rest of it (its *index*), and one of itself. Memory holds the indexes, as they lie here;
 * entries are read when a search has hit them. Entries with the same half are sorted by the other
 * one. Numbers are little-endian, as in the memory of all machines that Trobar runs on.
 */
import { crc32 } from "node:zlib";
import { BlockTable, BUCKETS } from "./block-table.ts";
import { HalfTable } from "./half-table.ts";
import type { PageId } from "./near-entry.ts";

export const ENTRY_BYTES = 10;
export const FOOTER_BYTES = 28;

const STARTS_BYTES = (BUCKETS + 1) * 4;
const VALUE_BYTES = 2;

/** By which half a table is sorted. */
export type Half = "high" | "low";

export const HALVES: readonly Half[] = ["high", "low"];

/** Checksums of a table's parts. */
export interface TableSums {
  readonly entries: number;
  readonly index: number;
}

export interface RunFooter {
  readonly count: number;
  readonly sums: Readonly<Record<Half, TableSums>>;
}

const MAGIC = 0x31_52_4e_54;
const SUMMED_BYTES = FOOTER_BYTES - 4;

export function indexBytes(count: number): number {
  return 2 * (STARTS_BYTES + count * VALUE_BYTES);
}

/** Where the parts of a table begin in a run of `count` entries. */
export function placesOf(half: Half, count: number): { entries: number; index: number } {
  const entriesBytes = count * ENTRY_BYTES;
  const entries = half === "high" ? 0 : entriesBytes + indexBytes(count);
  return { entries, index: entries + entriesBytes };
}

export function runBytes(count: number): number {
  return 2 * (count * ENTRY_BYTES + indexBytes(count)) + FOOTER_BYTES;
}

/** The index in `bytes`, which must be the whole of their buffer, as tables that can be searched. */
export function tableIn(bytes: Uint8Array<ArrayBuffer>, count: number): HalfTable {
  const { buffer } = bytes;
  const valuesAt = 2 * STARTS_BYTES;
  const straight = new BlockTable(
    new Uint32Array(buffer, 0, BUCKETS + 1),
    new Uint16Array(buffer, valuesAt, count),
  );
  const turned = new BlockTable(
    new Uint32Array(buffer, STARTS_BYTES, BUCKETS + 1),
    new Uint16Array(buffer, valuesAt + count * VALUE_BYTES, count),
  );
  return new HalfTable(straight, turned);
}

export function printFooter({ count, sums }: RunFooter): Uint8Array {
  const bytes = Buffer.alloc(FOOTER_BYTES);
  const { high, low } = sums;
  [MAGIC, count, high.entries, high.index, low.entries, low.index].forEach((number, place) => {
    bytes.writeUInt32LE(number, 4 * place);
  });
  bytes.writeUInt32LE(crc32(bytes.subarray(0, SUMMED_BYTES)), SUMMED_BYTES);
  return bytes;
}

/** Null when the bytes are no footer, or one of a run with another number of entries. */
export function readFooter(footer: Uint8Array, expectedCount: number): RunFooter | null {
  if (footer.length !== FOOTER_BYTES) return null;
  const bytes = Buffer.from(footer.buffer, footer.byteOffset, FOOTER_BYTES);
  const isWhole = crc32(bytes.subarray(0, SUMMED_BYTES)) === bytes.readUInt32LE(SUMMED_BYTES);
  const count = bytes.readUInt32LE(4);
  if (!isWhole || bytes.readUInt32LE(0) !== MAGIC || count !== expectedCount) return null;
  const sumsAt = (at: number): TableSums => ({
    entries: bytes.readUInt32LE(at),
    index: bytes.readUInt32LE(at + 4),
  });
  return { count, sums: { high: sumsAt(8), low: sumsAt(16) } };
}

export function writeEntry(bytes: Buffer, at: number, other: number, id: PageId): void {
  bytes.writeUInt32LE(other, at);
  bytes.writeUIntLE(id, at + 4, 6);
}
