/**
 * The fingerprint of a URL, or of a text: 64 bits of a keyed hash, as two unsigned halves of 32 bits.
 *
 * JavaScript has no fast integers of 64 bits, and a BigInt is an allocation. Whatever carries a
 * fingerprint (a ticket, a link, a digest) has the halves as its own fields and so is a
 * `Fingerprint`; what runs once for each link of each page takes the halves as two numbers.
 */
export interface Fingerprint {
  readonly high: number;
  readonly low: number;
}
