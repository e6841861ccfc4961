/**
 * Texts of one byte a character, one after the other in large blocks outside the heap: a million of
 * them cost the garbage collector nothing. A text never crosses from one block to the next.
 */
import assert from "node:assert/strict";

const BLOCK_BYTES = 1024 * 1024;

export class TextBlocks {
  readonly #blocks: Buffer[] = [];
  #used = 0;

  /** Where the text stands from now on. It is at most 65,535 characters, none above U+00FF. */
  append(text: string): number {
    assert(text.length < 65_536, "a text fits into a block");
    if (this.#blocks.length === 0 || this.#used + text.length > BLOCK_BYTES) {
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      this.#used = 0;
    }
    const index = this.#blocks.length - 1;
    this.#blocks[index]?.write(text, this.#used, "latin1");
    const at = index * BLOCK_BYTES + this.#used;
    this.#used += text.length;
    return at;
  }

  read(at: number, length: number): string {
    const block = this.#blocks[Math.floor(at / BLOCK_BYTES)];
    assert(block !== undefined, "a text is read where it was appended");
    const offset = at % BLOCK_BYTES;
    return block.toString("latin1", offset, offset + length);
  }
}
