/**
 * Topic words: links whose text or URL has words of the topic come first. A word in the text of the
 * link counts two, in the URL one; each word counts once in either.
 *
 * Words are compared whole and without regard to case: texts are cut at everything that is neither
 * letter nor digit, so a topic of several words is found where they follow one another.
 */
import type { Score, ScoredLink } from "./score.ts";

const ANCHOR_WEIGHT = 2;
const URL_WEIGHT = 1;
/** Only the beginning of a text is searched: it says what the text is about. */
const TEXT_LENGTH_MAX = 2000;

export class TopicWords implements Score {
  readonly #words: readonly string[];

  constructor(topic: readonly string[]) {
    const words = topic.map(cut).filter((word) => word.trim() !== "");
    this.#words = [...new Set(words)];
  }

  priorityOf({ anchor, href }: ScoredLink): number {
    const url = ESCAPE.test(href) ? cut(decoded(href)) : cut(href);
    return ANCHOR_WEIGHT * this.#count(cut(anchor)) + URL_WEIGHT * this.#count(url);
  }

  #count(text: string): number {
    let count = 0;
    for (const word of this.#words) if (text.includes(word)) count += 1;
    return count;
  }
}

/** The words of a text between single spaces, one at either end. */
function cut(text: string): string {
  const plain = text.slice(0, TEXT_LENGTH_MAX).normalize("NFC").toLowerCase();
  return ` ${plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `;
}

const ESCAPE = /%[0-9a-f]{2}/i;

/** A URL with its escapes undone where they are UTF-8. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
