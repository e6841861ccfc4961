/**
 * Weighs the words of a page before they vote. The subject of a page is below its headline, in
 * running text; menus, dates, counters, teasers and advertisements are short lines, or links, or
 * elsewhere. So
 *
 * - successive lines form a *passage*; lines of links, landmarks (`main`, `aside`, …) and the end of
 *   the container that holds the headline end a passage;
 * - the passage that a headline begins counts 64 times as much; if it has fewer than 12 words, the
 *   next one does too, and so on;
 * - a word counts by the square root of the number of words in its line, up to 64;
 * - lines that are mostly links count once.
 *
 * "Counts" means the share in deciding bits, which, by the distribution of the votes, is the fourth
 * root of the weight. The words of a line wait until its length is known or no longer matters, so
 * memory is constant.
 */
import { type BitVotes, mixed } from "./bit-votes.ts";

/** Lengths are counted in half words; see `WordTaker`. */
const LINE_HALF_WORDS_MAX = 128;
const HEADED_HALF_WORDS_MIN = 24;
const HEADED_WEIGHT = 64 ** 4;

export class Passages {
  readonly #votes: BitVotes;
  /** The features of the current line that have not voted yet. */
  readonly #features = new Int32Array(LINE_HALF_WORDS_MAX);
  readonly #single = new Int32Array(1);
  #waiting = 0;
  #halfWords = 0;
  #linkedHalfWords = 0;
  #before = 0;
  /** What each further word of a long line weighs; 0 while the line is not known to be long. */
  #longWeight = 0;
  #passageHalfWords = 0;
  #isHeaded = false;

  constructor(votes: BitVotes) {
    this.#votes = votes;
  }

  clear(): void {
    this.#isHeaded = false;
    this.#passageHalfWords = 0;
    this.#startLine();
  }

  /** The next word of the line. */
  word(hash: number, halfWords: number, isLinked: boolean): void {
    this.#single[0] = hash;
    this.#take(this.#single, 0, 1);
    this.#count(halfWords, isLinked);
  }

  /** The next words of the line, whole ones. */
  wholeWords(hashes: Int32Array, from: number, to: number, isLinked: boolean): void {
    let at = from;
    while (at < to) {
      // Until the line is known to be long, or as many as there is room for.
      const left =
        this.#longWeight > 0 ? LINE_HALF_WORDS_MAX : LINE_HALF_WORDS_MAX - this.#halfWords;
      const end = Math.min(to, at + ((left + 1) >> 1));
      this.#take(hashes, at, end);
      this.#count(2 * (end - at), isLinked);
      at = end;
    }
  }

  /** A feature is a word and the one before it in its line. */
  #take(hashes: Int32Array, from: number, to: number): void {
    const features = this.#features;
    let waiting = this.#waiting;
    let before = this.#before;
    for (let at = from; at < to; at++) {
      const hash = hashes[at] as number;
      features[waiting++] = mixed(Math.imul(before, 0x01000193) + hash);
      before = hash;
    }
    this.#waiting = waiting;
    this.#before = before;
  }

  #count(halfWords: number, isLinked: boolean): void {
    this.#halfWords += halfWords;
    if (isLinked) this.#linkedHalfWords += halfWords;
    if (this.#longWeight > 0) this.#vote(this.#longWeight);
    else if (this.#halfWords >= LINE_HALF_WORDS_MAX) {
      this.#longWeight = this.#voteLine(this.isLinkLine);
    }
  }

  /** Whether more than half of the line so far is links. */
  get isLinkLine(): boolean {
    return this.#linkedHalfWords * 2 > this.#halfWords;
  }

  /** A headline begins a passage that counts more. */
  endLine(isHeadline: boolean): void {
    if (this.#halfWords === 0) return;
    if (isHeadline) {
      this.#passageHalfWords = 0;
      this.#isHeaded = true;
    }
    const isLinks = this.isLinkLine && !isHeadline;
    this.#voteLine(isLinks);
    if (isLinks) this.endPassage();
    else this.#passageHalfWords += this.#halfWords;
    this.#startLine();
  }

  /** Ends a passage, between two lines. */
  endPassage(): void {
    this.endHeadline();
    this.#passageHalfWords = 0;
  }

  /** The container of the headline ends, and its passage too, unless that has hardly begun. */
  endHeadline(): void {
    if (this.#passageHalfWords >= HEADED_HALF_WORDS_MIN) this.#isHeaded = false;
  }

  #startLine(): void {
    this.#waiting = 0;
    this.#halfWords = 0;
    this.#linkedHalfWords = 0;
    this.#before = 0;
    this.#longWeight = 0;
  }

  /** The features that wait vote; returns their weight. */
  #voteLine(isLinks: boolean): number {
    const root = Math.min(LINE_HALF_WORDS_MAX, this.#halfWords) ** 2;
    const weight = isLinks ? 1 : root * (this.#isHeaded ? HEADED_WEIGHT : 1);
    this.#vote(weight);
    return weight;
  }

  #vote(weight: number): void {
    this.#votes.cast(this.#features, this.#waiting, weight);
    this.#waiting = 0;
  }
}
