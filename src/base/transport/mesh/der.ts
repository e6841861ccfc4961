/**
 * The few shapes of DER (ITU-T X.690) of which a certificate consists: a tag, the length of the content,
 * the content.
 */
import assert from "node:assert/strict";

export const der = {
  sequence: (...parts: readonly Uint8Array[]): Buffer => shape(0x30, Buffer.concat(parts)),
  set: (...parts: readonly Uint8Array[]): Buffer => shape(0x31, Buffer.concat(parts)),
  yes: (): Buffer => shape(0x01, Buffer.of(0xff)),
  /** A number in two's complement, the most significant byte first. */
  integer: (...bytes: readonly number[]): Buffer => shape(0x02, Buffer.from(bytes)),
  bits: (content: Uint8Array): Buffer => shape(0x03, Buffer.concat([Buffer.of(0), content])),
  octets: (content: Uint8Array): Buffer => shape(0x04, content),
  /** The name of a thing in the tree of all names, as it is encoded. */
  name: (...bytes: readonly number[]): Buffer => shape(0x06, Buffer.from(bytes)),
  text: (text: string): Buffer => shape(0x0c, Buffer.from(text)),
  /** Midnight on the first of January of a year from 1950 to 2049. */
  newYear: (year: number): Buffer =>
    shape(0x17, Buffer.from(`${String(year).slice(2)}0101000000Z`)),
  /** What stands at a place that has a number. */
  at: (number: number, content: Uint8Array): Buffer => shape(0xa0 | number, content),
  /** A text or bytes at a place that has a number. */
  plainAt: (number: number, content: Uint8Array): Buffer => shape(0x80 | number, content),
} as const;

function shape(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

/** In as few bytes as possible; that is what makes it DER, and not all readers forgive more. */
function lengthBytes(length: number): readonly number[] {
  assert(length < 65_536, "no part of a certificate is longer");
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
