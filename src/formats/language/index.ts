/**
 * Language: which language a page is written in.
 *
 * `openLanguageIdentifier` loads an identifier that compares the n-grams of a sample of the text
 * with tables of sixty languages. The `lang` attribute of a page is what its author says and is
 * kept separately; it is often wrong, because templates carry it along.
 *
 * Read `ngram-identifier.ts`.
 */
export { type LanguageIdentifier, openLanguageIdentifier } from "./ngram-identifier.ts";
