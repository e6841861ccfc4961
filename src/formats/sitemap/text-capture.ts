/**
 * Collects a short text out of chunks. It has room for so many bytes and no more: what is longer is
 * remembered as too long, and its beginning is all there is of it.
 */

import { TextTable } from "./text-table.ts";

/** Dates, numbers and words repeat; URLs do not, and are longer. */
const REPEATED_BYTES_MAX = 32;

const AMPERSAND = 0x26;
const ESCAPED_AMPERSAND: Uint8Array = Buffer.from("&amp;");

export class TextCapture {
  readonly #bytes: Buffer;
  readonly #texts = new TextTable();
  #length = 0;
  tooLong = false;

  constructor(bytesMax: number) {
    this.#bytes = Buffer.alloc(bytesMax);
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    // White space in front is no part of the text, and indentation can be long.
    let start = from;
    if (this.#length === 0) while (start < to && (bytes[start] as number) <= 0x20) start += 1;
    const end = Math.min(to, start + this.#bytes.length - this.#length);
    for (let at = start; at < end; at += 1) this.#bytes[this.#length++] = bytes[at] as number;
    // White space behind is no part of it either.
    for (let at = end; at < to && !this.tooLong; at += 1) {
      this.tooLong = (bytes[at] as number) > 0x20;
    }
  }

  /** As `add`, for text in which `&` means itself: CDATA. */
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

  /** The text so far without white space around it, undecoded; and forgets it. */
  take(): string {
    let length = this.#length;
    while (length > 0 && (this.#bytes[length - 1] as number) <= 0x20) length -= 1;
    this.clear();
    if (length === 0) return "";
    if (length > REPEATED_BYTES_MAX) return this.#bytes.toString("utf8", 0, length);
    return this.#texts.textOf(this.#bytes, 0, length);
  }
}
