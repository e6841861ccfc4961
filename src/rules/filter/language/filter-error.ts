/**
 * All mistakes of one filter in one error. Each mistake has a place in the text, and the message
 * shows the line with a caret under it, so that a filter of many lines is repaired in one go.
 */
import { CrawlError } from "../../../base/errors/index.ts";

export interface FilterMistake {
  /** Offset into the text; undefined when no part of the text is to blame. */
  readonly at: number | undefined;
  /** What is wrong and what to write instead, as a sentence without its full stop. */
  readonly problem: string;
}

/** Parsing stops after this many mistakes: what follows is mostly caused by them. */
export const MISTAKES_MAX = 20;

export class FilterError extends CrawlError {
  readonly mistakes: readonly FilterMistake[];

  /** `subject` begins the message: "the `schedule` filter", "--exclude". */
  constructor(subject: string, text: string, mistakes: readonly FilterMistake[]) {
    const first = mistakes[0]?.at;
    const place = first === undefined ? undefined : placeOf(text, first);
    super("FILTER_INVALID", describe(subject, text, mistakes), {
      mistakes: mistakes.length,
      line: place?.line ?? null,
      column: place?.column ?? null,
    });
    this.mistakes = mistakes;
  }
}

function describe(subject: string, text: string, mistakes: readonly FilterMistake[]): string {
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  const shown = mistakes.map((mistake) => describeMistake(text, mistake));
  const more = mistakes.length >= MISTAKES_MAX ? ["  The rest was not checked."] : [];
  const heading = `${subject[0]?.toUpperCase() ?? ""}${subject.slice(1)} has ${count}:`;
  return [heading, ...shown, ...more].join("\n");
}

function describeMistake(text: string, mistake: FilterMistake): string {
  const problem = mistake.problem.slice(0, PROBLEM_LENGTH_MAX);
  const end = problem.length < mistake.problem.length ? "…" : problem.endsWith("?") ? "" : ".";
  const sentence = plain(problem) + end;
  if (mistake.at === undefined) return `  ${sentence}`;
  const place = placeOf(text, mistake.at);
  const where = text.includes("\n") ? `line ${place.line}, column ${place.column}` : "";
  const prefix = where === "" ? `column ${place.column}` : where;
  return `  ${prefix}: ${sentence}\n    ${place.excerpt}\n    ${place.caret}`;
}

interface Place {
  /** Both count from 1, the column in characters as a reader counts them. */
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
  readonly caret: string;
}

/** Problems quote what was written, which may be long. */
const PROBLEM_LENGTH_MAX = 400;

const EXCERPT_BEFORE = 60;
const EXCERPT_AFTER = 40;

function placeOf(text: string, at: number): Place {
  const lineStart = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", at);
  const lineEnd = newline === -1 ? text.length : newline;
  const from = Math.max(lineStart, at - EXCERPT_BEFORE);
  const to = Math.min(lineEnd, at + EXCERPT_AFTER);
  const before = (from > lineStart ? "…" : "") + plain(text.slice(from, at));
  const after = plain(text.slice(at, to)) + (to < lineEnd ? "…" : "");
  return {
    line: text.slice(0, lineStart).split("\n").length,
    column: [...text.slice(lineStart, at)].length + 1,
    excerpt: (before + after).trimEnd(),
    caret: `${" ".repeat([...before].length)}^`,
  };
}

/** Characters that would move the cursor are shown as a space: the caret stays in its column. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}]/gu, " ");
}
