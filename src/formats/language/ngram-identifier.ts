/**
 * Language identification by the n-grams of the package `eld`, which was the most accurate and the
 * fastest of those tried (docs/adr/0015-language-identification.md). Its smallest table is used:
 * the larger ones win one per cent on single sentences and nothing on pages.
 *
 * The answers are those of the package. Its own functions, with tables of objects and strings for n-grams,
 * take ten times as long, which was a tenth of what a page costs.
 */
import { APOSTROPHES, NgramTable } from "./ngram-table.ts";

/**
 * Tells the language of a text. Synchronous, never throws, and takes a bounded amount of time
 * whatever the text. One identifier per thread is enough.
 */
export interface LanguageIdentifier {
  /** ISO 639-1 code, such as `en`; "" when the language cannot be told. */
  identify(text: string): string;
}

/** How much text is looked at: more makes no answer better and costs time on every page. */
const SAMPLE_LENGTH = 200;

/** A page begins with its menu; the sample is taken from after it if the text is long enough. */
const MENU_LENGTH = 400;

/** The text ends with the word in which it passes the first of these lengths, or with the character that passes the second. */
const TEXT_BYTES = 350;
const TEXT_BYTES_MAX = 380;

/** Of a longer word only so many bytes are looked at. */
const WORD_BYTES = 70;
/** N-grams have four bytes and share one with the next; those at the ends of a word have a space besides. */
const NGRAM_BYTES = 4;
const STRIDE = 3;

/** No text has more n-grams than bytes; a power of two. */
const SEEN_SLOTS = 1024;
const LANGUAGES_MAX = 256;
const SPACE = 0x20;

/** Loads the tables, which take 1.5 MB, and some milliseconds; only when `parse.language` asks for it. */
export async function openLanguageIdentifier(): Promise<LanguageIdentifier> {
  const { PACKED_NGRAMS } = await import("./packed-ngrams.ts");
  return new NgramIdentifier(new NgramTable(PACKED_NGRAMS));
}

class NgramIdentifier implements LanguageIdentifier {
  readonly #table: NgramTable;
  readonly #sums = new Int32Array(LANGUAGES_MAX);
  /** The word that is being read. Characters may pass the limit of a text by three bytes. */
  readonly #word = new Uint8Array(TEXT_BYTES_MAX + 4);
  #length = 0;
  /** The n-grams of this text, each of which counts once. */
  readonly #seenLows = new Int32Array(SEEN_SLOTS);
  readonly #seenHighs = new Int32Array(SEEN_SLOTS);
  /** In which text a slot was used. */
  readonly #seenIn = new Uint32Array(SEEN_SLOTS);
  #textNow = 0;

  constructor(table: NgramTable) {
    this.#table = table;
  }

  identify(text: string): string {
    this.#textNow += 1;
    this.#sums.fill(0);
    this.#readWords(this.#normalized(sampleOf(text)));
    return this.#best();
  }

  /**
   * Small letters, words with a space between them. Apostrophes count as letters where one follows, as in
   * `l'hiver`, or another apostrophe.
   */
  #normalized(sample: string): string {
    let normal = "";
    let isBetween = true;
    for (let at = 0; at < sample.length; ) {
      const from = at;
      while (at < sample.length && this.#table.isLetter(sample.charCodeAt(at))) at += 1;
      if (at > from) {
        normal += sample.slice(from, at);
        isBetween = false;
      }
      let [to, end] = [at, at];
      for (; to < sample.length && !this.#table.isLetter(sample.charCodeAt(to)); to += 1) {
        if (!APOSTROPHES.has(sample.charCodeAt(to))) end = to + 1;
      }
      if (end > at && !isBetween) normal += " ";
      normal += sample.slice(end, to);
      isBetween = isBetween && to === end;
      at = to;
    }
    return normal.toLowerCase();
  }

  #readWords(text: string): void {
    const word = this.#word;
    const { dictionary } = this.#table;
    let bytes = 0;
    this.#length = 0;
    for (let at = 0; at < text.length && bytes <= TEXT_BYTES_MAX; at += 1) {
      const code = text.charCodeAt(at);
      if (code === SPACE) {
        this.#endWord();
        if (bytes > TEXT_BYTES) return;
        bytes += 1;
      } else if (code < 0x80) {
        word[this.#length] = code;
        this.#length += 1;
        bytes += 1;
      } else {
        // There are no surrogates: letters beyond the first plane are none to the table.
        if (code < 0x800) word[this.#length] = dictionary[0xc0 | (code >> 6)] ?? 0;
        else {
          word[this.#length] = dictionary[0xe0 | (code >> 12)] ?? 0;
          this.#length += 1;
          word[this.#length] = dictionary[0x80 | ((code >> 6) & 0x3f)] ?? 0;
        }
        word[this.#length + 1] = dictionary[0x80 | (code & 0x3f)] ?? 0;
        this.#length += 2;
        bytes += code < 0x800 ? 2 : 3;
      }
    }
    this.#endWord();
  }

  #endWord(): void {
    const length = this.#length;
    this.#length = 0;
    if (length === 0) return;
    const looked = Math.min(length, WORD_BYTES);
    let at = 0;
    for (; at + NGRAM_BYTES < looked; at += STRIDE)
      this.#look(at, at + NGRAM_BYTES, at === 0, false);
    // Nothing is known of the end of a longer word.
    if (length > WORD_BYTES) return;
    this.#look(length === 3 ? 0 : Math.max(0, length - NGRAM_BYTES), length, at === 0, true);
  }

  /** An n-gram of the word, with a space before and after it. */
  #look(from: number, to: number, isFirst: boolean, isLast: boolean): void {
    let [low, high, count] = isFirst ? [SPACE, 0, 1] : [0, 0, 0];
    for (let at = from; at < to; at += 1) {
      const byte = this.#word[at] ?? 0;
      if (count < 4) low |= byte << (8 * count);
      else high |= byte << (8 * (count - 4));
      count += 1;
    }
    if (isLast && count < 4) low |= SPACE << (8 * count);
    else if (isLast) high |= SPACE << (8 * (count - 4));
    if (this.#isNew(low, high)) this.#table.addScores(low, high, this.#sums);
  }

  /** The same n-gram may count only once. */
  #isNew(low: number, high: number): boolean {
    const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77);
    let slot = (mixed ^ (mixed >>> 15)) & (SEEN_SLOTS - 1);
    for (; this.#seenIn[slot] === this.#textNow; slot = (slot + 1) & (SEEN_SLOTS - 1)) {
      if (this.#seenLows[slot] === low && this.#seenHighs[slot] === high) return false;
    }
    this.#seenIn[slot] = this.#textNow;
    this.#seenLows[slot] = low;
    this.#seenHighs[slot] = high;
    return true;
  }

  #best(): string {
    const { languages } = this.#table;
    let [best, most] = ["", 0];
    for (let language = 0; language < languages.length; language += 1) {
      const sum = this.#sums[language] ?? 0;
      if (sum > most) [best, most] = [languages[language] ?? "", sum];
    }
    return best;
  }
}

function sampleOf(text: string): string {
  const spare = Math.max(0, text.length - SAMPLE_LENGTH);
  const from = Math.min(MENU_LENGTH, spare);
  return text.slice(from, from + SAMPLE_LENGTH);
}
