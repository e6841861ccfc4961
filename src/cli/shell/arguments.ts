/**
 * Parses a command line by a table of flags. It never stops at a mistake: everything wrong is
 * collected, and what is right is returned beside it.
 */

import { nearestName } from "../../base/text/index.ts";
import { type ConfigMistake, MistakeList } from "../../rules/settings/index.ts";
import type { Flag } from "./flag-table.ts";
import { foreignFlag } from "./foreign-flags.ts";

export interface FlagUse {
  readonly flag: Flag;
  /** The flag as it was typed: `-n` or `--limit`. */
  readonly typed: string;
  /** What followed it; null for a flag that stands alone. */
  readonly text: string | null;
}

export interface CommandLine {
  readonly uses: readonly FlagUse[];
  /** The arguments that are not flags, in order. */
  readonly words: readonly string[];
  readonly mistakes: readonly ConfigMistake[];
}

export function parseCommandLine(args: readonly string[], flags: readonly Flag[]): CommandLine {
  const parser = new Parser(args, flags);
  while (parser.hasMore) parser.next();
  return parser.result();
}

class Parser {
  readonly #args: readonly string[];
  readonly #flags: readonly Flag[];
  readonly #mistakes = new MistakeList();
  readonly #uses: FlagUse[] = [];
  readonly #words: string[] = [];
  #index = 0;
  /** After `--` nothing is a flag any more. */
  #wordsOnly = false;

  constructor(args: readonly string[], flags: readonly Flag[]) {
    this.#args = args;
    this.#flags = flags;
  }

  get hasMore(): boolean {
    return this.#index < this.#args.length;
  }

  next(): void {
    const argument = this.#take();
    if (this.#wordsOnly || argument === "-" || !argument.startsWith("-"))
      this.#words.push(argument);
    else if (argument === "--") this.#wordsOnly = true;
    else if (argument.startsWith("--")) this.#long(argument);
    else this.#short(argument);
  }

  result(): CommandLine {
    return { uses: this.#uses, words: this.#words, mistakes: this.#mistakes.sorted() };
  }

  /** `--name`, `--name VALUE` or `--name=VALUE`. */
  #long(argument: string): void {
    const equals = argument.indexOf("=");
    const name = equals === -1 ? argument : argument.slice(0, equals);
    const attached = equals === -1 ? null : argument.slice(equals + 1);
    const flag = this.#flags.find(({ long }) => `--${long}` === name);
    if (flag === undefined) this.#unknown(name, attached !== null);
    else this.#use(flag, name, attached);
  }

  /** `-n 5`, `-n5` or several flags that stand alone, `-qh`. */
  #short(argument: string): void {
    for (let at = 1; at < argument.length; at += 1) {
      const letter = argument[at] ?? "";
      const flag = this.#flags.find(({ short }) => short === letter);
      if (flag === undefined) {
        this.#unknown(at === 1 ? argument : `-${letter}`);
        return;
      }
      const rest = argument.slice(at + 1);
      const takesRest = flag.value !== undefined && rest !== "";
      this.#use(flag, `-${letter}`, takesRest ? rest.replace(/^=/, "") : null);
      if (takesRest) return;
    }
  }

  #use(flag: Flag, shown: string, attached: string | null): void {
    if (flag.value === undefined) {
      if (attached === null) this.#uses.push({ flag, typed: shown, text: null });
      else this.#mistake(shown, "USAGE_BAD_FLAG_VALUE", "takes no value");
      return;
    }
    const text = attached ?? this.#following(flag);
    // An empty path would silently stand for the current directory.
    if (text === "" && /^(?:DIR|FILE)\b/.test(flag.value)) {
      this.#mistake(shown, "USAGE_BAD_FLAG_VALUE", `is empty; it needs ${flag.value}`);
      return;
    }
    if (text !== null || flag.valueOptional === true) this.#uses.push({ flag, typed: shown, text });
    else this.#mistake(shown, "USAGE_BAD_FLAG_VALUE", `needs ${flag.value} after it`);
  }

  /** The next argument, unless it is another flag; a negative number is not a flag. */
  #following(flag: Flag): string | null {
    const next = this.#args[this.#index];
    if (next === undefined) return null;
    if (flag.valueOptional === true) return /^\d+$/.test(next) ? this.#take() : null;
    const isFlag = next.startsWith("-") && next !== "-" && !/^-[\d.]/.test(next);
    return isFlag ? null : this.#take();
  }

  #take(): string {
    const argument = this.#args[this.#index] ?? "";
    this.#index += 1;
    return argument;
  }

  #unknown(name: string, attached = false): void {
    const names = this.#flags.flatMap(({ long, short }) =>
      short === undefined ? [`--${long}`] : [`--${long}`, `-${short}`],
    );
    // Compared without hyphens, so that `-limit` finds `--limit` and `--x` does not find all.
    const bare = new Map(names.map((one) => [one.replace(/^-+/, ""), one]));
    const nearest = nearestName(name.replace(/^-+/, ""), bare.keys());
    const suggestion = nearest === null ? null : (bare.get(nearest) ?? null);
    const foreign = foreignFlag(name);
    if (
      foreign !== null &&
      (foreign.instead === null || names.includes(firstWord(foreign.instead)))
    ) {
      const { problem = "is unknown", instead, hasValue } = foreign;
      this.#mistake(name, "USAGE_UNKNOWN_FLAG", problem, instead);
      if (hasValue && !attached) this.#skipValue();
      return;
    }
    this.#mistake(name, "USAGE_UNKNOWN_FLAG", "is unknown", suggestion);
    const meant = this.#flags.find(({ long, short }) => long === nearest || short === nearest);
    // What follows is the value of the flag that was meant, not an argument of its own.
    if (meant?.value !== undefined && !attached) this.#following(meant);
    else if (meant === undefined && !attached && this.#isBareValue()) this.#take();
  }

  #skipValue(): void {
    const next = this.#args[this.#index];
    if (next !== undefined && !next.startsWith("-")) this.#take();
  }

  /** Whether a number or a plain word follows: not a URL or a file, but the value of a flag. */
  #isBareValue(): boolean {
    const next = this.#args[this.#index] ?? "-";
    return /^(?:[\d.]+[a-z]*|[^-./:][^./:]*)$/i.test(next);
  }

  #mistake(
    flag: string,
    code: "USAGE_BAD_FLAG_VALUE" | "USAGE_UNKNOWN_FLAG",
    problem: string,
    nearest: string | null = null,
  ): void {
    const location = { kind: "flag", flag, ordinal: null } as const;
    this.#mistakes.add(() => ({ code, location, problem, nearest }));
  }
}

function firstWord(text: string): string {
  return text.split(" ", 1)[0] ?? "";
}
