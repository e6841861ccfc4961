/**
 * The names of elements and attributes as strings, made once each. A sitemap has a handful of names
 * and uses them a million times; making a string costs more than everything else about a tag.
 */

/** Longer names are cut: none that matters is as long. */
export const NAME_BYTES_MAX = 64;
const NAMES_MAX = 256;

export class NameTable {
  readonly #names = new Map<number, string>();

  /** The string of `bytes` from `from` to `to`, which are ASCII or meant to be. */
  nameOf(bytes: Uint8Array, from: number, to: number): string {
    let hash = 0;
    for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    const known = this.#names.get(hash);
    if (known !== undefined && isName(known, bytes, from, to)) return known;
    const name = Buffer.from(bytes.subarray(from, to)).toString("latin1");
    // A file made of different names must not fill the memory.
    if (this.#names.size < NAMES_MAX) this.#names.set(hash, name);
    return name;
  }
}

function isName(name: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let at = from; at < to; at += 1) {
    if (name.charCodeAt(at - from) !== bytes[at]) return false;
  }
  return true;
}
