/**
 * Language: which language a page is written in.
 *
 * `LanguageIdentifier` is the contract; `openLanguageIdentifier` loads the one implementation, which
 * compares the n-grams of a sample of the text with tables of sixty languages. The `lang` attribute
 * of a page is the author's word and is kept beside it by whoever stores the page; it is often
 * wrong, because templates carry it along.
 *
 * Read `language-identifier.ts` first.
 */
export type { LanguageIdentifier } from "./language-identifier.ts";
export { openLanguageIdentifier } from "./ngram-identifier.ts";
