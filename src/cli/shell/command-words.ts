/**
 * The words and flags of a command that takes no configuration. All mistakes of the line are
 * thrown together; if words are missing, the usage of the command is shown.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { nearestName, quoted } from "../../base/text/index.ts";
import {
  type ConfigMistake,
  configError,
  type Location,
  mistakeOf,
} from "../../rules/settings/index.ts";
import { parseCommandLine } from "./arguments.ts";
import { COMMANDS } from "./command-table.ts";
import type { Flag } from "./flag-table.ts";

export interface CommandWords {
  /** The arguments that are not flags, in order. */
  readonly words: readonly string[];
  /** The last value given to a flag, or null. */
  value(long: string): string | null;
  /** All values given to a flag that is repeatable. */
  values(long: string): readonly string[];
  has(long: string): boolean;
}

/**
 * Reads the line by the command's entry in the table; at least `wordsMin` words are needed, and at most
 * `wordsMax` are taken.
 */
export function readWords(
  name: string,
  args: readonly string[],
  wordsMin: number,
  wordsMax: number = Number.POSITIVE_INFINITY,
): CommandWords {
  const { uses, words, mistakes } = parseCommandLine(args, flagsOf(name));
  if (mistakes.length > 0) {
    throw configError([...mistakes, ...mistakenWords(name, words, [wordsMin, wordsMax])], 0);
  }
  needWords(name, words, wordsMin);
  takeWords(name, words, wordsMax);
  return {
    words,
    value: (long) => uses.findLast(({ flag }) => flag.long === long)?.text ?? null,
    values: (long) =>
      uses.flatMap(({ flag, text }) => (flag.long === long && text !== null ? [text] : [])),
    has: (long) => uses.some(({ flag }) => flag.long === long),
  };
}

export function flagsOf(name: string): readonly Flag[] {
  return COMMANDS.find((command) => command.name === name)?.flags ?? [];
}

/** What else is wrong with a line whose flags have mistakes. */
function mistakenWords(
  name: string,
  words: readonly string[],
  [least, most]: readonly [number, number],
): readonly ConfigMistake[] {
  const code = "USAGE_BAD_ARGUMENT";
  const more = words.slice(most).map((word, at) => {
    const location: Location = { kind: "argument", ordinal: most + at + 1 };
    return mistakeOf({ code, location, problem: superfluous(name, word, most) });
  });
  if (words.length >= least) return more;
  const location: Location = { kind: "argument", ordinal: words.length + 1 };
  return [mistakeOf({ code, location, problem: `is missing: trobar ${name} ${usageOf(name)}` })];
}

/** Throws for words beyond those that a command takes. */
export function takeWords(name: string, words: readonly string[], wordsMax: number): void {
  const [word, ...further] = words.slice(wordsMax);
  if (word === undefined) return;
  // If the first may be a command, the others belong to that.
  if (further.length > 0 && meantBy(name, word) === null) {
    throw configError(mistakenWords(name, words, [0, wordsMax]), 0);
  }
  throw new CrawlError("USAGE_BAD_ARGUMENT", `${superfluous(name, word, wordsMax)}.`);
}

function superfluous(name: string, word: string, wordsMax: number): string {
  if (wordsMax > 0) {
    const [what = ""] = usageOf(name).split(" ");
    return `${quoted(word)} is too much: one ${what.toLowerCase()} at a time`;
  }
  const nearest = meantBy(name, word);
  const meant =
    nearest === null
      ? "name a crawl directory with -o DIR"
      : `perhaps \`trobar ${name} ${nearest}\` is meant`;
  return `\`trobar ${name}\` takes no ${quoted(word)}; ${meant}`;
}

/** The further command that a word may be meant for; null if there is none like it. */
function meantBy(name: string, word: string): string | null {
  const further = COMMANDS.filter((command) => command.name.startsWith(`${name} `));
  return nearestName(
    word,
    further.map((command) => command.name.slice(name.length + 1)),
  );
}

function usageOf(name: string): string {
  return COMMANDS.find((command) => command.name === name)?.usage ?? "";
}

/** Throws the usage of a command that was given fewer words than it needs. */
export function needWords(name: string, words: readonly string[], wordsMin: number): void {
  if (words.length >= wordsMin) return;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  throw new CrawlError(
    "USAGE_BAD_ARGUMENT",
    `\`trobar ${name}\` needs more: trobar ${name} ${command?.usage ?? ""}\n` +
      `Example: ${command?.example ?? ""}`,
  );
}
