/**
 * Regular expressions in time proportional to the text, whatever the pattern and whatever the
 * text: RE2's syntax on re2js, an automaton without backtracking. JavaScript's own `RegExp` is
 * never given a user's pattern: one `(a+)+$` and a long URL would stop a lane for good.
 * The choice is recorded in docs/adr/0012-regular-expressions.md.
 */
import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import { ArgumentMistake } from "./atom.ts";
import { literalTest } from "./literal-shape.ts";

const require = createRequire(import.meta.url);
/** Loaded for the first pattern. */
const re2 = (): typeof import("re2js") => require("re2js");

export interface PatternOptions {
  /** Whether the pattern must match the whole text, not only some part of it. */
  readonly isFull: boolean;
  /**
   * The most instructions that a compiled pattern may have. A character costs at most that many
   * steps, so this bounds the time for a text of known length.
   */
  readonly instructionsMax?: number;
}

const INSTRUCTIONS_MAX = 4096;
const PATTERN_LENGTH_MAX = 8192;

/** Throws an `ArgumentMistake` that says why a pattern cannot be used. */
export function linearPattern(pattern: string, options: PatternOptions): (text: string) => boolean {
  if (pattern.length > PATTERN_LENGTH_MAX) {
    throw new ArgumentMistake(
      `a regular expression may have ${PATTERN_LENGTH_MAX} characters, not ${pattern.length}`,
    );
  }
  const compiled = compile(pattern);
  const instructionsMax = options.instructionsMax ?? INSTRUCTIONS_MAX;
  const instructions = compiled.programSize();
  if (instructions > instructionsMax) {
    throw new ArgumentMistake(
      `this regular expression is too large (${instructions} instructions of ${instructionsMax}): ` +
        "write smaller repetitions, or several atoms with `or`",
    );
  }
  const literal = literalTest(pattern, options.isFull);
  if (literal !== undefined) return literal;
  return options.isFull ? (text) => compiled.testExact(text) : (text) => compiled.test(text);
}

function compile(pattern: string): RE2JS {
  try {
    return re2().RE2JS.compile(pattern);
  } catch (error) {
    throw new ArgumentMistake(explain(pattern, error instanceof Error ? error.message : ""));
  }
}

/** What linear time excludes, by the message of the engine. */
const REFUSED: readonly { readonly sign: RegExp; readonly what: string }[] = [
  { sign: /`\(\?<?[=!]/, what: "lookahead and lookbehind are" },
  { sign: /`\\(?:[0-9]|k)/, what: "a reference to an earlier group is" },
  { sign: /`\(\?>|`[*+?}]\+`/, what: "atomic groups and possessive repetitions are" },
];

function explain(pattern: string, complaint: string): string {
  const refused = REFUSED.find((one) => one.sign.test(complaint));
  if (refused !== undefined) {
    return (
      `${refused.what} not available, because regular expressions here take linear time; ` +
      "use several atoms and `and`, `or`, `not`"
    );
  }
  const reason = complaint.replace("error parsing regexp: ", "").slice(0, 100);
  return `the regular expression "${pattern.slice(0, 60)}" is not understood: ${reason}`;
}
