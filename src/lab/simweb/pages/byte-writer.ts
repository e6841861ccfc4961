/**
 * Bytes that are written one after the other and handed out without being copied: pages are made
 * one behind the other in large slabs. A buffer of its own for each page would cost more than
 * everything else about the page; the price is that a slab lives as long as any page in it.
 */
const SLAB_BYTES = 1024 * 1024;

export class ByteWriter {
  /** Bytes written since the last `taken`. */
  length = 0;
  #slab: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #start = 0;

  /** Text of which every character is one byte, U+0000 to U+00FF. */
  ascii(text: string): void {
    const at = this.#reserve(text.length);
    this.#slab.write(text, at, "latin1");
  }

  copy(source: Buffer, from: number, to: number): void {
    const at = this.#reserve(to - from);
    source.copy(this.#slab, at, from, to);
  }

  bytes(source: Buffer): void {
    this.copy(source, 0, source.length);
  }

  /** What was written; it belongs to the caller, and the next text begins behind it. */
  taken(): Buffer {
    const end = this.#start + this.length;
    const taken = this.#slab.subarray(this.#start, end);
    this.#start = end;
    this.length = 0;
    return taken;
  }

  /** Makes room for this many bytes and returns where they go. */
  #reserve(bytes: number): number {
    const at = this.#start + this.length;
    if (at + bytes > this.#slab.length) return this.#reserveInNewSlab(bytes);
    this.length += bytes;
    return at;
  }

  #reserveInNewSlab(bytes: number): number {
    const slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, 2 * (this.length + bytes)));
    this.#slab.copy(slab, 0, this.#start, this.#start + this.length);
    this.#slab = slab;
    this.#start = 0;
    return this.#reserve(bytes);
  }
}
