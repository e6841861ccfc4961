/**
 * Regular expressions that are really lists of words. Most patterns that people write for a
 * crawler are of this shape: `login`, `^https://example\.org/`, `\.(jpg|png|gif)$`. They need no
 * automaton: a comparison of strings gives the same answer several times faster
 * (bench/regular-expression.ts).
 *
 * Only ASCII words, at most one group of alternatives, and anchors at the ends are recognised;
 * anything else is left to the engine. Both ways of matching are compared by a property test.
 */
import { SuffixSet } from "./suffix-set.ts";

interface LiteralShape {
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
  readonly words: readonly string[];
}

/** Words looked for anywhere in a text; with more of them the engine is as fast. */
const WORDS_ANYWHERE_MAX = 6;

const CHARACTER = String.raw`(?:[\w/:=&%#@;,<>"'~ -]|\\[^\w\s|])`;
const WORDS = `${CHARACTER}*(?:\\|${CHARACTER}*)*`;
const SHAPE = new RegExp(
  `^(\\^?)(${CHARACTER}*)(?:\\((?:\\?:)?(${WORDS})\\)(${CHARACTER}*))?(\\$?)$`,
);
/** A longer pattern is not a list of words that somebody typed. */
const PATTERN_LENGTH_MAX = 1000;

/** The test that a pattern stands for, or undefined when it is more than a list of words. */
export function literalTest(
  pattern: string,
  isFull: boolean,
): ((text: string) => boolean) | undefined {
  const shape = literalShape(pattern);
  if (shape === undefined) return undefined;
  return shapeTest({
    words: shape.words,
    isAtStart: isFull || shape.isAtStart,
    isAtEnd: isFull || shape.isAtEnd,
  });
}

function literalShape(pattern: string): LiteralShape | undefined {
  if (pattern.length > PATTERN_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(pattern)) return undefined;
  const match = SHAPE.exec(pattern);
  if (match === null) return undefined;
  const [, start, before = "", choices, after = "", end] = match;
  const words = choices === undefined ? [""] : choices.split("|");
  return {
    isAtStart: start === "^",
    isAtEnd: end === "$",
    words: words.map((word) => withoutEscapes(before + word + after)),
  };
}

function shapeTest(shape: LiteralShape): ((text: string) => boolean) | undefined {
  const { words, isAtStart, isAtEnd } = shape;
  const [word = ""] = words;
  if (words.includes("")) return undefined;
  if (isAtStart && isAtEnd) {
    const set = new Set(words);
    return (text) => set.has(text);
  }
  if (isAtEnd) {
    const suffixes = new SuffixSet(words, true);
    return (text) => suffixes.endsText(text);
  }
  if (words.length > WORDS_ANYWHERE_MAX) return undefined;
  if (isAtStart) return (text) => words.some((one) => text.startsWith(one));
  if (words.length === 1) return (text) => text.includes(word);
  return (text) => words.some((one) => text.includes(one));
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}
