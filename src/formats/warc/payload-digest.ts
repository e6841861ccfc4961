/**
 * Digests as archives write them: `sha1:` and the hash in base32 (RFC 4648, upper case). SHA-1 is
 * what every replay tool and CDX index compares; it distinguishes payloads, but does not protect
 * against deliberate collisions.
 */
import { hash } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** `sha1:…` of the bytes. */
export function sha1Digest(bytes: Uint8Array): string {
  return digestText(sha1(bytes));
}

/** The hash itself: twenty bytes. */
export function sha1(bytes: Uint8Array): Uint8Array {
  return hash("sha1", bytes, "buffer");
}

/** `sha1:…` of a hash that was computed before. */
export function digestText(sha1Bytes: Uint8Array): string {
  return `sha1:${base32(sha1Bytes)}`;
}

const DIGEST_TEXT = /^sha1:[A-Z2-7]{32}$/;

/** The twenty bytes of a digest as `digestText` writes it; null for anything else. */
export function digestBytes(text: string): Uint8Array | null {
  if (!DIGEST_TEXT.test(text)) return null;
  const bytes = new Uint8Array(20);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const letter of text.slice("sha1:".length)) {
    held = ((held << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = held >>> bits;
    at += 1;
  }
  return bytes;
}

export function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(held >>> bits) & 31];
    }
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text;
}

export type DigestVerdict = "right" | "wrong" | "unknown-algorithm";

const HASH_BYTES: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };

/** Compares a digest field with bytes. Base32, hexadecimal and base64 are all in use. */
export function verifyDigest(field: string, bytes: Uint8Array): DigestVerdict {
  const colon = field.indexOf(":");
  const algorithm = field.slice(0, colon).toLowerCase().replace("-", "");
  const expectedBytes = HASH_BYTES[algorithm];
  if (colon < 0 || expectedBytes === undefined) return "unknown-algorithm";
  const given = field
    .slice(colon + 1)
    .trim()
    .replace(/=+$/, "");
  const real = hash(algorithm, bytes, "buffer");
  const isSame =
    base32(real) === given.toUpperCase() ||
    (given.length === expectedBytes * 2 && real.toString("hex") === given.toLowerCase()) ||
    real.toString("base64url") === given.replaceAll("+", "-").replaceAll("/", "_");
  return isSame ? "right" : "wrong";
}
