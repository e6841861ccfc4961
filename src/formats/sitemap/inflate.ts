/**
 * DEFLATE (RFC 1951), decoded as the bytes come, in memory of a fixed size.
 *
 * Node's zlib decodes faster, but a stream of it answers at another time, and its synchronous form
 * wants the whole file in memory. Here the same bytes give the same output whatever the chunks,
 * also when the file is cut or damaged: everything before the damage comes out.
 */
import type { BitSource } from "./bit-source.ts";
import { HuffmanCode } from "./huffman.ts";

const WINDOW = 32 * 1024;
const MATCH_MAX = 258;

/** `more`: wants more input. `end`: the last block is over. `damaged`: no valid data follow. */
export type InflateState = "more" | "end" | "damaged";

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
];
const LENGTH_EXTRA = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577,
];
/** The order in which a block gives the lengths of the codes for lengths. */
const LENGTH_CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const END_OF_BLOCK = 256;

/** A symbol with all that belongs to it takes up to 48 bits, and 32 may be taken ahead. */
const SYMBOL_BYTES_MAX = 10;

export class Inflate {
  readonly #source: BitSource;
  readonly #emit: (bytes: Uint8Array) => boolean;
  #wanted = true;
  /** The last 32 KiB given out, then what is not yet given out. */
  readonly #output = new Uint8Array(WINDOW * 2 + MATCH_MAX);
  #outputEnd = 0;
  #emitted = 0;
  /** Bytes produced since `start`: no match may reach further back. */
  #reach = 0;
  readonly #literals = new HuffmanCode(288);
  readonly #distances = new HuffmanCode(32);
  readonly #lengths = new HuffmanCode(19);
  #block: "none" | "stored" | "coded" = "none";
  #storedLeft = 0;
  #lastBlock = false;

  /** Bytes given to `emit` are overwritten later; it returns false when it wants no more. */
  constructor(source: BitSource, emit: (bytes: Uint8Array) => boolean) {
    this.#source = source;
    this.#emit = emit;
  }

  /** Begins a new stream. */
  start(): void {
    this.#block = "none";
    this.#lastBlock = false;
    this.#reach = 0;
  }

  /** Decodes what the source has. */
  run(): InflateState {
    let state: InflateState | null = null;
    while (state === null) {
      if (this.#block === "stored") state = this.#copyStored();
      else if (this.#block === "coded") state = this.#decodeSymbols();
      else state = this.#lastBlock ? "end" : this.#readBlockHeader();
    }
    this.#flush();
    return state;
  }

  /** null: go on. */
  #readBlockHeader(): InflateState | null {
    this.#source.keepPosition();
    const last = this.#source.take(1) === 1;
    const kind = this.#source.take(2);
    let valid = kind !== 3;
    if (kind === 0) valid = this.#readStoredHeader();
    else if (kind === 1) this.#fillFixedCodes();
    else if (kind === 2) valid = this.#readCodes();
    if (this.#source.overrun) {
      this.#source.goBack();
      return this.#source.ended ? "damaged" : "more";
    }
    if (!valid) return "damaged";
    this.#lastBlock = last;
    this.#block = kind === 0 ? "stored" : "coded";
    return null;
  }

  #readStoredHeader(): boolean {
    this.#source.align();
    this.#storedLeft = this.#source.take(16);
    return (this.#source.take(16) ^ 0xffff) === this.#storedLeft;
  }

  #fillFixedCodes(): void {
    const literals = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256);
    this.#literals.fill(literals.fill(7, 256, 280).fill(8, 280, 288));
    this.#distances.fill(new Uint8Array(30).fill(5));
  }

  #readCodes(): boolean {
    const literals = this.#source.take(5) + 257;
    const distances = this.#source.take(5) + 1;
    const count = this.#source.take(4) + 4;
    const lengths = new Uint8Array(19);
    for (let index = 0; index < count; index += 1) {
      lengths[LENGTH_CODE_ORDER[index] as number] = this.#source.take(3);
    }
    if (literals > 286 || !this.#lengths.fill(lengths)) return false;
    const all = new Uint8Array(literals + distances);
    if (!this.#readLengths(all) || all[END_OF_BLOCK] === 0) return false;
    return (
      this.#literals.fill(all.subarray(0, literals)) && this.#distances.fill(all.subarray(literals))
    );
  }

  /** Lengths of codes, themselves coded: 16 repeats the last one, 17 and 18 zeros. */
  #readLengths(all: Uint8Array): boolean {
    const source = this.#source;
    for (let index = 0; index < all.length; ) {
      source.refill();
      const decoded = this.#lengths.decode(source.bits);
      if (decoded === -1 || source.overrun) return false;
      source.drop(decoded & 15);
      const symbol = decoded >>> 4;
      if (symbol < 16) {
        all[index] = symbol;
        index += 1;
        continue;
      }
      const repeat =
        symbol === 16
          ? 3 + source.take(2)
          : symbol === 17
            ? 3 + source.take(3)
            : 11 + source.take(7);
      if (index + repeat > all.length || (symbol === 16 && index === 0)) return false;
      all.fill(symbol === 16 ? (all[index - 1] as number) : 0, index, index + repeat);
      index += repeat;
    }
    return true;
  }

  #copyStored(): InflateState | null {
    while (this.#storedLeft > 0) {
      const bytes = this.#source.takeBytes(Math.min(this.#storedLeft, MATCH_MAX));
      if (bytes.length === 0) return this.#source.ended ? "damaged" : "more";
      if (!this.#makeRoom()) return "end";
      this.#output.set(bytes, this.#outputEnd);
      this.#outputEnd += bytes.length;
      this.#reach += bytes.length;
      this.#storedLeft -= bytes.length;
    }
    this.#block = "none";
    return null;
  }

  #decodeSymbols(): InflateState | null {
    const source = this.#source;
    while (source.ended || source.bytesLeft >= SYMBOL_BYTES_MAX) {
      if (!this.#makeRoom()) return "end";
      source.refill();
      const decoded = this.#literals.decode(source.bits);
      if (decoded === -1) return "damaged";
      source.drop(decoded & 15);
      const symbol = decoded >>> 4;
      if (source.ended && source.overrun) return "damaged";
      if (symbol < END_OF_BLOCK) {
        this.#output[this.#outputEnd] = symbol;
        this.#outputEnd += 1;
        this.#reach += 1;
      } else if (symbol === END_OF_BLOCK) {
        this.#block = "none";
        return null;
      } else if (!this.#copyMatch(symbol - 257)) return "damaged";
    }
    return "more";
  }

  #copyMatch(lengthCode: number): boolean {
    const source = this.#source;
    const base = LENGTH_BASE[lengthCode];
    if (base === undefined) return false;
    const length = base + source.take(LENGTH_EXTRA[lengthCode] as number);
    source.refill();
    const decoded = this.#distances.decode(source.bits);
    if (decoded === -1) return false;
    source.drop(decoded & 15);
    const distanceBase = DISTANCE_BASE[decoded >>> 4];
    if (distanceBase === undefined) return false;
    const extra = Math.max(0, (decoded >>> 5) - 1);
    const distance = distanceBase + source.take(extra);
    if (distance > this.#reach || (source.ended && source.overrun)) return false;
    const output = this.#output;
    let to = this.#outputEnd;
    for (let from = to - distance; from < this.#outputEnd - distance + length; from += 1) {
      output[to] = output[from] as number;
      to += 1;
    }
    this.#outputEnd = to;
    this.#reach += length;
    return true;
  }

  /** Makes sure that one match fits, keeping what matches may refer to; false: stop. */
  #makeRoom(): boolean {
    if (this.#outputEnd <= WINDOW * 2) return true;
    this.#flush();
    this.#output.copyWithin(0, this.#outputEnd - WINDOW, this.#outputEnd);
    this.#outputEnd = WINDOW;
    this.#emitted = WINDOW;
    return this.#wanted;
  }

  #flush(): void {
    if (this.#outputEnd === this.#emitted) return;
    const from = this.#emitted;
    this.#emitted = this.#outputEnd;
    this.#wanted = this.#emit(this.#output.subarray(from, this.#outputEnd));
  }
}
