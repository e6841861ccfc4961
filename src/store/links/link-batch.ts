/**
 * Links that wait in memory to be written: blocks of text, and in columns which block has the links of
 * which page, and which blocks have links to which target.
 */
import { type Fingerprint, FingerprintTable } from "../../base/fingerprints/index.ts";
import { type GraphLink, linkLine, pageLine } from "./link-text.ts";

/** A page, or the target of a link, by what its URL is compared by. */
export interface GraphPage extends Fingerprint {
  readonly url: string;
}

export interface GraphArc extends GraphLink, Fingerprint {}

/** What is read at once when links are asked for: some tens of pages. */
const BLOCK_CHARACTERS = 48 * 1024;

export class LinkBatch {
  /** The number of its first block. */
  readonly firstBlock: number;
  /** The high half of a target, and the block that has a link to it. */
  readonly arcs: WordPairs = new WordPairs();
  /** The block with the links of each page; of a page that came twice, the later one. */
  readonly pages: FingerprintTable = new FingerprintTable(Uint32Array);
  #characters = 0;
  readonly #full: string[] = [];
  #text = "";

  constructor(firstBlock: number) {
    this.firstBlock = firstBlock;
  }

  get characters(): number {
    return this.#characters + this.#text.length;
  }

  /** About what it takes in memory. */
  get memoryBytes(): number {
    return this.characters + this.arcs.memoryBytes + this.pages.memoryBytes;
  }

  get isEmpty(): boolean {
    return this.pages.count === 0;
  }

  /** Its blocks, the one that is being filled among them. */
  get blocks(): readonly string[] {
    return this.#text === "" ? this.#full : [...this.#full, this.#text];
  }

  /** Returns how many links the page has. */
  add({ url, high, low }: GraphPage, links: Iterable<GraphArc>): number {
    const block = this.firstBlock + this.#full.length;
    this.pages.set(high, low, block);
    let text = pageLine(url);
    let count = 0;
    for (const link of links) {
      count += 1;
      text += linkLine(link);
      this.arcs.add(link.high, block);
    }
    this.#text += text;
    if (this.#text.length >= BLOCK_CHARACTERS) {
      this.#characters += this.#text.length;
      this.#full.push(this.#text);
      this.#text = "";
    }
    return count;
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
