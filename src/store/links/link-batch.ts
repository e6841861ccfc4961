/**
 * Links that wait in memory to be written: blocks of text, and in columns which block has the links of
 * which page, and which blocks have links to which target.
 */
import { type Fingerprint, FingerprintTable } from "../../base/fingerprints/index.ts";
import type { PageLinks } from "./link-lines.ts";
import { pageLine } from "./link-text.ts";

/** A page by what its URL is compared by. */
export interface GraphPage extends Fingerprint {
  readonly url: string;
}

/** What is read at once when links are asked for: some tens of pages. */
const BLOCK_BYTES = 48 * 1024;
const FIRST_BYTES = 64 * 1024;

export class LinkBatch {
  /** The number of its first block. */
  readonly firstBlock: number;
  /** The high half of a target, and the block that has a link to it. */
  readonly arcs: WordPairs = new WordPairs();
  /** The block with the links of each page; of a page that came twice, the later one. */
  readonly pages: FingerprintTable = new FingerprintTable(Uint32Array);
  /** Where each block ends that is full. */
  readonly #ends: number[] = [];
  #text = Buffer.alloc(FIRST_BYTES);
  #bytes = 0;

  constructor(firstBlock: number) {
    this.firstBlock = firstBlock;
  }

  /** The length of its text. */
  get bytes(): number {
    return this.#bytes;
  }

  /** About what it takes in memory. */
  get memoryBytes(): number {
    return this.#text.length + this.arcs.memoryBytes + this.pages.memoryBytes;
  }

  get isEmpty(): boolean {
    return this.pages.count === 0;
  }

  /** A copy of its blocks, one after the other. */
  get text(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#text.subarray(0, this.#bytes));
  }

  /** Where each block ends, the one that is being filled among them. */
  get ends(): readonly number[] {
    const isFilling = this.#bytes > this.#lastEnd;
    return isFilling ? [...this.#ends, this.#bytes] : this.#ends;
  }

  add({ url, high, low }: GraphPage, { bytes, highs }: PageLinks): void {
    const block = this.firstBlock + this.#ends.length;
    const line = pageLine(url);
    this.pages.set(high, low, block);
    for (const target of highs) this.arcs.add(target, block);
    // A character takes at most three bytes for each of its units.
    this.#makeRoom(3 * line.length + bytes.length);
    this.#bytes += this.#text.write(line, this.#bytes);
    this.#text.set(bytes, this.#bytes);
    this.#bytes += bytes.length;
    if (this.#bytes - this.#lastEnd >= BLOCK_BYTES) this.#ends.push(this.#bytes);
  }

  get #lastEnd(): number {
    return this.#ends.at(-1) ?? 0;
  }

  #makeRoom(moreBytes: number): void {
    const needed = this.#bytes + moreBytes;
    if (needed <= this.#text.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * this.#text.length));
    this.#text.copy(larger, 0, 0, this.#bytes);
    this.#text = larger;
  }
}

/** Pairs of words that grow at the end. */
export class WordPairs {
  #firsts: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #seconds: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #count = 0;

  get memoryBytes(): number {
    return 2 * this.#firsts.byteLength;
  }

  get firsts(): Uint32Array<ArrayBuffer> {
    return this.#firsts.slice(0, this.#count);
  }

  get seconds(): Uint32Array<ArrayBuffer> {
    return this.#seconds.slice(0, this.#count);
  }

  add(first: number, second: number): void {
    if (this.#count === this.#firsts.length) {
      this.#firsts = doubled(this.#firsts);
      this.#seconds = doubled(this.#seconds);
    }
    this.#firsts[this.#count] = first;
    this.#seconds[this.#count] = second;
    this.#count += 1;
  }
}

function doubled(words: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * words.length);
  more.set(words);
  return more;
}
