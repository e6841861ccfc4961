/** A buffer that is written from the beginning, kept for the next page, and grows when it must. */
export class ByteWriter {
  length = 0;
  #buffer: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

  clear(): void {
    this.length = 0;
  }

  /** Text of which every character is one byte, U+0000 to U+00FF. */
  ascii(text: string): void {
    const end = this.length + text.length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#buffer.write(text, this.length, "latin1");
    this.length = end;
  }

  copy(source: Buffer, from: number, to: number): void {
    const end = this.length + to - from;
    if (end > this.#buffer.length) this.#grow(end);
    source.copy(this.#buffer, this.length, from, to);
    this.length = end;
  }

  bytes(source: Buffer): void {
    this.copy(source, 0, source.length);
  }

  /** A copy of what was written. */
  taken(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.length);
    this.#buffer.copy(taken, 0, 0, this.length);
    return taken;
  }

  #grow(neededBytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(neededBytes, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.length);
    this.#buffer = larger;
  }
}
