/**
 * Made-up language for the first generator of page families: words of syllables, as frequent as
 * words are in natural text (Zipf), mixed from a common part and the part of a topic.
 */
import type { Random } from "../../../../src/base/seams/index.ts";

const ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh st t th tr v w".split(" ");
const NUCLEI = "a e i o u ai ea ee ie oa ou".split(" ");
const CODAS = ["", "", "", "n", "r", "s", "t", "l", "nd", "st", "ck", "m"];

/** Words that every text uses, the most frequent first. */
const COMMON_WORDS = 1500;
const TOPICS = 40;
const TOPIC_WORDS = 800;
/** How many words in a hundred are common ones; the rest belong to the topic. */
const COMMON_PERCENT = 65;

export class Words {
  readonly #common: readonly string[];
  readonly #topics: readonly (readonly string[])[];

  constructor(random: Random) {
    const seen = new Set<string>();
    const fresh = (syllablesMax: number): string => {
      for (;;) {
        const word = syllables(random, 1 + random.below(syllablesMax));
        if (seen.has(word)) continue;
        seen.add(word);
        return word;
      }
    };
    this.#common = Array.from({ length: COMMON_WORDS }, (_, rank) => fresh(rank < 100 ? 1 : 3));
    this.#topics = Array.from({ length: TOPICS }, () =>
      Array.from({ length: TOPIC_WORDS }, () => fresh(4)),
    );
  }

  drawTopic(random: Random): number {
    return random.below(TOPICS);
  }

  word(random: Random, topic: number): string {
    const isCommon = random.below(100) < COMMON_PERCENT;
    const words = isCommon ? this.#common : (this.#topics[topic] ?? this.#common);
    return words[zipf(random, words.length)] ?? "";
  }

  /** A word that means something: none of the most frequent. */
  topicWord(random: Random, topic: number): string {
    const words = this.#topics[topic] ?? this.#common;
    return words[random.below(words.length)] ?? "";
  }

  /** A phrase without a full stop: a menu entry, a headline, a teaser. */
  phrase(random: Random, topic: number, words: number): string {
    const text = Array.from({ length: words }, (_, index) =>
      index % 2 === 0 ? this.topicWord(random, topic) : this.word(random, topic),
    );
    return capitalized(text.join(" "));
  }

  /** Sentences of 6 to 24 words, about `words` words in all. */
  prose(random: Random, topic: number, words: number): string {
    const sentences: string[] = [];
    for (let left = words; left > 0; ) {
      const length = Math.min(left, 6 + random.below(19));
      const text = Array.from({ length }, () => this.word(random, topic)).join(" ");
      sentences.push(`${capitalized(text)}.`);
      left -= length;
    }
    return sentences.join(" ");
  }
}

function syllables(random: Random, count: number): string {
  const pick = (parts: readonly string[]): string => parts[random.below(parts.length)] ?? "";
  const one = (): string => pick(ONSETS) + pick(NUCLEI) + pick(CODAS);
  return Array.from({ length: count }, one).join("");
}

/** A rank below `count`, with a probability about proportional to 1 / (rank + 1). */
function zipf(random: Random, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random.unit()) - 1);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
