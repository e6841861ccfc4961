/**
 * The checksum of frames: CRC-32 (the one of gzip and zlib), started from a seed.
 *
 * It finds every error burst of up to 32 bits, and every one to three flipped bits in a frame of up
 * to 11 kB. Node's native `crc32` runs at 5 GB/s but costs about 180 ns per call, so short
 * ranges are summed here, sixteen table steps at a time (after "slicing by eight", Kounavis
 * and Berry, 2005). A `DataView` reads four bytes at once wherever they lie, which no typed array
 * does. `bench/log-checksum.ts` compares the ways.
 */
import { crc32 } from "node:zlib";

/** From about this length on the native function is faster. */
const NATIVE_BYTES_MIN = 400;
const POLYNOMIAL = 0xedb88320;
const STEPS = 16;
const TABLE: Int32Array = table();

/** The checksum of the bytes [from, to) of the view: a whole number in [0, 2^32). */
export function checksum(view: DataView, from: number, to: number, seed: number): number {
  if (to - from < NATIVE_BYTES_MIN) return bySixteen(view, from, to, seed);
  return crc32(new Uint8Array(view.buffer, view.byteOffset + from, to - from), seed >>> 0);
}

/** The same in JavaScript alone, for every length. */
export function bySixteen(view: DataView, from: number, to: number, seed: number): number {
  let crc = ~seed;
  let at = from;
  for (; at + STEPS <= to; at += STEPS) {
    const first = crc ^ view.getInt32(at, true);
    crc =
      fourSteps(first, 0xc00) ^
      fourSteps(view.getInt32(at + 4, true), 0x800) ^
      fourSteps(view.getInt32(at + 8, true), 0x400) ^
      fourSteps(view.getInt32(at + 12, true), 0);
  }
  for (; at < to; at += 1) crc = (crc >>> 8) ^ step((crc ^ view.getUint8(at)) & 0xff);
  return ~crc >>> 0;
}

/**
 * The contribution of the four bytes of a word, the last of which has `table / 256` bytes after it.
 */
function fourSteps(word: number, table: number): number {
  return (
    step(table + 0x300 + (word & 0xff)) ^
    step(table + 0x200 + ((word >>> 8) & 0xff)) ^
    step(table + 0x100 + ((word >>> 16) & 0xff)) ^
    step(table + (word >>> 24))
  );
}

/** Row k of the table is the contribution of one byte with k bytes after it. */
function table(): Int32Array {
  const rows = new Int32Array(STEPS * 256);
  for (let index = 0; index < 256; index += 1) {
    let crc = index;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    rows[index] = crc;
  }
  for (let index = 256; index < rows.length; index += 1) {
    const before = rows[index - 256] ?? 0;
    rows[index] = (before >>> 8) ^ (rows[before & 0xff] ?? 0);
  }
  return rows;
}

// Indices are always inside; `?? 0` tells the compiler so and costs nothing in machine code.
function step(index: number): number {
  return TABLE[index] ?? 0;
}
