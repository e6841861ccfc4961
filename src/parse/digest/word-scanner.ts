/**
 * Finds the words of a text in its bytes and hashes them: a table classifies each byte, so that UTF-8
 * is read without being decoded, and other encodings that extend ASCII work too.
 *
 * A word is a run of letters; ASCII upper case counts as lower case; numbers, punctuation, symbols and
 * character references are not words. Chinese and Japanese are written without spaces: there every
 * character makes a word together with the one before it.
 *
 * Invariant: the words depend only on the text, not on how it was split into calls.
 */

/** Takes the words as they are found. */
export interface WordTaker {
  /** `halfWords` is 2, or 1 for a word of two characters that overlaps the next. */
  word(hash: number, halfWords: number): void;
  /** The same for the first `count` whole words of a list, since a call for each would be slow. */
  wholeWords(hashes: Int32Array, count: number): void;
}

/** The classes of bytes. A gap is only ever between words. */
const GAP = 0;
const LETTER = 1;
/** Belongs to the byte before it; by itself a letter of another encoding. */
const CONTINUATION = 2;
const IDEOGRAPH = 3;
/** The first byte of a punctuation mark or symbol. */
const SYMBOL = 4;
const AMPERSAND = 5;
const DIGIT = 6;

const CLASSES = new Uint8Array(256);
CLASSES.fill(LETTER, 0x41, 0x5b).fill(LETTER, 0x61, 0x7b).fill(LETTER, 0xc0, 0x100);
CLASSES.fill(CONTINUATION, 0x80, 0xc0);
CLASSES.fill(DIGIT, 0x30, 0x3a);
// U+3000 to U+9FFF (with its few punctuation marks); then U+0080 to U+00BF, U+2000 to U+2FFF and
// U+F000 to U+FFFF.
CLASSES.fill(IDEOGRAPH, 0xe3, 0xea);
CLASSES[0xc2] = SYMBOL;
CLASSES[0xe2] = SYMBOL;
CLASSES[0xef] = SYMBOL;
CLASSES[0x26] = AMPERSAND;
CLASSES[0x23] = DIGIT;

/** What a byte counts as inside a word; 0 if it ends the word. */
const LETTERS = Uint8Array.from(CLASSES, (kind, byte) => {
  if (kind !== LETTER && kind !== CONTINUATION) return 0;
  return byte < 0x80 ? byte | 0x20 : byte;
});

/** What is being read. */
const BETWEEN = 0;
const IN_WORD = 1;
const IN_IDEOGRAPH = 2;
const IN_SYMBOL = 3;
const IN_REFERENCE = 4;

const FACTOR = 0x01000193;

/**
 * Letters as they count inside a word, gaps as 256; everything else is handled by `#change`. Outside
 * references digits are gaps.
 */
const NOT_PLAIN = 512;
const PLAIN = Uint16Array.from(CLASSES, (kind, byte) => {
  if (kind === GAP || kind === DIGIT) return 256;
  return LETTERS[byte] || NOT_PLAIN;
});

function isPlain(byte: number): boolean {
  return PLAIN[byte] !== NOT_PLAIN;
}

/** How many bytes are scanned at once; every other one may end a word. */
const BLOCK_BYTES = 1024;

export class WordScanner {
  readonly #seed: number;
  #state = BETWEEN;
  #hash: number;
  /** The hash of the ideograph before; 0 for none. */
  #before = 0;
  /** The hashes of the words of one scan, and how many there are. */
  readonly #words = new Int32Array(BLOCK_BYTES / 2 + 1);
  #found = 0;

  constructor(seed: number) {
    this.#seed = seed | 0;
    this.#hash = this.#seed;
  }

  /** Drops an unfinished word. */
  clear(): void {
    this.#state = BETWEEN;
    this.#hash = this.#seed;
    this.#before = 0;
  }

  /** Passes on the word that the text ends with. */
  end(taker: WordTaker): void {
    this.#leave(taker);
    this.clear();
  }

  scan(bytes: Uint8Array, from: number, to: number, taker: WordTaker): void {
    let at = from;
    while (at < to) {
      if (this.#state <= IN_WORD) {
        at = this.#readWords(bytes, at, Math.min(to, at + BLOCK_BYTES));
        if (this.#found > 0) taker.wholeWords(this.#words, this.#found);
        if (at === to || isPlain(bytes[at] as number)) continue;
      }
      const byte = bytes[at++] as number;
      this.#change(byte, CLASSES[byte] as number, taker);
    }
  }

  /**
   * Finds words of letters with plain gaps between them, up to the first byte that is neither. Nearly
   * all of the time is spent here. Processors mispredict where words end, which costs as much as ten
   * letters; so there is no branch on it: the hash is written after every byte and counts only where
   * a word has ended, and a gap resets it by arithmetic.
   */
  #readWords(bytes: Uint8Array, from: number, to: number): number {
    const words = this.#words;
    const seed = this.#seed;
    let hash = this.#state === IN_WORD ? this.#hash : seed;
    // All bits set inside a word, none between words.
    let inWord = -this.#state;
    let found = 0;
    let at = from;
    for (; at < to; at++) {
      const plain = PLAIN[bytes[at] as number] as number;
      if (plain === NOT_PLAIN) break;
      const isGap = plain >>> 8;
      words[found] = hash;
      found += inWord & isGap;
      inWord = isGap - 1;
      hash = (Math.imul(hash ^ plain, FACTOR & inWord) + (seed & ~inWord)) | 0;
    }
    this.#found = found;
    this.#hash = hash;
    this.#state = inWord & IN_WORD;
    return at;
  }

  #change(byte: number, kind: number, taker: WordTaker): void {
    const state = this.#state;
    if (kind === CONTINUATION && (state === IN_IDEOGRAPH || state === IN_SYMBOL)) {
      if (state === IN_IDEOGRAPH) this.#hash = Math.imul(this.#hash ^ byte, FACTOR);
      return;
    }
    if (state === IN_REFERENCE && (kind === LETTER || kind === DIGIT)) return;
    this.#leave(taker);
    if (kind === LETTER || kind === CONTINUATION) this.#enter(IN_WORD, byte);
    else if (kind === IDEOGRAPH) this.#enter(IN_IDEOGRAPH, byte);
    else this.#state = kind === SYMBOL ? IN_SYMBOL : kind === AMPERSAND ? IN_REFERENCE : BETWEEN;
    if (this.#state !== IN_IDEOGRAPH) this.#before = 0;
  }

  #enter(state: number, byte: number): void {
    this.#state = state;
    this.#hash = Math.imul(this.#seed ^ (LETTERS[byte] || byte), FACTOR);
  }

  #leave(taker: WordTaker): void {
    if (this.#state === IN_WORD) taker.word(this.#hash, 2);
    else if (this.#state === IN_IDEOGRAPH) {
      const hash = this.#hash;
      taker.word(Math.imul(this.#before, 31) + hash, 1);
      this.#before = hash;
    }
    this.#state = BETWEEN;
  }
}
