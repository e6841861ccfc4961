/**
 * The arguments of an atom: what stands between its parentheses. Unquoted ones end at a comma or
 * at the closing parenthesis, are trimmed, and vanish when empty, as in BUbiNG; an atom that takes
 * *the whole* keeps the commas. An argument that begins with a quote ends with it and may contain
 * anything.
 */
import type { Argument } from "./expression.ts";
import type { FilterMistake } from "./filter-error.ts";
import { readQuoted } from "./lexer.ts";

export interface ReadArguments {
  readonly args: readonly Argument[];
  readonly mistakes: readonly FilterMistake[];
  /** Offset just after the closing parenthesis, or the end of the text where it is missing. */
  readonly end: number;
}

export function readArguments(text: string, open: number, isWhole: boolean): ReadArguments {
  const args: Argument[] = [];
  const mistakes: FilterMistake[] = [];
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== ")") {
    const read = readArgument(text, at, isWhole);
    if (read.arg !== undefined) args.push(read.arg);
    if (read.mistake !== undefined) mistakes.push(read.mistake);
    at = read.end;
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  const isClosed = at < text.length;
  if (!isClosed && mistakes.length === 0) {
    mistakes.push({ at: open, problem: "the arguments that begin here are never closed by a )" });
  }
  return { args, mistakes, end: isClosed ? at + 1 : at };
}

interface ReadArgument {
  readonly arg: Argument | undefined;
  readonly mistake?: FilterMistake;
  /** At a comma, at a closing parenthesis, or at the end of the text. */
  readonly end: number;
}

function readArgument(text: string, at: number, isWhole: boolean): ReadArgument {
  const isQuoted = text[at] === "'" || text[at] === '"';
  return isQuoted ? readQuotedArgument(text, at) : readPlainArgument(text, at, isWhole);
}

function readQuotedArgument(text: string, at: number): ReadArgument {
  const quoted = readQuoted(text, at);
  if (quoted === undefined) {
    const problem = "the quote that begins here is never closed";
    return { arg: undefined, mistake: { at, problem }, end: text.length };
  }
  const arg = { text: quoted.value, at };
  const after = skipSpace(text, quoted.end);
  if (after >= text.length || text[after] === "," || text[after] === ")") {
    return { arg, end: after };
  }
  const problem = "a comma or ) is expected after the closing quote";
  return { arg, mistake: { at: after, problem }, end: endOfPlain(text, after, false) };
}

function readPlainArgument(text: string, at: number, isWhole: boolean): ReadArgument {
  const end = endOfPlain(text, at, isWhole);
  const value = text.slice(at, end).trimEnd();
  const arg = value === "" ? undefined : { text: value, at };
  if (text[end] !== "(") return { arg, end };
  const problem = "an argument that contains ( must be in quotes, such as 'a(b)'";
  return { arg, mistake: { at: end, problem }, end: skipParenthesis(text, end) };
}

/** The first comma (unless it belongs to the whole) or parenthesis from `at` on. */
function endOfPlain(text: string, at: number, isWhole: boolean): number {
  const pattern = isWhole ? UP_TO_PARENTHESIS : UP_TO_COMMA;
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

const UP_TO_COMMA = /[^(),]*/y;
const UP_TO_PARENTHESIS = /[^()]*/y;

/** From a parenthesis that should not be there to the one that closes the arguments. */
function skipParenthesis(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && --depth < 0) return at;
  }
  return text.length;
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}

const SPACE = /\s*/y;
