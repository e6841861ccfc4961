/**
 * The 64-bit SimHash of a page's visible text: pages with the same main content have hashes that
 * differ in few bits, whatever surrounds it; the hashes of other pages differ in about half of them.
 * How well this works is measured in docs/near-duplicates.md.
 *
 * Tags matter only for what they say about text: whether a line ends, whether words are a link,
 * whether a line is a headline. A headline is an `h1`, or a line of at least three words all of which
 * are in the title. Pairs of words become features, `Passages` weighs them, `BitVotes` counts the
 * votes. Invariant: memory is constant, whatever the page.
 */
import { type PageSink, type TagNumber, tagNumber, tagTable } from "../../formats/html/index.ts";
import { BitVotes, mixed } from "./bit-votes.ts";
import { Passages } from "./passages.ts";
import { WordScanner, type WordTaker } from "./word-scanner.ts";

const ENDS_LINE = 1;
const ENDS_PASSAGE = 2;
const LINK = 4;
const HEADLINE = 8;
const SKIPPED = 16;
const CONTAINER = 32;

/** What each tag means for text, by tag number. */
export const TEXT_TRAITS: Uint8Array = tagTable([
  [ENDS_LINE, "address article aside blockquote body br caption center dd details dialog dir div"],
  [
    ENDS_LINE,
    "dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header",
  ],
  [ENDS_LINE, "hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre"],
  [ENDS_LINE, "search section select summary table tbody td tfoot th thead title tr ul xmp"],
  [ENDS_PASSAGE, "article aside footer header main nav"],
  [CONTAINER, "article aside center div fieldset footer form header main nav section td th"],
  [LINK, "a"],
  [HEADLINE, "h1"],
  [SKIPPED, "script style"],
]);
export const TITLE: TagNumber = tagNumber("title");

/** After this many half words an unclosed `a` no longer counts as a link. */
const LINK_HALF_WORDS_MAX = 128;
const HEADLINE_WORDS_MIN = 3;
const HEADLINE_WORDS_MAX = 40;
const TITLE_PLACES = 1024;

/** What the hashes of all words begin with. */
export function wordSeed(crawlKey: Uint8Array): number {
  let seed = 0;
  for (const byte of crawlKey) seed = mixed(Math.imul(seed, 31) + byte);
  return seed;
}

function placeOf(hash: number): number {
  return (hash ^ (hash >>> 16)) & (TITLE_PLACES - 1);
}

export class SimHash implements PageSink, WordTaker {
  readonly #votes = new BitVotes();
  readonly #passages = new Passages(this.#votes);
  readonly #scanner: WordScanner;
  /** Marks the places to which words of the title hash. */
  readonly #titlePlaces = new Uint8Array(TITLE_PLACES);
  #words = 0;
  /** Whether there was text since the last line ended. */
  #hasText = false;
  #lineWords = 0;
  #isLineInTitle = true;
  #isInHeadline = false;
  #isInTitle = false;
  #isSkipping = false;
  /** How much of a link was read; the maximum outside links. */
  #linkHalfWords = LINK_HALF_WORDS_MAX;
  #depth = 0;
  #headlineDepth = Number.NEGATIVE_INFINITY;

  /**
   * `crawlKey`: the 16 secret bytes of the crawl. Hashes under different keys cannot be compared. The
   * key prevents prepared collisions; it is no defence against an attacker who sees hashes.
   */
  constructor(crawlKey: Uint8Array) {
    this.#scanner = new WordScanner(wordSeed(crawlKey));
  }

  /** Begins another page. */
  begin(): void {
    if (this.#words > 0) this.#votes.clear();
    this.#passages.clear();
    this.#scanner.clear();
    this.#titlePlaces.fill(0);
    this.#words = 0;
    this.#hasText = false;
    this.#startLine();
    this.#isInHeadline = false;
    this.#isInTitle = false;
    this.#isSkipping = false;
    this.#linkHalfWords = LINK_HALF_WORDS_MAX;
    this.#depth = 0;
    this.#headlineDepth = Number.NEGATIVE_INFINITY;
  }

  /** Words outside the title. */
  get words(): number {
    return this.#words;
  }

  openTag(tag: TagNumber): void {
    const traits = TEXT_TRAITS[tag] as number;
    this.#isSkipping = false;
    if (traits === 0) return;
    if ((traits & ENDS_LINE) !== 0) this.#endLine((traits & ENDS_PASSAGE) !== 0);
    if ((traits & LINK) !== 0) this.#startLink(0);
    if ((traits & CONTAINER) !== 0) this.#depth++;
    if ((traits & HEADLINE) !== 0) this.#isInHeadline = true;
    if ((traits & SKIPPED) !== 0) this.#isSkipping = true;
    if (tag === TITLE) this.#isInTitle = true;
  }

  closeTag(tag: TagNumber): void {
    const traits = TEXT_TRAITS[tag] as number;
    this.#isSkipping = false;
    if (traits === 0) return;
    if ((traits & ENDS_LINE) !== 0) this.#endLine((traits & ENDS_PASSAGE) !== 0);
    if ((traits & LINK) !== 0) this.#startLink(LINK_HALF_WORDS_MAX);
    if ((traits & CONTAINER) !== 0) this.#leaveContainer();
    if ((traits & HEADLINE) !== 0) this.#isInHeadline = false;
    if (tag === TITLE) this.#isInTitle = false;
  }

  /** Where a frame points is not text. */
  frameSource(): void {}

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isSkipping) return;
    this.#hasText = true;
    this.#scanner.scan(bytes, from, to, this);
  }

  /** For the scanner. */
  word(hash: number, halfWords: number): void {
    if (this.#isInTitle) {
      this.#titlePlaces[placeOf(hash)] = 1;
      return;
    }
    this.#words++;
    this.#lineWords++;
    if (this.#titlePlaces[placeOf(hash)] === 0) this.#isLineInTitle = false;
    const isLinked = this.#linkHalfWords < LINK_HALF_WORDS_MAX;
    if (isLinked) this.#linkHalfWords += halfWords;
    this.#passages.word(hash, halfWords, isLinked);
  }

  /** For the scanner. */
  wholeWords(hashes: Int32Array, count: number): void {
    if (this.#isInTitle) {
      for (let at = 0; at < count; at++) this.#titlePlaces[placeOf(hashes[at] as number)] = 1;
      return;
    }
    this.#words += count;
    this.#lineWords += count;
    for (let at = 0; at < count && this.#isLineInTitle; at++) {
      this.#isLineInTitle = this.#titlePlaces[placeOf(hashes[at] as number)] === 1;
    }
    const linked = Math.min(count, (LINK_HALF_WORDS_MAX - this.#linkHalfWords + 1) >> 1);
    this.#linkHalfWords += 2 * linked;
    this.#passages.wholeWords(hashes, 0, linked, true);
    this.#passages.wholeWords(hashes, linked, count, false);
  }

  /** Ends the page; the hash is in `high` and `low` until another one begins. */
  finish(): void {
    this.#endLine(true);
  }

  /** The upper 32 bits of the hash, unsigned. */
  get high(): number {
    return this.#votes.high;
  }

  /** The lower 32 bits of the hash, unsigned. */
  get low(): number {
    return this.#votes.low;
  }

  /** Also called at the end of a link. The word before it belongs to what came before. */
  #startLink(linkHalfWords: number): void {
    this.#scanner.end(this);
    this.#linkHalfWords = linkHalfWords;
  }

  #leaveContainer(): void {
    this.#depth--;
    if (this.#depth >= this.#headlineDepth) return;
    this.#headlineDepth = this.#depth;
    this.#passages.endHeadline();
  }

  #startLine(): void {
    this.#lineWords = 0;
    this.#isLineInTitle = true;
  }

  /** Most tags follow another tag: then there is no line to end. */
  #endLine(endsPassage: boolean): void {
    if (this.#hasText) this.#endText();
    if (endsPassage) this.#passages.endPassage();
  }

  #endText(): void {
    this.#hasText = false;
    this.#scanner.end(this);
    const count = this.#lineWords;
    if (count > 0) {
      const isTitle = this.#isLineInTitle && count >= HEADLINE_WORDS_MIN;
      const isHeadline = this.#isInHeadline || (isTitle && !this.#passages.isLinkLine);
      const isShort = count <= HEADLINE_WORDS_MAX;
      if (isHeadline && isShort) this.#headlineDepth = this.#depth;
      this.#passages.endLine(isHeadline && isShort);
    }
    this.#startLine();
  }
}
