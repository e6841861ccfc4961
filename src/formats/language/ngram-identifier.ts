/**
 * Language identification by the n-grams of the package `eld`, which was the most accurate and the
 * fastest of those tried (docs/adr/0015-language-identification.md). Its smallest table is used:
 * the larger ones win one per cent on single sentences and nothing on pages.
 */

/**
 * Tells the language of a text. Synchronous, never throws, and takes a bounded amount of time
 * whatever the text. The tables take tens of megabytes: one identifier per thread is enough.
 */
export interface LanguageIdentifier {
  /** ISO 639-1 code, such as `en`; "" when the language cannot be told. */
  identify(text: string): string;
}

/** How much text is looked at: more makes no answer better and costs time on every page. */
const SAMPLE_LENGTH = 200;

/** A page begins with its menu; the sample is taken from after it if the text is long enough. */
const MENU_LENGTH = 400;

/**
 * Loads the tables, which takes about 160 ms of CPU and 30 MB; so it is done once, and only when
 * `parse.language` asks for it.
 */
export async function openLanguageIdentifier(): Promise<LanguageIdentifier> {
  const { eld } = await import("eld/extrasmall");
  return {
    identify(text) {
      const sample = sampleOf(text);
      return sample === "" ? "" : eld.detect(sample).language;
    },
  };
}

function sampleOf(text: string): string {
  const spare = Math.max(0, text.length - SAMPLE_LENGTH);
  const from = Math.min(MENU_LENGTH, spare);
  return text.slice(from, from + SAMPLE_LENGTH);
}
