/**
 * Writes octets from the end to the beginning, into a buffer that grows, so that the length of a
 * part is known when it is written in front of the part.
 */
export class PackedWriter {
  #octets: Buffer = Buffer.allocUnsafe(1024);
  /** Octets written so far, at the end of the buffer. */
  length = 0;

  octet(value: number): void {
    const at = this.#room(1);
    this.#octets[at] = value;
  }

  /** A whole number below 2^28, 7 bits per octet, the lowest first. */
  number(value: number): void {
    const size = value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : 4;
    const at = this.#room(size);
    for (let index = 0; index < size; index += 1) {
      const more = index < size - 1 ? 0x80 : 0;
      this.#octets[at + index] = ((value >>> (7 * index)) & 0x7f) | more;
    }
  }

  /** An octet string with its length before it. */
  sized(text: string): void {
    const at = this.#room(text.length);
    this.#octets.write(text, at, "latin1");
    this.number(text.length);
  }

  text(): string {
    return this.#octets.toString("latin1", this.#octets.length - this.length);
  }

  #room(count: number): number {
    while (this.#octets.length - this.length < count) {
      const larger = Buffer.allocUnsafe(this.#octets.length * 2);
      this.#octets.copy(larger, this.#octets.length);
      this.#octets = larger;
    }
    this.length += count;
    return this.#octets.length - this.length;
  }
}
