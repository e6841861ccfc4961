/**
 * The links of a page while it is being read: numbers in a typed array and one buffer for all their
 * strings. At the end the buffer becomes one string of which every URL is a slice, because making a
 * string from bytes costs about as much as scanning a hundred bytes of markup.
 */
import { LINK_KINDS, type LinkKind } from "../../link/index.ts";
import type { Link } from "../page.ts";
import { Utf8Buffer } from "../tokens/utf8-buffer.ts";

const KIND = 0;
const URL_FROM = 1;
const URL_TO = 2;
const REL_TO = 3;
const TEXT_FROM = 4;
const TEXT_TO = 5;
const FIELDS = 6;

/** Bits beside the kind: the URL and `rel`, or the text, are not ASCII. */
const WIDE_URL = 0x100;
const WIDE_TEXT = 0x200;
const KIND_MASK = 0xff;

/** A larger array is not kept for the next page. */
const ROWS_KEPT = 1024 * FIELDS;

export class LinkList {
  /** Where the strings of the link that is being added are written, its URL first. */
  readonly strings: Utf8Buffer = new Utf8Buffer(4096);
  readonly #countMax: number;
  #rows = new Int32Array(64 * FIELDS);
  #from = 0;
  count = 0;
  /** Whether links were left out. */
  isCut = false;
  /** Links left out because their URLs are too long. */
  tooLong = 0;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  clear(): void {
    this.strings.clear();
    if (this.#rows.length > ROWS_KEPT) this.#rows = new Int32Array(ROWS_KEPT);
    this.count = 0;
    this.isCut = false;
    this.tooLong = 0;
  }

  /** Whether another link may be added. */
  tryBegin(): boolean {
    this.#from = this.strings.length;
    this.strings.isAscii = true;
    if (this.count < this.#countMax) return true;
    this.isCut = true;
    return false;
  }

  /** Whether nothing was written since `tryBegin`. */
  isEmpty(): boolean {
    return this.strings.length === this.#from;
  }

  /** Drops what was written since `tryBegin`. */
  cancel(): void {
    this.strings.length = this.#from;
  }

  /** Adds the link whose URL, up to `urlTo`, and `rel` were written; returns its index. */
  add(kind: number, urlTo: number): number {
    const at = this.count * FIELDS;
    if (at === this.#rows.length) this.#grow();
    const rows = this.#rows;
    rows[at + KIND] = this.strings.isAscii ? kind : kind | WIDE_URL;
    rows[at + URL_FROM] = this.#from;
    rows[at + URL_TO] = urlTo;
    rows[at + REL_TO] = this.strings.length;
    rows[at + TEXT_FROM] = 0;
    rows[at + TEXT_TO] = 0;
    return this.count++;
  }

  /** Begins the text of some link; nothing else may be written before `endText`. */
  beginText(): void {
    this.#from = this.strings.length;
    this.strings.isAscii = true;
  }

  /** Gives a link the text that was written since `beginText`. */
  endText(index: number): void {
    const rows = this.#rows;
    const at = index * FIELDS;
    rows[at + TEXT_FROM] = this.#from;
    rows[at + TEXT_TO] = this.strings.length;
    if (!this.strings.isAscii) rows[at + KIND] = (rows[at + KIND] as number) | WIDE_TEXT;
  }

  finish(): Link[] {
    // Byte for byte: right for every part that is ASCII, whatever the others are.
    const whole = this.strings.bytes.toString("latin1", 0, this.strings.length);
    const links = new Array<Link>(this.count);
    for (let index = 0; index < this.count; index++) links[index] = this.#link(index, whole);
    return links;
  }

  #link(index: number, whole: string): Link {
    const at = index * FIELDS;
    const rows = this.#rows;
    const kind = rows[at + KIND] as number;
    const urlFrom = rows[at + URL_FROM] as number;
    const urlTo = rows[at + URL_TO] as number;
    const relTo = rows[at + REL_TO] as number;
    const textFrom = rows[at + TEXT_FROM] as number;
    const textTo = rows[at + TEXT_TO] as number;
    const isWide = (kind & WIDE_URL) !== 0;
    return {
      url: this.#string(urlFrom, urlTo, isWide, whole),
      kind: LINK_KINDS[kind & KIND_MASK] as LinkKind,
      rel: relTo === urlTo ? "" : this.#string(urlTo, relTo, isWide, whole),
      text:
        textFrom === textTo ? "" : this.#string(textFrom, textTo, (kind & WIDE_TEXT) !== 0, whole),
    };
  }

  #string(from: number, to: number, isWide: boolean, whole: string): string {
    return isWide ? this.strings.bytes.toString("utf8", from, to) : whole.substring(from, to);
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#rows.length);
    larger.set(this.#rows);
    this.#rows = larger;
  }
}
