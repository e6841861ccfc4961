/** The headers of an answer that say something about its body, found in one pass. */
import type { Header } from "../../base/seams/index.ts";

export interface AnswerHeaders {
  /** The first one counts. */
  readonly contentType: string | undefined;
  /** The first one counts. */
  readonly contentLanguage: string;
  readonly robotsTags: readonly string[];
  readonly links: readonly string[];
}

const NONE: readonly string[] = [];

export function answerHeaders(headers: readonly Header[]): AnswerHeaders {
  let contentType: string | undefined;
  let contentLanguage = "";
  let robotsTags = NONE;
  let links = NONE;
  for (const [name, value] of headers) {
    // The length tells nearly all names apart; only the few others are made small letters.
    if (name.length === 12) {
      if (is(name, "content-type")) contentType ??= value;
      else if (is(name, "x-robots-tag")) robotsTags = [...robotsTags, value];
    } else if (name.length === 4 && is(name, "link")) links = [...links, value];
    else if (name.length === 16 && is(name, "content-language")) contentLanguage ||= value;
  }
  return { contentType, contentLanguage, robotsTags, links };
}

function is(name: string, lowerCase: string): boolean {
  return name === lowerCase || name.toLowerCase() === lowerCase;
}
