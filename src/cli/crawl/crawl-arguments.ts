/**
 * What the command line of a crawl says: the configuration that flags, environment and files give
 * together, and the choices that are not keys. Shared by every command that takes crawl's flags.
 */

import { pathToFileURL } from "node:url";
import { fileProblem, readFile } from "../../base/folder/index.ts";
import { type GivenSecrets, readSecrets } from "../../fetch/client/index.ts";
import {
  type Configuration,
  type ConfigurationFile,
  FILE_BYTES_MAX,
  type FlagSetting,
  readConfiguration,
} from "../../rules/config/index.ts";
import {
  type ConfigMistake,
  type ConfigNote,
  configError,
  type Location,
  mistakeOf,
} from "../../rules/settings/index.ts";
import { type CommandLine, parseCommandLine } from "../shell/arguments.ts";
import { flagsOf, needWords } from "../shell/command-words.ts";
import { COMMON_FLAGS, type Flag } from "../shell/flag-table.ts";
import { isFile } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";

export interface CrawlArguments {
  /** Null exactly when there are mistakes. */
  readonly configuration: Configuration | null;
  readonly locations: ReadonlyMap<string, Location>;
  readonly mistakes: readonly ConfigMistake[];
  /** How many more mistakes there are than are listed. */
  readonly omitted: number;
  readonly notes: readonly ConfigNote[];
  /** What is sent but not recorded. */
  readonly secrets: GivenSecrets;
  /** Files of seeds, `-` for standard input, not read yet. */
  readonly seedFiles: readonly string[];
  /** The arguments that are not flags, in order. */
  readonly words: readonly string[];
  /** Whether a flag was given. */
  has(long: string): boolean;
  /** What followed a flag, the last time it was given; null without. */
  text(long: string): string | null;
  /** What followed a flag, every time it was given. */
  texts(long: string): readonly string[];
}

export interface CrawlReading {
  readonly environment: Terminal["environment"];
  /** False for commands whose arguments are something else. */
  readonly wordsAreSeeds?: boolean;
}

export function readCrawlArguments(
  args: readonly string[],
  flags: readonly Flag[],
  { environment, wordsAreSeeds = true }: CrawlReading,
): CrawlArguments {
  const line = parseCommandLine(args, [...flags, ...COMMON_FLAGS]);
  const { files, mistakes: fileMistakes } = configurationFiles(line);
  const reading = readConfiguration({
    files,
    environment,
    flags: flagSettings(line, wordsAreSeeds),
    narrowing: { include: textsOf(line, "include"), exclude: textsOf(line, "exclude") },
  });
  const named = usesOf(line, "seeds").map(({ typed, text }) => ({
    path: text,
    location: { kind: "flag", flag: typed, ordinal: null } as const,
  }));
  const seedFiles = [...named, ...(reading.ok ? reading.seedFiles : [])];
  const secretMistakes: ConfigMistake[] = [];
  const location = reading.ok ? reading.locations.get("fetch.credentials") : undefined;
  const secrets = readSecrets(
    {
      ...{ configuration: reading.configuration, location, environment },
      cookieFiles: textsOf(line, "cookies"),
      cookieLocation: { kind: "flag", flag: "--cookies", ordinal: null },
    },
    secretMistakes,
  );
  const misplaced = wordsAreSeeds ? filesForSeeds(line.words) : [];
  const mistakes = [
    ...line.mistakes,
    ...fileMistakes,
    ...misplaced,
    ...seedFiles.flatMap(({ path, location }) => {
      const problem = path === "-" ? null : fileProblem(path);
      return problem === null ? [] : [unreadable(path, location, problem)];
    }),
    ...(reading.ok ? [] : reading.mistakes).filter(({ location: at }) => !isAbout(at, misplaced)),
    ...secretMistakes,
  ];
  return {
    configuration: reading.ok && mistakes.length === 0 ? reading.configuration : null,
    locations: reading.ok ? reading.locations : new Map(),
    mistakes,
    omitted: reading.ok ? 0 : reading.omitted,
    notes: reading.notes,
    secrets,
    seedFiles: seedFiles.map(({ path }) => path),
    words: line.words,
    has: (long) => line.uses.some(({ flag }) => flag.long === long),
    text: (long) => textsOf(line, long).at(-1) ?? null,
    texts: (long) => textsOf(line, long),
  };
}

/** The line of a command that takes flags of a crawl, and whose words are not seeds. */
export interface ConfiguredWords extends CrawlArguments {
  readonly configuration: Configuration;
}

/** Throws all mistakes together, or the usage where there are fewer than `wordsMin` words. */
export function readConfigured(
  name: string,
  args: readonly string[],
  { wordsMin, terminal }: { readonly wordsMin: number; readonly terminal: Terminal },
): ConfiguredWords {
  const { environment } = terminal;
  const given = readCrawlArguments(args, flagsOf(name), { environment, wordsAreSeeds: false });
  const { configuration, mistakes, omitted } = given;
  if (configuration === null) throw configError(mistakes, omitted);
  needWords(name, given.words, wordsMin);
  return { ...given, configuration };
}

/** `seeds.txt` could be a domain, but where there is such a file nobody means one. */
function filesForSeeds(words: readonly string[]): ConfigMistake[] {
  return words.flatMap((word, index): ConfigMistake[] => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(word) || !isFile(word)) return [];
    const problem =
      "is a file; read the seeds in it with --seeds, crawl the file itself as " +
      `${pathToFileURL(word).href}, or write https:// in front if a host is meant`;
    const location: Location = { kind: "argument", ordinal: index + 1 };
    return [mistakeOf({ code: "USAGE_BAD_ARGUMENT", location, value: word, problem })];
  });
}

function isAbout(location: Location, mistakes: readonly ConfigMistake[]): boolean {
  if (location.kind !== "argument") return false;
  const { ordinal } = location;
  return mistakes.some(
    (one) => one.location.kind === "argument" && one.location.ordinal === ordinal,
  );
}

function configurationFiles(line: CommandLine): {
  readonly files: readonly ConfigurationFile[];
  readonly mistakes: readonly ConfigMistake[];
} {
  const location: Location = { kind: "flag", flag: "--config", ordinal: null };
  const files: ConfigurationFile[] = [];
  const mistakes: ConfigMistake[] = [];
  for (const path of textsOf(line, "config")) {
    // One byte too many tells the reader of the configuration that the file is too large.
    const read = readFile(path, FILE_BYTES_MAX + 1);
    if (read.ok) files.push({ path, bytes: read.bytes });
    else mistakes.push(unreadable(path, location, read.problem));
  }
  return { files, mistakes };
}

function unreadable(path: string, location: Location, problem: string): ConfigMistake {
  return mistakeOf({ code: "CONFIG_FILE_UNREADABLE", location, value: path, problem });
}

/** In the order of the command line; the seeds among the arguments come last. */
function flagSettings({ uses, words }: CommandLine, wordsAreSeeds: boolean): FlagSetting[] {
  let assignments = 0;
  const headers = uses.flatMap(({ flag, text }) =>
    flag.long === "header" && text !== null ? [text] : [],
  );
  const settings = uses.flatMap(({ flag, typed, text }): FlagSetting[] => {
    if (flag.long === "set" && text !== null) {
      assignments += 1;
      return [{ kind: "assignment", ordinal: assignments, text }];
    }
    return (flag.sets ?? []).flatMap(({ key, text: fixed }) => {
      const given = fixed ?? text;
      return given === null ? [] : [{ kind: "value", flag: typed, key, text: given }];
    });
  });
  settings.push({ kind: "entries", flag: "--header", key: "fetch.headers", texts: headers });
  return wordsAreSeeds
    ? [...settings, { kind: "arguments", key: "seeds", texts: words }]
    : settings;
}

function textsOf(line: CommandLine, long: string): string[] {
  return usesOf(line, long).map(({ text }) => text);
}

function usesOf(
  { uses }: CommandLine,
  long: string,
): { readonly typed: string; readonly text: string }[] {
  return uses.flatMap(({ flag, typed, text }) =>
    flag.long === long && text !== null ? [{ typed, text }] : [],
  );
}
