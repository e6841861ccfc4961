/**
 * Bytes of items, written one after another and read back in the same order. Numbers that count are
 * varints: seven bits a byte, the lowest first. What is read may come from another process, so a
 * reader believes nothing: bytes that end too soon or mean nothing are an error with a code.
 */
import { CrawlError } from "../../base/errors/index.ts";

const FIRST_BYTES = 256;
/** A unit of a text takes three bytes at most. */
const UTF8_PER_UNIT = 3;
/** Of a text with this many units or fewer the bytes are not counted before they are written. */
const SHORT_UNITS = 4096;
const REPLACEMENT = "\u{FFFD}";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class ByteWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  /** Made for the first float and the first text: most writers write neither, or little else. */
  #view: DataView | null = null;
  #buffer: Buffer | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was written since the last reset; valid until the next call. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  reset(): void {
    this.#length = 0;
  }

  /** Forgets what was written after the first `length` bytes. */
  cut(length: number): void {
    this.#length = length;
  }

  /** A copy of what was written, in memory of its own. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** A whole number from 0 to 2^53 - 1; throws for anything else, which would be read as another. */
  count(value: number): void {
    if (!(Number.isSafeInteger(value) && value >= 0)) throw new RangeError("it is not a count");
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length] = (rest % 0x80) + 0x80;
      this.#length += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  float(value: number): void {
    this.#reserve(8);
    this.#view ??= new DataView(this.#bytes.buffer);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** With its length before it. */
  bytes(value: Uint8Array): void {
    this.count(value.byteLength);
    this.#reserve(value.byteLength);
    this.#bytes.set(value, this.#length);
    this.#length += value.byteLength;
  }

  /** As UTF-8, with its length in bytes before it. Lone surrogates become U+FFFD. */
  text(value: string): void {
    const isShort = value.length <= SHORT_UNITS;
    const room = isShort ? value.length * UTF8_PER_UNIT : Buffer.byteLength(value);
    // Its length is put in afterwards, in as many bytes as the largest that it could be would take.
    let lengthBytes = 1;
    for (let rest = room; rest > 0x7f; rest = Math.floor(rest / 0x80)) lengthBytes += 1;
    this.#reserve(room + lengthBytes);
    const at = this.#length;
    this.#buffer ??= Buffer.from(this.#bytes.buffer);
    const written = this.#buffer.write(value, at + lengthBytes, "utf8");
    let rest = written;
    for (let byte = 0; byte < lengthBytes - 1; byte += 1) {
      this.#bytes[at + byte] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[at + lengthBytes - 1] = rest;
    this.#length = at + lengthBytes + written;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.byteLength) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.byteLength * 2));
    larger.set(this.written);
    this.#bytes = larger;
    this.#view = null;
    this.#buffer = null;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  /** Made for the first float and the first text. */
  #view: DataView | null = null;
  #buffer: Buffer | null = null;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get bytesLeft(): number {
    return this.#bytes.byteLength - this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.byteLength;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw malformed("they end in the middle of an item");
    this.#at += 1;
    return value;
  }

  count(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * weight;
      if (!Number.isSafeInteger(value)) throw malformed("a number in them is too large");
      if (byte < 0x80) return value;
      weight *= 0x80;
    }
  }

  float(): number {
    const at = this.#advance(8);
    const { buffer, byteOffset, byteLength } = this.#bytes;
    this.#view ??= new DataView(buffer, byteOffset, byteLength);
    return this.#view.getFloat64(at, true);
  }

  /** A view of the bytes that are read, not a copy. */
  bytes(): Uint8Array {
    const length = this.count();
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  text(): string {
    const length = this.count();
    const at = this.#advance(length);
    const { buffer, byteOffset, byteLength } = this.#bytes;
    this.#buffer ??= Buffer.from(buffer, byteOffset, byteLength);
    const read = this.#buffer.toString("utf8", at, at + length);
    // The mark stands for bytes that are not UTF-8, or was in the text.
    return read.includes(REPLACEMENT) ? exactText(this.#bytes.subarray(at, at + length)) : read;
  }

  #advance(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.byteLength - at) throw malformed("they end in the middle of an item");
    this.#at = at + length;
    return at;
  }
}

function exactText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed("a text in them is not UTF-8");
  }
}

/** What a codec throws about bytes that no codec of its kind wrote. */
export function malformed(why: string): CrawlError {
  return new CrawlError(
    "TOPOLOGY_ITEM_MALFORMED",
    `The bytes of an item from a connector cannot be read: ${why}. Both ends must run the same ` +
      "version and declare the same type of items.",
    { why },
  );
}
