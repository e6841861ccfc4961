/**
 * What the command line of a crawl says: the configuration that flags, environment and files give
 * together, and the choices that are no keys. Shared by every command that takes crawl's flags.
 */
import {
  type Configuration,
  type ConfigurationFile,
  type FlagSetting,
  readConfiguration,
} from "../config/index.ts";
import {
  type ConfigMistake,
  type ConfigNote,
  configError,
  type Location,
} from "../settings/index.ts";
import { type CommandLine, type FlagUse, parseCommandLine } from "./arguments.ts";
import { COMMON_FLAGS, type Flag } from "./flag-table.ts";
import { readConfigurationFile, seedFileMistake } from "./named-files.ts";
import type { Terminal } from "./terminal.ts";

export interface CrawlArguments {
  /** Null exactly when there are mistakes. */
  readonly configuration: Configuration | null;
  readonly locations: ReadonlyMap<string, Location>;
  readonly mistakes: readonly ConfigMistake[];
  /** How many more mistakes there are than are listed. */
  readonly omitted: number;
  readonly notes: readonly ConfigNote[];
  /** Files of seeds, `-` for standard input, not read yet. */
  readonly seedFiles: readonly string[];
  /** Whether a flag was given. */
  has(long: string): boolean;
  /** What followed a flag, the last time it was given; null without. */
  text(long: string): string | null;
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
  const seedLocation: Location = { kind: "flag", flag: "--seeds", ordinal: null };
  const named = textsOf(line, "seeds").map((path) => ({ path, location: seedLocation }));
  const seedFiles = [...named, ...(reading.ok ? reading.seedFiles : [])];
  const mistakes = [
    ...line.mistakes,
    ...fileMistakes,
    ...seedFiles.flatMap(({ path, location }) => seedFileMistake(path, location) ?? []),
    ...(reading.ok ? [] : reading.mistakes),
  ];
  return {
    configuration: reading.ok && mistakes.length === 0 ? reading.configuration : null,
    locations: reading.ok ? reading.locations : new Map(),
    mistakes,
    omitted: reading.ok ? 0 : reading.omitted,
    notes: reading.notes,
    seedFiles: seedFiles.map(({ path }) => path),
    has: (long) => line.uses.some(({ flag }) => flag.long === long),
    text: (long) => textsOf(line, long).at(-1) ?? null,
  };
}

/** The same for a command whose arguments are no seeds; mistakes are thrown, all together. */
export function readConfigured(
  args: readonly string[],
  flags: readonly Flag[],
  { environment }: Terminal,
): { readonly configuration: Configuration } & Pick<CrawlArguments, "locations"> {
  const given = readCrawlArguments(args, flags, { environment, wordsAreSeeds: false });
  const { configuration, locations, mistakes, omitted } = given;
  if (configuration === null) throw configError(mistakes, omitted);
  return { configuration, locations };
}

function configurationFiles(line: CommandLine): {
  readonly files: readonly ConfigurationFile[];
  readonly mistakes: readonly ConfigMistake[];
} {
  const read = textsOf(line, "config").map(readConfigurationFile);
  return {
    files: read.flatMap((one) => (one.ok ? [one.file] : [])),
    mistakes: read.flatMap((one) => (one.ok ? [] : [one.mistake])),
  };
}

/** In the order of the command line; the seeds among the arguments come last. */
function flagSettings({ uses, words }: CommandLine, wordsAreSeeds: boolean): FlagSetting[] {
  let assignments = 0;
  const settings = uses.flatMap(({ flag, text }): FlagSetting[] => {
    if (flag.long === "set" && text !== null) {
      assignments += 1;
      return [{ kind: "assignment", ordinal: assignments, text }];
    }
    return (flag.sets ?? []).flatMap(({ key, text: fixed }) => {
      const given = fixed ?? text;
      return given === null ? [] : [{ kind: "value", flag: `--${flag.long}`, key, text: given }];
    });
  });
  return wordsAreSeeds
    ? [...settings, { kind: "arguments", key: "seeds", texts: words }]
    : settings;
}

function textsOf({ uses }: CommandLine, long: string): string[] {
  return uses.flatMap((use: FlagUse) =>
    use.flag.long === long && use.text !== null ? [use.text] : [],
  );
}
