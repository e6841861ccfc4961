/**
 * Weighs the lines of a page before they vote. What a page is about stands in long passages of
 * running text below a headline; menus, dates, counters, teasers and advertisements are short, or
 * are links, or stand apart. So
 *
 * - lines that follow each other form a *passage*; lists of links, landmarks (`main`, `aside`, …)
 *   and headlines part one passage from the next;
 * - a feature counts by the root of the words in its passage (up to 512) times the root of the
 *   words in its line (up to 64);
 * - the passage that a headline begins counts 64 times as much; if it has fewer than 12 words, so
 *   does the next;
 * - lines that are links count once.
 *
 * How much a feature counts is the share it has in deciding the bits, which by the distribution of
 * the votes is the fourth root of its weight there. The features of a passage wait until its length
 * is known; no more than `WAITING_MAX` wait, for by then the length has no influence any more.
 */
import { type BitVotes, mixed } from "./bit-votes.ts";

/** Lengths are counted in half words; see `WordTaker`. */
const PASSAGE_HALF_WORDS_MAX = 1024;
const LINE_HALF_WORDS_MAX = 128;
const HEADED_HALF_WORDS_MIN = 24;
const HEADLINE_WEIGHT = 64 ** 4;
const WAITING_MAX = 1024;

export class Passages {
  readonly #votes: BitVotes;
  readonly #features = new Int32Array(WAITING_MAX);
  /** Where each waiting line ends among the features, and how many half words it has. */
  readonly #lineEnds = new Int32Array(WAITING_MAX);
  readonly #lineHalfWords = new Int32Array(WAITING_MAX);
  #waiting = 0;
  #lines = 0;
  #passageHalfWords = 0;
  #isHeaded = false;
  /** Of the line that is being read. */
  #halfWords = 0;
  #linkedHalfWords = 0;
  #before = 0;

  constructor(votes: BitVotes) {
    this.#votes = votes;
  }

  clear(): void {
    this.#isHeaded = false;
    this.#passageHalfWords = 0;
    this.#lines = 0;
    this.#startLine(0);
  }

  /** The next word of the line. A feature is a word with the one before it in its line. */
  word(hash: number, halfWords: number, isLinked: boolean): void {
    if (this.#waiting === WAITING_MAX) this.#makeRoom();
    this.#features[this.#waiting++] = mixed(Math.imul(this.#before, 0x01000193) + hash);
    this.#before = hash;
    this.#halfWords += halfWords;
    if (isLinked) this.#linkedHalfWords += halfWords;
  }

  /** Whether more than half of the line so far is links. */
  get isLinkLine(): boolean {
    return this.#linkedHalfWords * 2 > this.#halfWords;
  }

  /** Ends a line; a headline begins a passage that counts more. */
  endLine(isHeadline: boolean): void {
    if (this.#halfWords === 0) return;
    if (isHeadline) {
      this.#voteLines();
      this.#passageHalfWords = 0;
      this.#isHeaded = true;
    } else if (this.isLinkLine) {
      this.#endWithLinks();
      return;
    }
    this.#lineEnds[this.#lines] = this.#waiting;
    this.#lineHalfWords[this.#lines++] = this.#halfWords;
    this.#passageHalfWords += this.#halfWords;
    this.#startLine(this.#waiting);
    if (this.#passageHalfWords >= PASSAGE_HALF_WORDS_MAX) this.#voteLines();
  }

  /** Ends a passage, between two lines. */
  endPassage(): void {
    this.#voteLines();
    if (this.#passageHalfWords >= HEADED_HALF_WORDS_MIN) this.#isHeaded = false;
    this.#passageHalfWords = 0;
  }

  endHeaded(): void {
    if (this.#isHeaded && this.#passageHalfWords >= HEADED_HALF_WORDS_MIN) this.endPassage();
  }

  #startLine(waiting: number): void {
    this.#waiting = waiting;
    this.#halfWords = 0;
    this.#linkedHalfWords = 0;
    this.#before = 0;
  }

  /** A line of links votes at once; it is no part of a passage and parts the lines around it. */
  #endWithLinks(): void {
    const from = this.#lines === 0 ? 0 : (this.#lineEnds[this.#lines - 1] as number);
    this.#vote(from, this.#waiting, 1);
    this.#startLine(from);
    this.endPassage();
  }

  /**
   * So many features wait that the passage is as long as counts: complete lines vote, and when the
   * line that is being read takes all the room, so does its beginning.
   */
  #makeRoom(): void {
    if (this.#lines > 0) {
      this.#passageHalfWords = PASSAGE_HALF_WORDS_MAX;
      this.#voteLines();
    } else {
      const weight = this.isLinkLine ? 1 : this.#weightOf(PASSAGE_HALF_WORDS_MAX, LINE_HALF_WORDS_MAX);
      this.#vote(0, this.#waiting, weight);
      this.#waiting = 0;
    }
  }

  /** All complete lines vote and go; the line that is being read moves to the front. */
  #voteLines(): void {
    let from = 0;
    for (let line = 0; line < this.#lines; line++) {
      const end = this.#lineEnds[line] as number;
      const halfWords = this.#lineHalfWords[line] as number;
      this.#vote(from, end, this.#weightOf(this.#passageHalfWords, halfWords));
      from = end;
    }
    this.#features.copyWithin(0, from, this.#waiting);
    this.#waiting -= from;
    this.#lines = 0;
  }

  #vote(from: number, to: number, weight: number): void {
    for (let at = from; at < to; at++) this.#votes.cast(this.#features[at] as number, weight);
  }

  #weightOf(passageHalfWords: number, lineHalfWords: number): number {
    const passage = Math.min(PASSAGE_HALF_WORDS_MAX, passageHalfWords);
    const line = Math.min(LINE_HALF_WORDS_MAX, lineHalfWords);
    return passage ** 2 * line ** 4 * (this.#isHeaded ? HEADLINE_WEIGHT : 1);
  }
}
