/**
 * The HTML standard's tokenizer on bytes, as far as links and text need it. It takes chunks cut
 * anywhere and reports tags and text to a sink; the sink answers each start tag with how the
 * content of the element is to be read, which is all that a tokenizer needs to know of the tree.
 *
 * Invariant: every construct is scanned in one go over contiguous bytes. What a chunk leaves
 * unfinished is carried over (`chunk-carry.ts`) and scanned again, from its beginning, with the
 * bytes that follow. Most constructs ask for a few bytes only. A tag may ask for many; one longer
 * than `TAG_BYTES_MAX` is skimmed without its attributes, so that memory stays bounded.
 *
 * Digests of the page listen here too (`PageSink`), so that the page is read once. Without a
 * listener that costs one test of a local variable for each tag.
 */

import { ELEMENT_NAMES, TAG } from "../elements.ts";
import type { PageSink } from "../page-sink.ts";
import { TAG_NUMBERS, UNKNOWN_TAG } from "../tag-numbers.ts";
import { ChunkCarry } from "./chunk-carry.ts";
import { CDATA_TAIL, COMMENT_TAIL, cdataEnd, commentEnd } from "./comments.ts";
import {
  CDATA_OPEN_BYTES,
  CDATA_OPENING,
  COMMENT_OPEN_BYTES,
  COMMENT_OPENING,
  DOCTYPE_OPENING,
  openingAt,
} from "./declarations.ts";
import { HASH_START, hashName } from "./name-table.ts";
import { RawTextScanner } from "./raw-text.ts";
import { referenceTail } from "./references.ts";
import { TagAtHand } from "./tag-at-hand.ts";
import { INCOMPLETE, isTagNameEnd, readAttributes } from "./tag-scanner.ts";
import { TagSkimmer } from "./tag-skimmer.ts";
import {
  DATA,
  INERT_END,
  INERT_LINE,
  INERT_START,
  PLAINTEXT,
  RAWTEXT,
  RCDATA,
  SCRIPT_DATA,
  type TokenSink,
} from "./token-sink.ts";

/** No author writes a longer tag; pictures of 1 MB inside attributes do occur. */
export const TAG_BYTES_MAX: number = 4 * 1024 * 1024;

/** States between chunks beyond those that a sink can ask for. */
const BOGUS_COMMENT = 5;
const COMMENT_START = 6;
const COMMENT = 7;
/** Inside a CDATA section of foreign content. */
export const CDATA = 8;
const LONG_TAG = 9;

const NO_BYTES: Uint8Array = Buffer.alloc(0);

export class Tokenizer {
  readonly #sink: TokenSink;
  readonly #page: PageSink | undefined;
  #state = DATA;
  /** The element whose content is raw text now. */
  readonly #raw = new RawTextScanner();
  readonly #rawTag = new TagAtHand();
  #skimmer: TagSkimmer | undefined;
  readonly #carry = new ChunkCarry();
  #isStarved = false;
  #isLast = false;
  readonly #tag = new TagAtHand();
  /** Bytes looked at so far, repetitions included: the measure of the linear-time test. */
  scannedBytes = 0;

  constructor(sink: TokenSink, page?: PageSink) {
    this.#sink = sink;
    this.#page = page;
  }

  /** Starts in another state, as after a start tag of `element`. */
  enter(state: number, element: string): void {
    const name = Buffer.from(element, "latin1");
    this.#tag.hash = hashName(element);
    this.#tag.id = ELEMENT_NAMES.find(this.#tag.hash, name, 0, name.length);
    this.#enterRawText(state, name);
  }

  write(chunk: Uint8Array): void {
    this.#scan(chunk);
  }

  end(): void {
    this.#isLast = true;
    this.#scan(NO_BYTES);
  }

  /** Scans what can be scanned and carries the rest. */
  #scan(chunk: Uint8Array): void {
    const bytes = this.#carry.add(chunk, this.#isLast);
    if (bytes === undefined) return;
    this.#page?.chunk?.(bytes);
    const end = bytes.length;
    this.#isStarved = false;
    this.scannedBytes += end;
    let at = 0;
    while (at < end && !this.#isStarved) at = this.#step(bytes, at, end);
    this.#carry.keep(bytes, at, TAG_BYTES_MAX);
  }

  /** Scans from a position in the current state; returns the first byte that is not done. */
  #step(bytes: Uint8Array, at: number, end: number): number {
    switch (this.#state) {
      case DATA:
        return this.#data(bytes, at, end);
      case RCDATA:
      case RAWTEXT:
      case SCRIPT_DATA:
        return this.#elementText(bytes, at, end);
      case PLAINTEXT:
        this.#tellText(bytes, at, end);
        return end;
      case BOGUS_COMMENT:
        return this.#bogusComment(bytes, at, end);
      case CDATA:
        return this.#cdata(bytes, at, end);
      case LONG_TAG:
        return this.#skim(bytes, at, end);
      default:
        return this.#comment(bytes, at, end);
    }
  }

  /** Stops the scan until more bytes have arrived. */
  #starve(at: number): number {
    this.#isStarved = true;
    return at;
  }

  /**
   * Text and tags: the hot loop. Most tags are of elements of no interest; they are handled here,
   * without a call, which takes a quarter off the time for a page.
   */
  #data(bytes: Uint8Array, from: number, end: number): number {
    const sink = this.#sink;
    const page = this.#page;
    let at = from;
    while (at < end) {
      let open = at;
      // A plain loop: runs of text are short, and a call of indexOf costs more than it saves.
      while (open < end && bytes[open] !== 0x3c) open++;
      if (open === end) return this.#lastText(bytes, at, end);
      if (open > at) {
        if (page !== undefined) page.text(bytes, at, open);
        if (sink.isListening) sink.text(bytes, at, open);
      }
      const isEnd = open + 1 < end && bytes[open + 1] === 0x2f;
      const nameFrom = isEnd ? open + 2 : open + 1;
      let byte = nameFrom < end ? (bytes[nameFrom] as number) : 0;
      // A letter, whose bit for small ones counts for nothing.
      if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) {
        let hash = HASH_START;
        let nameTo = nameFrom;
        do {
          hash = (Math.imul(hash, 31) + (byte | 0x20)) | 0;
          nameTo++;
          byte = nameTo < end ? (bytes[nameTo] as number) : 0x3e;
          // Letters come after `>`: only other bytes need a look into the table.
        } while (byte > 0x3e || !isTagNameEnd(byte));
        // A guess is enough here: if it is wrong, the element is unknown and no less inert.
        const inert = sink.inert[ELEMENT_NAMES.guess(hash)] as number;
        if ((inert & (isEnd ? INERT_END : INERT_START)) !== 0 && nameTo < end) {
          const stop = Math.min(end, open + TAG_BYTES_MAX);
          at = byte === 0x3e ? nameTo + 1 : readAttributes(bytes, nameTo, stop, null);
          if (at !== INCOMPLETE) {
            if (isEnd) sink.counts.close(hash);
            else sink.counts.open(hash);
            if ((inert & INERT_LINE) !== 0) sink.breakLine();
            if (page !== undefined) {
              tellTag(page, ELEMENT_NAMES.find(hash, bytes, nameFrom, nameTo), isEnd);
            }
            continue;
          }
        }
        const tag = this.#tag;
        tag.id = ELEMENT_NAMES.find(hash, bytes, nameFrom, nameTo);
        tag.hash = hash;
        tag.isEnd = isEnd;
        tag.nameFrom = nameFrom;
        tag.nameTo = nameTo;
        at = this.#tagRest(bytes, open, end);
      } else at = this.#otherMarkup(bytes, open, end);
      if (at === INCOMPLETE) return this.#starve(open);
      if (this.#state !== DATA) return at;
    }
    return at;
  }

  /** Text up to the end of the bytes, without a reference that may go on after it. */
  #lastText(bytes: Uint8Array, from: number, end: number): number {
    const to = this.#isLast ? end : Math.max(from, end - referenceTail(bytes, end));
    this.#tellText(bytes, from, to);
    return to < end ? this.#starve(to) : end;
  }

  /** At a `<` that opens no tag: the position after what it opens, or `INCOMPLETE`. */
  #otherMarkup(bytes: Uint8Array, open: number, end: number): number {
    if (open + 1 >= end) return this.#literal(bytes, open, end);
    switch (bytes[open + 1]) {
      case 0x21:
        return this.#declaration(bytes, open, end);
      case 0x2f:
        if (open + 2 >= end) return this.#literal(bytes, open, end);
        return bytes[open + 2] === 0x3e ? open + 3 : this.#enterState(BOGUS_COMMENT, open + 2);
      case 0x3f:
        return this.#enterState(BOGUS_COMMENT, open + 1);
      default:
        this.#tellText(bytes, open, open + 1);
        return open + 1;
    }
  }

  /** The beginning of markup at the end of the bytes: text, if nothing follows. */
  #literal(bytes: Uint8Array, open: number, end: number): number {
    if (!this.#isLast) return INCOMPLETE;
    this.#tellText(bytes, open, end);
    return end;
  }

  #enterState(state: number, at: number): number {
    this.#state = state;
    return at;
  }

  /** What follows the name of the current tag. */
  #tagRest(bytes: Uint8Array, open: number, end: number): number {
    const { isEnd, nameTo } = this.#tag;
    const stop = Math.min(end, open + TAG_BYTES_MAX);
    if (nameTo >= stop) return this.#unfinishedName(open, end);
    const isWanted = !isEnd && this.#sink.wanted[this.#tag.id] === 1;
    if (isWanted) this.#sink.beginTag(bytes);
    let tagEnd = nameTo + 1;
    if (bytes[nameTo] !== 0x3e) {
      tagEnd = readAttributes(bytes, nameTo, stop, isWanted ? this.#sink.attributes : null);
      if (tagEnd === INCOMPLETE) return this.#unfinishedTag(open, nameTo, end);
    }
    this.#tag.bytes = bytes;
    this.#tag.end = tagEnd;
    this.#tellTag();
    return tagEnd;
  }

  /** Reports the current tag, whose attributes have been taken. */
  #tellTag(): void {
    const tag = this.#tag;
    if (this.#page !== undefined) tellTag(this.#page, tag.id, tag.isEnd);
    if (tag.isEnd) {
      this.#sink.endTag(tag.id, tag.hash);
      return;
    }
    const isFrame = tag.id === TAG.frame || tag.id === TAG.iframe;
    if (isFrame && this.#page !== undefined) this.#sink.tellFrameSource(this.#page);
    const state = this.#sink.startTag(tag);
    if (state !== DATA) this.#enterRawText(state, ELEMENT_NAMES.nameOf(tag.id));
  }

  /**
   * A tag whose end is missing: waits for it; or drops the tag if nothing follows; or, if it is too
   * long, skims it from its attributes on.
   */
  #unfinishedTag(open: number, attributesFrom: number, end: number): number {
    if (end - open < TAG_BYTES_MAX) return this.#isLast ? end : INCOMPLETE;
    this.#sink.tagTooLong();
    return this.#enterState(LONG_TAG, attributesFrom);
  }

  /** The same for a tag that is cut off inside its name. */
  #unfinishedName(open: number, end: number): number {
    this.#tag.forgetName();
    return this.#unfinishedTag(open, this.#tag.isEnd ? open + 2 : open + 1, end);
  }

  #skim(bytes: Uint8Array, from: number, end: number): number {
    this.#skimmer ??= new TagSkimmer();
    const tagEnd = this.#skimmer.skim(bytes, from, end);
    if (tagEnd === -1) return end;
    this.#skimmer = undefined;
    this.#state = DATA;
    const tag = this.#tag;
    tag.forgetBytes();
    if (!tag.isEnd) this.#sink.beginTag(NO_BYTES);
    this.#tellTag();
    return tagEnd;
  }

  /** The content of the current tag is to be read in this way. */
  #enterRawText(state: number, name: Uint8Array): void {
    this.#state = state;
    this.#raw.begin(name, state === SCRIPT_DATA);
    this.#rawTag.takeName(this.#tag);
  }

  /** At `<!`: a comment, a CDATA section, or something that is skipped up to its `>`. */
  #declaration(bytes: Uint8Array, open: number, end: number): number {
    const at = open + 2;
    switch (openingAt(bytes, at, end, this.#sink.isForeign())) {
      case COMMENT_OPENING:
        return this.#enterState(COMMENT_START, at + COMMENT_OPEN_BYTES);
      case CDATA_OPENING:
        return this.#enterState(CDATA, at + CDATA_OPEN_BYTES);
      case INCOMPLETE:
        return this.#isLast ? end : INCOMPLETE;
      case DOCTYPE_OPENING:
        this.#sink.doctype();
    }
    return this.#enterState(BOGUS_COMMENT, at);
  }

  #bogusComment(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (at < end && bytes[at] !== 0x3e) at++;
    return at < end ? this.#enterState(DATA, at + 1) : end;
  }

  #comment(bytes: Uint8Array, from: number, end: number): number {
    if (this.#state === COMMENT_START) {
      if (bytes[from] === 0x3e) return this.#enterState(DATA, from + 1);
      if (bytes[from] === 0x2d) {
        if (from + 1 >= end && !this.#isLast) return this.#starve(from);
        if (bytes[from + 1] === 0x3e && from + 1 < end) return this.#enterState(DATA, from + 2);
      }
      this.#state = COMMENT;
    }
    const close = commentEnd(bytes, from, end);
    if (close !== -1) return this.#enterState(DATA, close);
    return this.#isLast ? end : this.#starve(Math.max(from, end - COMMENT_TAIL));
  }

  #cdata(bytes: Uint8Array, from: number, end: number): number {
    const close = cdataEnd(bytes, from, end);
    const tail = this.#isLast ? 0 : CDATA_TAIL;
    const to = close === -1 ? Math.max(from, end - tail) : close;
    this.#tellText(bytes, from, to);
    if (close !== -1) return this.#enterState(DATA, close + 3);
    return to < end ? this.#starve(to) : end;
  }

  /** The content of an element that only its own end tag ends. */
  #elementText(bytes: Uint8Array, from: number, end: number): number {
    const raw = this.#raw;
    const at = raw.scan(bytes, from, end, this.#isLast);
    if (at < end && !raw.isStarved) return this.#closeText(bytes, from, at, end);
    if (this.#state === RCDATA && !raw.isStarved) return this.#lastText(bytes, from, end);
    this.#tellText(bytes, from, at);
    return raw.isStarved ? this.#starve(at) : at;
  }

  /** The text up to the end tag, then the end tag, which may have to wait for its own end. */
  #closeText(bytes: Uint8Array, from: number, open: number, end: number): number {
    this.#tellText(bytes, from, open);
    const state = this.#state;
    this.#state = DATA;
    const tag = this.#tag;
    tag.takeName(this.#rawTag);
    tag.isEnd = true;
    tag.nameTo = open + 2 + this.#raw.name.length;
    const tagEnd = this.#tagRest(bytes, open, end);
    if (tagEnd !== INCOMPLETE) return tagEnd;
    this.#state = state;
    return this.#starve(open);
  }

  #tellText(bytes: Uint8Array, from: number, to: number): void {
    if (to === from) return;
    this.#page?.text(bytes, from, to);
    if (this.#state === RCDATA || this.#state === DATA) this.#sink.text(bytes, from, to);
    else this.#sink.rawText(bytes, from, to);
  }
}

function tellTag(page: PageSink, id: number, isEnd: boolean): void {
  const number = id < TAG_NUMBERS ? id : UNKNOWN_TAG;
  if (isEnd) page.closeTag(number);
  else page.openTag(number);
}
