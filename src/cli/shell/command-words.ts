/**
 * The words and flags of a command that takes no configuration. All mistakes of the line are
 * thrown together; if words are missing, the usage of the command is shown.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { configError } from "../../rules/settings/index.ts";
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

/** Reads the line by the command's entry in the table; at least `wordsMin` words are needed. */
export function readWords(name: string, args: readonly string[], wordsMin: number): CommandWords {
  const { uses, words, mistakes } = parseCommandLine(args, flagsOf(name));
  if (mistakes.length > 0) throw configError(mistakes, 0);
  needWords(name, words, wordsMin);
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
