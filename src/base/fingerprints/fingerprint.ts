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
