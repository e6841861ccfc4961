/**
 * How the file of a bundle looks, byte by byte; numbers are little-endian.
 *
 * | part      | content                                                                        |
 * |-----------|--------------------------------------------------------------------------------|
 * | head      | 8 bytes: `TROBARQ1`                                                             |
 * | records   | queue by queue, in ascending order; of each queue in the order of pulling:      |
 * |           | length (1 to 3 bytes, 7 bits each, the lowest first, bit 7: more follow),       |
 * |           | checksum (4), seeded with the queue's number, then the bytes of the record      |
 * | directory | for each queue 12 bytes: its number, the length of its part, its records        |
 * | footer    | queues (4), length of head and records (8), checksum of the directory (4),      |
 * |           | the bundle's id (4), checksum of the footer so far (4), `TROBARQE` (8)          |
 */
import { checksum } from "../../../base/log/index.ts";
import { RECORD_BYTES_MAX } from "../host-queues.ts";

export const HEAD: Uint8Array = new TextEncoder().encode("TROBARQ1");
const TAIL = new TextEncoder().encode("TROBARQE");

export const ENTRY_BYTES: number = 12;
export const FOOTER_BYTES: number = 32;
/** The longest record with what is written before it. */
export const ENCODED_BYTES_MAX: number = RECORD_BYTES_MAX + 7;

export interface BundleFooter {
  readonly id: number;
  readonly queues: number;
  /** Head and records together: where the directory begins. */
  readonly dataBytes: number;
  readonly directorySum: number;
}

/** How many bytes a record of this length takes. */
export function encodedBytes(lengthBytes: number): number {
  return 4 + lengthBytes + (lengthBytes < 0x80 ? 1 : lengthBytes < 0x4000 ? 2 : 3);
}

/** Writes what precedes a record whose bytes, already written, begin `at`. */
export function sealRecord(view: DataView, queue: number, at: number, lengthBytes: number): void {
  view.setUint32(at - 4, checksum(view, at, at + lengthBytes, seedOf(queue)), true);
  const start = at - (encodedBytes(lengthBytes) - lengthBytes);
  if (lengthBytes < 0x80) view.setUint8(start, lengthBytes);
  else {
    view.setUint8(start, lengthBytes | 0x80);
    if (lengthBytes < 0x4000) view.setUint8(start + 1, lengthBytes >>> 7);
    else {
      view.setUint8(start + 1, (lengthBytes >>> 7) | 0x80);
      view.setUint8(start + 2, lengthBytes >>> 14);
    }
  }
}

/** The length of the record that begins `at`; -1 when the view ends before its beginning does. */
export function lengthAt(view: DataView, at: number): number {
  const availableBytes = view.byteLength - at;
  if (availableBytes < 1) return -1;
  const first = view.getUint8(at);
  if (first < 0x80) return first;
  if (availableBytes < 2) return -1;
  const second = view.getUint8(at + 1);
  if (second < 0x80) return (first & 0x7f) | (second << 7);
  if (availableBytes < 3) return -1;
  return (first & 0x7f) | ((second & 0x7f) << 7) | (view.getUint8(at + 2) << 14);
}

/** Whether the record whose bytes begin `at` is undamaged, and belongs to this queue. */
export function isSound(view: DataView, queue: number, at: number, lengthBytes: number): boolean {
  return view.getUint32(at - 4, true) === checksum(view, at, at + lengthBytes, seedOf(queue));
}

export function printFooter(footer: BundleFooter): Uint8Array {
  const bytes = new Uint8Array(FOOTER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, footer.queues, true);
  view.setBigUint64(4, BigInt(footer.dataBytes), true);
  view.setUint32(12, footer.directorySum, true);
  view.setUint32(16, footer.id, true);
  view.setUint32(20, checksum(view, 0, 20, 0), true);
  bytes.set(TAIL, 24);
  return bytes;
}

/** The footer; null when it is not valid. */
export function parseFooter(bytes: Uint8Array): BundleFooter | null {
  if (bytes.length !== FOOTER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isWhole = TAIL.every((byte, index) => bytes[24 + index] === byte);
  if (!isWhole || view.getUint32(20, true) !== checksum(view, 0, 20, 0)) return null;
  return {
    queues: view.getUint32(0, true),
    dataBytes: Number(view.getBigUint64(4, true)),
    directorySum: view.getUint32(12, true),
    id: view.getUint32(16, true),
  };
}

function seedOf(queue: number): number {
  return Math.imul(queue + 1, 0x9e3779b1) >>> 0;
}
