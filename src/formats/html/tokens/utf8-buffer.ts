/** A growing buffer of UTF-8 that becomes a string once, at the end. */

/** A larger buffer is not kept for the next page. */
const CAPACITY_KEPT = 256 * 1024;

export class Utf8Buffer {
  /** Public for the loops that write many bytes: `reserve` first, then set `length`. */
  bytes: Buffer;
  length = 0;
  /** Whether only ASCII was pushed; code that writes to `bytes` directly keeps it true. */
  isAscii = true;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
  }

  clear(): void {
    if (this.bytes.length > CAPACITY_KEPT) this.bytes = Buffer.allocUnsafeSlow(CAPACITY_KEPT);
    this.length = 0;
    this.isAscii = true;
  }

  /** Makes room for this many more bytes. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  pushCodePoint(codePoint: number): void {
    this.reserve(4);
    const bytes = this.bytes;
    if (codePoint < 0x80) {
      bytes[this.length++] = codePoint;
      return;
    }
    this.isAscii = false;
    if (codePoint < 0x800) {
      bytes[this.length++] = 0xc0 | (codePoint >> 6);
      bytes[this.length++] = 0x80 | (codePoint & 0x3f);
    } else if (codePoint < 0x10000) {
      bytes[this.length++] = 0xe0 | (codePoint >> 12);
      bytes[this.length++] = 0x80 | ((codePoint >> 6) & 0x3f);
      bytes[this.length++] = 0x80 | (codePoint & 0x3f);
    } else {
      bytes[this.length++] = 0xf0 | (codePoint >> 18);
      bytes[this.length++] = 0x80 | ((codePoint >> 12) & 0x3f);
      bytes[this.length++] = 0x80 | ((codePoint >> 6) & 0x3f);
      bytes[this.length++] = 0x80 | (codePoint & 0x3f);
    }
  }

  /** One byte of a longer sequence, valid or not. */
  pushHighByte(byte: number): void {
    this.reserve(1);
    this.isAscii = false;
    this.bytes[this.length++] = byte;
  }

  pushString(text: string): void {
    for (const character of text) this.pushCodePoint(character.codePointAt(0) as number);
  }

  /** The text of [from, to); what is not UTF-8 becomes U+FFFD. */
  slice(from: number, to: number): string {
    return this.bytes.toString(this.isAscii ? "latin1" : "utf8", from, to);
  }
}
