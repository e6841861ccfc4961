/**
 * The digest of the stripped page, as in BUbiNG: two pages have the same digest when they differ only
 * in attributes, numbers, white space, scripts, styles and comments. What remains of a page are its
 * tags (all unknown ones count as the same; a frame keeps its source), and its text with every run of
 * digits and white space replaced by one space.
 *
 * The stripped page is never in memory as a whole: it passes through a block of 4 KiB into a keyed
 * hash. Its bytes are unambiguous, because text has no digits and line ends, which therefore can mark
 * what is not text:
 *
 * | bytes            | meaning                                           |
 * |------------------|---------------------------------------------------|
 * | `0`, number      | start tag                                         |
 * | `1`, number      | end tag                                           |
 * | LF, bytes, LF    | the source of a frame                             |
 * | CR, bytes, CR    | first the host, later the target of a redirect    |
 * | `2`, bytes       | a body that is not a page, unchanged              |
 *
 * Invariant: the block and the lanes depend only on the page, not on how it was split into calls.
 */
import { type PageSink, type TagNumber, tagTable } from "../../formats/html/index.ts";
import { BLOCK_BYTES, type KeyedBlocks } from "./keyed-blocks.ts";

const OPEN_MARK = 0x30;
const CLOSE_MARK = 0x31;
const BODY_MARK = 0x32;
const FRAME_MARK = 0x0a;
const NAME_MARK = 0x0d;
const SPACE = 0x20;

/** White space and digits, which are folded: 256 plus a space. Other bytes are unchanged. */
const FOLDED = 256 + SPACE;
const WRITTEN = Uint16Array.from({ length: 256 }, (_, byte) => byte);
WRITTEN.fill(FOLDED, 0x09, 0x0e).fill(FOLDED, 0x30, 0x3a)[SPACE] = FOLDED;

const SKIPPED = 1;
const TRAITS = tagTable([[SKIPPED, "script style"]]);

export class StrippedDigest implements PageSink {
  readonly #blocks: KeyedBlocks;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #used = 0;
  #high = 0;
  #low = 0;
  #isAfterFold = 0;
  #isSkipping = false;
  #isEmpty = true;

  /** Digests made with the same blocks may be open side by side, on one thread. */
  constructor(blocks: KeyedBlocks) {
    this.#blocks = blocks;
  }

  /**
   * Begins another page. With `host`, equal pages of different hosts have different digests; ""
   * finds duplicates across hosts.
   */
  begin(host: string): void {
    this.#used = 0;
    this.#high = 0;
    this.#low = 0;
    this.#isAfterFold = 0;
    this.#isSkipping = false;
    this.#isEmpty = true;
    this.#name(host);
  }

  /** Whether there has been nothing yet. An empty page is not a duplicate. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  openTag(tag: TagNumber): void {
    this.#tag(OPEN_MARK, tag);
    this.#isSkipping = ((TRAITS[tag] as number) & SKIPPED) !== 0;
  }

  closeTag(tag: TagNumber): void {
    this.#tag(CLOSE_MARK, tag);
    this.#isSkipping = false;
  }

  frameSource(bytes: Uint8Array, from: number, to: number): void {
    this.#put(FRAME_MARK);
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      this.#put(byte === FRAME_MARK ? SPACE : byte);
    }
    this.#put(FRAME_MARK);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isSkipping || from >= to) return;
    this.#isEmpty = false;
    let at = from;
    while (at < to) at = this.#fold(bytes, at, to);
  }

  /** Two redirects are duplicates only if they lead to the same place. */
  redirectTarget(url: string): void {
    this.#isEmpty = false;
    this.#name(url);
  }

  /** A piece of a body that is not HTML; pieces may be cut anywhere. */
  body(bytes: Uint8Array, from: number, to: number): void {
    if (from >= to) return;
    if (this.#isEmpty) this.#put(BODY_MARK);
    this.#isEmpty = false;
    let at = from;
    while (at < to) {
      const piece = bytes.subarray(at, Math.min(to, at + BLOCK_BYTES - this.#used));
      this.#block.set(piece, this.#used);
      this.#used += piece.length;
      at += piece.length;
      if (this.#used === BLOCK_BYTES) this.#absorb();
    }
  }

  /** Ends the page; the digest is in `high` and `low` until another one begins. */
  finish(): void {
    this.#blocks.finish(this.#block.subarray(0, this.#used), this.#high, this.#low);
    this.#high = this.#blocks.high;
    this.#low = this.#blocks.low;
  }

  /** The upper 32 bits of the digest, unsigned. */
  get high(): number {
    return this.#high;
  }

  /** The lower 32 bits of the digest, unsigned. */
  get low(): number {
    return this.#low;
  }

  /**
   * Copies folded text until it ends or the block is full; returns where it stopped. Without a
   * branch: a byte that is left out is overwritten by the next one.
   */
  #fold(bytes: Uint8Array, from: number, to: number): number {
    const block = this.#block;
    const end = Math.min(to, from + BLOCK_BYTES - this.#used);
    let used = this.#used;
    let isAfterFold = this.#isAfterFold;
    for (let at = from; at < end; at++) {
      const written = WRITTEN[bytes[at] as number] as number;
      const isFolded = written >>> 8;
      block[used] = written;
      used += 1 - (isFolded & isAfterFold);
      isAfterFold = isFolded;
    }
    this.#used = used;
    this.#isAfterFold = isAfterFold;
    if (used === BLOCK_BYTES) this.#absorb();
    return end;
  }

  #tag(mark: number, tag: TagNumber): void {
    this.#isEmpty = false;
    this.#isAfterFold = 0;
    this.#put(mark);
    this.#put(tag);
  }

  /** Hosts and URLs are ASCII here. */
  #name(text: string): void {
    this.#put(NAME_MARK);
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      this.#put(unit === NAME_MARK ? SPACE : unit);
    }
    this.#put(NAME_MARK);
  }

  #put(byte: number): void {
    this.#block[this.#used++] = byte;
    if (this.#used === BLOCK_BYTES) this.#absorb();
  }

  #absorb(): void {
    this.#blocks.absorb(this.#block, this.#high, this.#low);
    this.#high = this.#blocks.high;
    this.#low = this.#blocks.low;
    this.#used = 0;
  }
}
