/**
 * Names of tags and attributes as strings, each made once. A sitemap uses a handful of names a
 * million times, and making a string costs more than everything else about a tag.
 */

/** When the table is full, the strings of other names are made each time. */
const TEXTS_MAX = 512;

export class TextTable {
  readonly #texts = new Map<number, string>();

  /** The string of `bytes` from `from` to `to`, in UTF-8. */
  textOf(bytes: Uint8Array, from: number, to: number): string {
    let hash = 0;
    for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    const known = this.#texts.get(hash);
    if (known !== undefined && isText(known, bytes, from, to)) return known;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
    // A file full of different names must not fill the memory.
    if (this.#texts.size < TEXTS_MAX) this.#texts.set(hash, text);
    return text;
  }
}

/** True only for ASCII: elsewhere bytes and characters differ. */
function isText(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (text.charCodeAt(at - from) !== byte || byte >= 0x80) return false;
  }
  return true;
}
