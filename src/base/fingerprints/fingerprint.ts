/**
 * The fingerprint of a URL, or of a text: 64 bits of a keyed hash, as two unsigned halves of 32
 * bits.
 *
 * JavaScript has no fast 64-bit integers, and a BigInt is an allocation. An object that has a
 * fingerprint (a ticket, a link, a digest) has the halves as fields and so is a `Fingerprint`; code
 * that runs once for each link of each page takes the halves as two numbers.
 */
export interface Fingerprint {
  readonly high: number;
  readonly low: number;
}

/** Sixteen hexadecimal digits: as texts, fingerprints have the same order as by their halves. */
export function printFingerprint({ high, low }: Fingerprint): string {
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

/** What `printFingerprint` has printed. */
export function readFingerprint(text: string): Fingerprint {
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}
