/**
 * How a run lies in its file. A run is an immutable set of records of one width, sorted by key: a
 * 64-bit fingerprint in two halves, and `payloadBytes` bytes that mean something to the owner.
 *
 * | section | bytes                                      | content                                |
 * |---------|--------------------------------------------|----------------------------------------|
 * | blocks  | 4096 × (8 + payload), the last one shorter | high halves, low halves, payloads      |
 * | index   | 12 per block                               | first high, first low, block checksum  |
 * | footer  | 32                                         | see `printFooter`                      |
 *
 * An owner that looks up single records may choose smaller blocks, since a block is read and
 * checked as a whole. A block holds columns, so that its halves are typed arrays on the bytes as
 * they were read, and as the width is fixed every block's place is computed. A block's checksum is
 * CRC-32 started from the block's number, so a block in the wrong place is detected too. Keys are
 * all different. Numbers are little-endian, as in the memory of all machines that Trobar runs on.
 */
import { crc32 } from "node:zlib";

/** 32 KiB of keys: few enough for a single look-up, many enough that the index stays small. */
const BLOCK_RECORDS = 4096;
export const FOOTER_BYTES = 32;
export const INDEX_WORDS = 3;
export const KEY_BYTES = 8;

/** What an owner chooses for all of its runs. */
export interface RunFormat {
  readonly payloadBytes: number;
  /** Records per block, a multiple of four; 4096 by default. */
  readonly blockRecords?: number;
}

/** Records count as a safe integer, blocks as a word. */
export interface RunShape {
  readonly count: number;
  readonly payloadBytes: number;
  readonly blockRecords: number;
}

export function shapeOf(count: number, format: RunFormat): RunShape {
  const { payloadBytes, blockRecords = BLOCK_RECORDS } = format;
  return { count, payloadBytes, blockRecords };
}

export function recordBytes(payloadBytes: number): number {
  return KEY_BYTES + payloadBytes;
}

export function blocksOf({ count, blockRecords }: RunShape): number {
  return Math.ceil(count / blockRecords);
}

/** Where a block begins; for the number after the last one, where the index does. */
export function blockPlace(block: number, shape: RunShape): number {
  const { count, payloadBytes, blockRecords } = shape;
  return Math.min(block * blockRecords, count) * recordBytes(payloadBytes);
}

export function blockSum(bytes: Uint8Array, block: number): number {
  return crc32(bytes, block >>> 0);
}

const MAGIC = 0x6e_75_52_54;
const VERSION = 1;
const SUMMED_BYTES = FOOTER_BYTES - 4;

/**
 * Eight words: magic, version, records (two words), payload bytes, block records, two checksums.
 */
export function printFooter(shape: RunShape, indexSum: number): Uint8Array {
  const { count, payloadBytes, blockRecords } = shape;
  const bytes = Buffer.alloc(FOOTER_BYTES);
  const words = [MAGIC, VERSION, count % 2 ** 32, Math.floor(count / 2 ** 32)];
  words.push(payloadBytes, blockRecords, indexSum);
  for (const [place, word] of words.entries()) bytes.writeUInt32LE(word, 4 * place);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, SUMMED_BYTES)), SUMMED_BYTES);
  return bytes;
}

/** The checksum of the index; null when this is not the footer of a run of this shape. */
export function readFooter(footer: Uint8Array, shape: RunShape): { indexSum: number } | null {
  if (footer.length !== FOOTER_BYTES) return null;
  const bytes = Buffer.from(footer.buffer, footer.byteOffset, FOOTER_BYTES);
  const isWhole = crc32(bytes.subarray(0, SUMMED_BYTES)) === bytes.readUInt32LE(SUMMED_BYTES);
  const count = bytes.readUInt32LE(8) + bytes.readUInt32LE(12) * 2 ** 32;
  const isOurs = bytes.readUInt32LE(0) === MAGIC && bytes.readUInt32LE(4) === VERSION;
  const isFitting = count === shape.count && bytes.readUInt32LE(16) === shape.payloadBytes;
  if (!isWhole || !isOurs || !isFitting) return null;
  if (bytes.readUInt32LE(20) !== shape.blockRecords) return null;
  return { indexSum: bytes.readUInt32LE(24) };
}

/** The columns of one block, on the bytes it was read into. */
export interface Block {
  readonly count: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /** `payloadBytes` for each record. */
  readonly payloads: Uint8Array;
}

/** A block of `count` records that begins at `from`, a multiple of four, in `bytes`. */
export function blockIn(
  bytes: Uint8Array,
  from: number,
  { count, payloadBytes }: { readonly count: number; readonly payloadBytes: number },
): Block {
  const { buffer, byteOffset } = bytes;
  const at = byteOffset + from;
  return {
    count,
    highs: new Uint32Array(buffer, at, count),
    lows: new Uint32Array(buffer, at + 4 * count, count),
    payloads: new Uint8Array(buffer, at + KEY_BYTES * count, count * payloadBytes),
  };
}

/** Bytes that columns may be laid on: the same, or a copy where they begin at an odd place. */
export function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
}
