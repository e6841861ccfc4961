/**
 * The n-grams of all languages with their scores, as a few typed arrays: tables of ordinary objects take
 * tens of megabytes, which every full collection of garbage walks through, and a fifth of a second to load.
 *
 * An n-gram has one to six bytes; it is held as two numbers, of its first four and its last two.
 */

/** What n-grams are looked up for: as the package `eld` has it. */
export interface NgramData {
  /** By the number of each language. */
  readonly languages: Readonly<Record<string, string>>;
  /** N-gram -> number of a language -> its score, less `BASE_SCORE`. */
  readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** A character for each byte of UTF-8. */
  readonly dictionary: readonly string[];
  /** Matches what separates words. */
  readonly separators: RegExp;
}

/** Straight, grave, and the right single quotation mark: they may stand inside words. */
export const APOSTROPHES: ReadonlySet<number> = new Set([0x27, 0x60, 0x2019]);

/** What is left out of all scores of the package. */
const BASE_SCORE = 53;
const NGRAM_BYTES_MAX = 6;
const CHARACTERS = 0x10000;
const MARKS_BYTES = CHARACTERS / 8;
const DICTIONARY_BYTES = 256;
/** Twice as many slots as n-grams at least. */
const SPARSENESS = 2;

export class NgramTable {
  /** By number. */
  readonly languages: readonly string[];
  /** What stands for each byte of UTF-8. */
  readonly dictionary: Uint8Array;
  /** A bit for each letter. */
  readonly #letters: Uint8Array;
  /** The slots: what is 0 in `#counts` is empty. */
  readonly #lows: Int32Array;
  readonly #highs: Uint16Array;
  readonly #froms: Uint32Array;
  readonly #counts: Uint8Array;
  /** In the lower byte the number of a language. */
  readonly #scores: Uint16Array;
  readonly #shift: number;

  /** `packed` by `packNgrams`. */
  constructor(packed: Uint8Array) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    let at = 0;
    const word = (): number => {
      at += 4;
      return view.getUint32(at - 4, true);
    };
    const take = (bytes: number): Uint8Array<ArrayBuffer> => {
      at += bytes;
      return new Uint8Array(packed.subarray(at - bytes, at));
    };
    const [names, ngrams, scores] = [word(), word(), word()];
    this.languages = Buffer.from(take(names)).toString().split(" ");
    this.dictionary = take(DICTIONARY_BYTES);
    this.#letters = take(MARKS_BYTES);
    this.#scores = new Uint16Array(take(2 * scores).buffer);
    const lows = new Int32Array(take(4 * ngrams).buffer);
    const highs = new Uint16Array(take(2 * ngrams).buffer);
    const counts = take(ngrams);
    const bits = Math.ceil(Math.log2(ngrams * SPARSENESS));
    this.#shift = 32 - bits;
    this.#lows = new Int32Array(2 ** bits);
    this.#highs = new Uint16Array(2 ** bits);
    this.#froms = new Uint32Array(2 ** bits);
    this.#counts = new Uint8Array(2 ** bits);
    let from = 0;
    for (let ngram = 0; ngram < ngrams; ngram += 1) {
      this.#insert(lows[ngram] ?? 0, highs[ngram] ?? 0, from, counts[ngram] ?? 0);
      from += counts[ngram] ?? 0;
    }
  }

  /** Whether a character, other than an apostrophe, is part of a word. */
  isLetter(code: number): boolean {
    return ((this.#letters[code >>> 3] ?? 0) & (1 << (code & 7))) !== 0;
  }

  /** Adds what this n-gram says for each language. */
  addScores(low: number, high: number, sums: Int32Array): void {
    const slot = this.#slotOf(low, high);
    const from = this.#froms[slot] ?? 0;
    const to = from + (this.#counts[slot] ?? 0);
    for (let at = from; at < to; at += 1) {
      const score = this.#scores[at] ?? 0;
      sums[score & 0xff] = (sums[score & 0xff] ?? 0) + (score >>> 8);
    }
  }

  #insert(low: number, high: number, from: number, count: number): void {
    const slot = this.#slotOf(low, high);
    this.#lows[slot] = low;
    this.#highs[slot] = high;
    this.#froms[slot] = from;
    this.#counts[slot] = count;
  }

  /** Where it is, or would be. */
  #slotOf(low: number, high: number): number {
    const mask = this.#counts.length - 1;
    let slot = slotHash(low, high) >>> this.#shift;
    while (this.#counts[slot] !== 0 && (this.#lows[slot] !== low || this.#highs[slot] !== high)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}

function slotHash(low: number, high: number): number {
  const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77);
  return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae3d);
}

/** Puts all that is needed into as few bytes as are quickly read. */
export function packNgrams({ languages, ngrams, dictionary, separators }: NgramData): Uint8Array {
  const names = Buffer.from(Object.values(languages).join(" "));
  const texts = Object.keys(ngrams).filter((text) => text.length <= NGRAM_BYTES_MAX);
  const scores: number[] = [];
  const counts: number[] = [];
  for (const text of texts) {
    const from = scores.length;
    const known = ngrams[text] ?? {};
    for (const language in known) {
      scores.push(Number(language) | (((known[language] ?? 0) + BASE_SCORE) << 8));
    }
    counts.push(scores.length - from);
  }
  return Buffer.concat([
    bytesOf(Uint32Array.of(names.length, texts.length, scores.length)),
    names,
    Uint8Array.from(dictionary, (character) => character.charCodeAt(0)),
    lettersOf(separators),
    bytesOf(Uint16Array.from(scores)),
    bytesOf(Int32Array.from(texts, (text) => packed(text, 0, 4))),
    bytesOf(Uint16Array.from(texts, (text) => packed(text, 4, NGRAM_BYTES_MAX))),
    Uint8Array.from(counts),
  ]);
}

/** A bit for each character that separates nothing; apostrophes are no letters. */
function lettersOf(separators: RegExp): Uint8Array {
  const all = Uint16Array.from({ length: CHARACTERS }, (_, code) => code);
  const letters = new Uint8Array(MARKS_BYTES).fill(0xff);
  const clear = (code: number): void => {
    letters[code >>> 3] = (letters[code >>> 3] ?? 0) & ~(1 << (code & 7));
  };
  for (const { 0: run, index } of Buffer.from(all.buffer)
    .toString("utf16le")
    .matchAll(separators)) {
    for (let code = index; code < index + run.length; code += 1) clear(code);
  }
  APOSTROPHES.forEach(clear);
  return letters;
}

/** Characters `from` to `to`, the first one lowest. */
function packed(text: string, from: number, to: number): number {
  let all = 0;
  for (let at = from; at < to && at < text.length; at += 1) {
    all |= text.charCodeAt(at) << (8 * (at - from));
  }
  return all;
}

function bytesOf({ buffer }: Uint32Array | Uint16Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer);
}
