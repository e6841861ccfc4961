/**
 * A Huffman code of DEFLATE (RFC 1951 §3.2.2), made for decoding: codes of up to nine bits are
 * found by one look into a table, longer ones bit by bit. One object is filled again for every
 * block.
 */

const QUICK_BITS = 9;
const CODE_BITS_MAX = 15;

/** A code with its symbols ordered by length and value, as the RFC assigns them. */
export class HuffmanCode {
  /** For each next nine bits: symbol and length of the code, 0 where it is longer. */
  readonly #quick: Uint16Array = new Uint16Array(1 << QUICK_BITS);
  readonly #counts: Uint16Array = new Uint16Array(CODE_BITS_MAX + 1);
  readonly #symbols: Uint16Array;

  constructor(symbolsMax: number) {
    this.#symbols = new Uint16Array(symbolsMax);
  }

  /** Takes the code whose symbol `s` has `lengths[s]` bits; false when there is no such code. */
  fill(lengths: Uint8Array): boolean {
    this.#counts.fill(0);
    for (const length of lengths) this.#counts[length] = (this.#counts[length] as number) + 1;
    this.#counts[0] = 0;
    const nextIndex = new Uint16Array(CODE_BITS_MAX + 2);
    const nextCode = new Uint16Array(CODE_BITS_MAX + 2);
    let room = 1;
    for (let bits = 1; bits <= CODE_BITS_MAX; bits += 1) {
      const count = this.#counts[bits] as number;
      room = room * 2 - count;
      if (room < 0) return false;
      nextIndex[bits + 1] = (nextIndex[bits] as number) + count;
      nextCode[bits + 1] = ((nextCode[bits] as number) + count) << 1;
    }
    this.#quick.fill(0);
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      const bits = lengths[symbol] as number;
      if (bits === 0) continue;
      this.#symbols[nextIndex[bits] as number] = symbol;
      nextIndex[bits] = (nextIndex[bits] as number) + 1;
      if (bits <= QUICK_BITS) this.#fillQuick(symbol, bits, nextCode[bits] as number);
      nextCode[bits] = (nextCode[bits] as number) + 1;
    }
    return true;
  }

  /**
   * The symbol at the beginning of `bits`, of which at least fifteen count, and the length of its
   * code, as `symbol * 16 + length`; -1 when no code begins so.
   */
  decode(bits: number): number {
    const quick = this.#quick[bits & ((1 << QUICK_BITS) - 1)] as number;
    return quick !== 0 ? quick : this.#decodeSlowly(bits);
  }

  /** Codes stand in the stream with their highest bit first, so the table has them reversed. */
  #fillQuick(symbol: number, bits: number, code: number): void {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit += 1) reversed |= ((code >>> bit) & 1) << (bits - 1 - bit);
    for (let position = reversed; position < 1 << QUICK_BITS; position += 1 << bits) {
      this.#quick[position] = symbol * 16 + bits;
    }
  }

  #decodeSlowly(bits: number): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= CODE_BITS_MAX; length += 1) {
      code |= (bits >>> (length - 1)) & 1;
      const count = this.#counts[length] as number;
      if (code - first < count) {
        return (this.#symbols[index + code - first] as number) * 16 + length;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }
}
