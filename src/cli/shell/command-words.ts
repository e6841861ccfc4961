/**
 * The words and flags of a command that takes no configuration. All mistakes of the line are
 * thrown together; what a command lacks is told with its usage.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { configError } from "../../rules/settings/index.ts";
import { parseCommandLine } from "./arguments.ts";
import { COMMANDS } from "./command-table.ts";

export interface CommandWords {
  /** What is no flag, in order. */
  readonly words: readonly string[];
  /** The last value given to a flag, or null. */
  value(long: string): string | null;
  has(long: string): boolean;
}

/** Reads the line by the command's entry in the table; `wordsMin` are needed at least. */
export function readWords(name: string, args: readonly string[], wordsMin: number): CommandWords {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  const { uses, words, mistakes } = parseCommandLine(args, command?.flags ?? []);
  if (mistakes.length > 0) throw configError(mistakes, 0);
  if (words.length < wordsMin) {
    throw new CrawlError(
      "USAGE_BAD_ARGUMENT",
      `\`trobar ${name}\` needs more: trobar ${name} ${command?.usage ?? ""}\n` +
        `Example: ${command?.example ?? ""}`,
    );
  }
  return {
    words,
    value: (long) => uses.findLast(({ flag }) => flag.long === long)?.text ?? null,
    has: (long) => uses.some(({ flag }) => flag.long === long),
  };
}
