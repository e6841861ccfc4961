/**
 * Language identification by the n-grams of the package `eld`, which was the most accurate and the
 * fastest of those tried (docs/adr/0015-language-identification.md). Its smallest table is used: the
 * larger ones win one per cent on single sentences and nothing on pages.
 */
import type { IdentifiedLanguage, LanguageIdentifier } from "./language-identifier.ts";

/** As much text as is looked at: more makes no answer better and costs time on every page. */
const SAMPLE_LENGTH = 200;

/** The beginning of a page is its menu; the sample is taken from after it, where there is room. */
const MENU_LENGTH = 400;

const NO_LANGUAGE: IdentifiedLanguage = { language: "", isReliable: false };

/** The part of `eld` that is used. */
interface Detector {
  detect(text: string): { readonly language: string; isReliable(): boolean };
}

class NgramIdentifier implements LanguageIdentifier {
  readonly #detector: Detector;

  constructor(detector: Detector) {
    this.#detector = detector;
  }

  identify(text: string): IdentifiedLanguage {
    const sample = sampleOf(text);
    if (sample === "") return NO_LANGUAGE;
    const result = this.#detector.detect(sample);
    return { language: result.language, isReliable: result.isReliable() };
  }
}

function sampleOf(text: string): string {
  const spare = Math.max(0, text.length - SAMPLE_LENGTH);
  const from = Math.min(MENU_LENGTH, spare);
  return text.slice(from, from + SAMPLE_LENGTH);
}

/**
 * Loads the tables, which takes about 160 ms of CPU and 30 MB; so it is done once, and only when
 * `parse.language` asks for it.
 */
export async function openLanguageIdentifier(): Promise<LanguageIdentifier> {
  const { eld } = await import("eld/extrasmall");
  return new NgramIdentifier(eld);
}
