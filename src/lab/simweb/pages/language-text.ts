/** Made-up words and sentences of a language. */
import type { Chance } from "../model/chance.ts";
import type { Language } from "./languages.ts";

const COMMON_SHARE = 0.45;
const SYLLABLES_MAX = 3;
const WORDS_MAX = 300;

/** A common word, or a made-up one. */
export function word(language: Language, row: Chance): string {
  if (row.unit() < COMMON_SHARE) return row.pick(language.common);
  let text = "";
  for (let left = 1 + row.below(SYLLABLES_MAX); left > 0; left -= 1) {
    text += row.pick(language.onsets) + row.pick(language.nuclei);
  }
  return text + row.pick(language.codas);
}

export function phrase(language: Language, wordCount: number, row: Chance): string {
  return Array.from({ length: wordCount }, () => word(language, row)).join(language.space);
}

/** Sentences until they are at least this long in characters. */
export function sentences(language: Language, characters: number, row: Chance): string {
  let text = "";
  for (let left = WORDS_MAX; left > 0 && text.length < characters; left -= 1) {
    const sentence = phrase(language, 5 + row.below(12), row);
    text += sentence.charAt(0).toUpperCase() + sentence.slice(1) + language.stop;
  }
  return text.trimEnd();
}
