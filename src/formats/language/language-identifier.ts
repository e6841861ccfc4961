/** What the rest of the crawler knows of language identification. */

export interface IdentifiedLanguage {
  /** ISO 639-1 code, such as `en`; "" when no language could be told. */
  readonly language: string;
  /** False when the text was too short or too mixed to be sure. */
  readonly isReliable: boolean;
}

/**
 * Tells the language of a text. Synchronous, never throws, takes a bounded amount of time whatever
 * the text. Implementations may keep tables of tens of megabytes: one per thread is enough.
 */
export interface LanguageIdentifier {
  identify(text: string): IdentifiedLanguage;
}
