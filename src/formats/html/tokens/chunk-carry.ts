/**
 * The unfinished end of a chunk, which is kept and put before the next chunk. A long one is scanned
 * again only when there are twice as many bytes, so that all scans together cost no more than a few
 * times the bytes, however small the chunks.
 */

/** A shorter end may be scanned again with every chunk. */
const SHORT_BYTES = 1024;

export class ChunkCarry {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #retryAt = 0;

  /** What to scan now: the chunk, after what was carried; undefined to wait for more. */
  add(chunk: Uint8Array, isLast: boolean): Uint8Array | undefined {
    if (this.#length === 0) return chunk;
    this.#append(chunk);
    if (this.#length < this.#retryAt && !isLast) return undefined;
    return this.#buffer.subarray(0, this.#length);
  }

  /** Keeps the bytes from `at` on; they are scanned again when there are `lookAt` at the latest. */
  keep(bytes: Uint8Array, at: number, lookAt: number): void {
    const isOwn = bytes.buffer === this.#buffer.buffer;
    this.#length = 0;
    this.#retryAt = 0;
    const rest = bytes.length - at;
    if (rest === 0) return;
    if (isOwn) {
      this.#buffer.copyWithin(0, at, bytes.length);
      this.#length = rest;
    } else this.#append(bytes.subarray(at));
    if (rest > SHORT_BYTES) this.#retryAt = Math.min(2 * rest, lookAt);
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(4096, 2 * length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }
}
