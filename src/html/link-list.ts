/**
 * The links of a page while it is being read: numbers in a typed array and one stretch of bytes for
 * all their strings. At the end those bytes become one string of which every URL is a part, because
 * making a string from bytes costs about as much as scanning a hundred bytes of markup.
 */
import { LINK_KINDS, type Link, type LinkKind } from "./page.ts";
import { Utf8Buffer } from "./utf8-buffer.ts";

const KIND = 0;
const URL_FROM = 1;
const URL_TO = 2;
const REL_TO = 3;
const TEXT_FROM = 4;
const TEXT_TO = 5;
const FIELDS = 6;

export class LinkList {
  /** Where the strings of the link that is being added are written, its URL first. */
  readonly strings: Utf8Buffer = new Utf8Buffer(4096);
  readonly #countMax: number;
  #rows = new Int32Array(64 * FIELDS);
  #from = 0;
  count = 0;
  /** Whether links were left out. */
  isCut = false;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Whether another link may be added. */
  tryBegin(): boolean {
    this.#from = this.strings.length;
    if (this.count < this.#countMax) return true;
    this.isCut = true;
    return false;
  }

  /** Whether nothing was written since `tryBegin`. */
  isEmpty(): boolean {
    return this.strings.length === this.#from;
  }

  /** Forgets what was written since `tryBegin`. */
  cancel(): void {
    this.strings.length = this.#from;
  }

  /** Adds the link whose URL, up to `urlTo`, and `rel` were written; returns its index. */
  add(kind: number, urlTo: number): number {
    const at = this.count * FIELDS;
    if (at === this.#rows.length) this.#grow();
    const rows = this.#rows;
    rows[at + KIND] = kind;
    rows[at + URL_FROM] = this.#from;
    rows[at + URL_TO] = urlTo;
    rows[at + REL_TO] = this.strings.length;
    rows[at + TEXT_FROM] = 0;
    rows[at + TEXT_TO] = 0;
    return this.count++;
  }

  /** Gives a link the text [from, to) of the strings. */
  setText(index: number, from: number, to: number): void {
    this.#rows[index * FIELDS + TEXT_FROM] = from;
    this.#rows[index * FIELDS + TEXT_TO] = to;
  }

  finish(): Link[] {
    const strings = this.strings;
    const whole = strings.isAscii ? strings.slice(0, strings.length) : undefined;
    const part = (from: number, to: number) => {
      if (from === to) return "";
      return whole === undefined ? strings.slice(from, to) : whole.substring(from, to);
    };
    const links = new Array<Link>(this.count);
    for (let index = 0; index < this.count; index++) links[index] = this.#link(index, part);
    return links;
  }

  #link(index: number, part: (from: number, to: number) => string): Link {
    const at = index * FIELDS;
    const rows = this.#rows;
    const urlTo = rows[at + URL_TO] as number;
    return {
      url: part(rows[at + URL_FROM] as number, urlTo),
      kind: LINK_KINDS[rows[at + KIND] as number] as LinkKind,
      rel: part(urlTo, rows[at + REL_TO] as number),
      text: part(rows[at + TEXT_FROM] as number, rows[at + TEXT_TO] as number),
    };
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#rows.length);
    larger.set(this.#rows);
    this.#rows = larger;
  }
}
