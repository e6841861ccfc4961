/**
 * Bits from chunks of bytes, the lowest bit of each byte first (RFC 1951 §3.1.1). A reader that
 * runs out of bytes in the middle of something goes back to a position it kept, and tries again when
 * more have come; so what is read never depends on where the chunks were cut.
 */
export class BitSource {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Bits taken from the bytes and not yet used. */
  bits = 0;
  bitCount = 0;
  /** Nothing will follow. */
  ended = false;
  #kept: { at: number; bits: number; bitCount: number } = { at: 0, bits: 0, bitCount: 0 };

  /** Adds a chunk behind what is left of the ones before. */
  add(chunk: Uint8Array): void {
    const left = this.#bytes.subarray(this.#at);
    if (left.length === 0) this.#bytes = chunk;
    else {
      this.#bytes = new Uint8Array(left.length + chunk.length);
      this.#bytes.set(left);
      this.#bytes.set(chunk, left.length);
    }
    this.#at = 0;
  }

  /** Copies what is left, since a chunk belongs to its giver after the call that brought it. */
  settle(): void {
    this.#giveBack();
    // Not by `slice`, which does not copy when the chunk is a Buffer.
    this.#bytes = new Uint8Array(this.#bytes.subarray(this.#at));
    this.#at = 0;
  }

  /** Bytes not yet taken. */
  get bytesLeft(): number {
    return this.#bytes.length - this.#at;
  }

  /** More bits were used than there are; the missing ones were zeros. */
  get overrun(): boolean {
    return this.bitCount < 0;
  }

  keepPosition(): void {
    this.#kept = { at: this.#at, bits: this.bits, bitCount: this.bitCount };
  }

  goBack(): void {
    this.#at = this.#kept.at;
    this.bits = this.#kept.bits;
    this.bitCount = this.#kept.bitCount;
  }

  /** Makes sure that at least 25 bits are there, or all that are left. */
  refill(): void {
    while (this.bitCount <= 24 && this.#at < this.#bytes.length) {
      this.bits |= (this.#bytes[this.#at] as number) << this.bitCount;
      this.#at += 1;
      this.bitCount += 8;
    }
  }

  drop(count: number): void {
    this.bits >>>= count;
    this.bitCount -= count;
  }

  /** Up to 16 bits as a number. */
  take(count: number): number {
    this.refill();
    const value = this.bits & ((1 << count) - 1);
    this.drop(count);
    return value;
  }

  /** Goes on at the next whole byte. */
  align(): void {
    this.drop(this.bitCount & 7);
  }

  /** Up to `count` whole bytes, as many as there are; only when aligned. */
  takeBytes(count: number): Uint8Array {
    this.#giveBack();
    const taken = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += taken.length;
    return taken;
  }

  /** Returns whole bytes that were taken ahead. */
  #giveBack(): void {
    this.#at -= this.bitCount >>> 3;
    this.bitCount &= 7;
    this.bits &= (1 << this.bitCount) - 1;
  }
}
