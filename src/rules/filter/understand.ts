/**
 * The flags `--include` and `--exclude` take a filter or a glob on the URL. It is a filter when it
 * has a word of the filter language in it: when it begins as every filter does (an atom with its
 * parenthesis, a constant, after any `not` and opening parentheses), or when one of the words
 * `and`, `or`, `not` or the name of an atom stands between blanks. Anything else is a glob: a URL
 * holds no blanks, and its signs (`&`, `~`, `!`, parentheses) are not words.
 */
import { BUILT_IN_ATOMS } from "./atoms/atoms.ts";
import { globExpression, globProblem } from "./glob-flag.ts";
import { keywordOf, skipBlanks, tokenAt } from "./language/lexer.ts";

export interface Understood {
  readonly as: "expression" | "glob";
  /** The text as a filter expression: a glob becomes `URLGlob(…)`. */
  readonly expression: string;
  /** Why a glob can match no URL, as a clause that follows it; null if it can. */
  readonly problem: string | null;
}

/** `schemes` are fetched besides those that are built in. */
export function understand(text: string, schemes?: ReadonlySet<string>): Understood {
  const isExpression = beginsLikeExpression(text) || hasWord(text) || text.trim() === "";
  if (isExpression) return { as: "expression", expression: text, problem: null };
  const glob = text.trim();
  return { as: "glob", expression: globExpression(glob), problem: globProblem(glob, schemes) };
}

function beginsLikeExpression(text: string): boolean {
  let token = tokenAt(text, 0);
  while (token.kind === "open" || token.kind === "not") token = tokenAt(text, token.end);
  if (token.kind === "true" || token.kind === "false") return isAlone(text, token.end);
  if (token.kind !== "word") return false;
  // The name of a host or a path may be followed by a parenthesis; such a word has other signs.
  const isName = token.module !== undefined || /^[A-Za-z0-9_.$]+$/.test(token.text);
  return isName && text[skipBlanks(text, token.end)] === "(";
}

/** Whether a constant ends the text or is followed by a blank, a sign or a parenthesis. */
function isAlone(text: string, end: number): boolean {
  return end === text.length || /[\s()&|∧∨]/.test(text.charAt(end));
}

function hasWord(text: string): boolean {
  return text
    .split(/\s+/)
    .some((word) => BUILT_IN_ATOMS.has(word) || keywordOf(word) !== undefined);
}
