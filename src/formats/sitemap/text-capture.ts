/**
 * Collects a short text from chunks, up to a fixed number of bytes: of a longer text only the
 * beginning is kept, and `tooLong` is set.
 */

const AMPERSAND = 0x26;
const ESCAPED_AMPERSAND: Uint8Array = Buffer.from("&amp;");

export class TextCapture {
  readonly #bytes: Buffer;
  #length = 0;
  tooLong = false;

  constructor(bytesMax: number) {
    this.#bytes = Buffer.alloc(bytesMax);
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    // White space before the text is not part of it, and indentation can be long.
    let start = from;
    if (this.#length === 0) while (start < to && (bytes[start] as number) <= 0x20) start += 1;
    const end = Math.min(to, start + this.#bytes.length - this.#length);
    for (let at = start; at < end; at += 1) this.#bytes[this.#length++] = bytes[at] as number;
    // Nor is white space after it.
    for (let at = end; at < to && !this.tooLong; at += 1) {
      this.tooLong = (bytes[at] as number) > 0x20;
    }
  }

  /** As `add`, for text in which `&` has no special meaning: CDATA. */
  addLiteral(bytes: Uint8Array, from: number, to: number): void {
    let start = from;
    for (let at = from; at < to; at += 1) {
      if (bytes[at] !== AMPERSAND) continue;
      this.add(bytes, start, at);
      this.add(ESCAPED_AMPERSAND, 0, ESCAPED_AMPERSAND.length);
      start = at + 1;
    }
    this.add(bytes, start, to);
  }

  clear(): void {
    this.#length = 0;
    this.tooLong = false;
  }

  /** Returns the text so far without white space around it, references undecoded, and clears it. */
  take(): string {
    let length = this.#length;
    while (length > 0 && (this.#bytes[length - 1] as number) <= 0x20) length -= 1;
    this.clear();
    return this.#bytes.toString("utf8", 0, length);
  }
}
