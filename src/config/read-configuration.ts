/**
 * Reads a configuration from all its sources: flags over environment over files (a later file over
 * an earlier one) over defaults, key by key. Pure: bytes and variables are passed in, the result
 * is a value, and no input makes it throw.
 */
import {
  type ConfigMistake,
  type ConfigNote,
  DEFAULT_LOCATION,
  type Location,
  MistakeList,
  readLayers,
} from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";
import { crossCheck } from "./cross-checks.ts";
import { type Environment, settingsOfEnvironment } from "./environment-source.ts";
import { type ConfigurationFile, settingsOfFile } from "./file-source.ts";
import { type FlagSetting, settingsOfFlags } from "./flag-source.ts";
import type { SeedFile } from "./properties-settings.ts";
import { type FilterLanguage, type Narrowing, narrowed } from "./schedule-filter.ts";

export interface ConfigurationSources {
  readonly files?: readonly ConfigurationFile[];
  readonly environment?: Environment;
  /** In the order of the command line. */
  readonly flags?: readonly FlagSetting[];
  /** `--include` and `--exclude`: they narrow `filters.schedule`, wherever that comes from. */
  readonly narrowing?: Narrowing;
  /** Checks the expressions of `filters`; without it they are kept as they are. */
  readonly filterLanguage?: FilterLanguage;
}

export type ConfigurationReading =
  | {
      readonly ok: true;
      readonly configuration: Configuration;
      /** Where the value of a key came from; keys that are not here have their default. */
      readonly locations: ReadonlyMap<string, Location>;
      readonly notes: readonly ConfigNote[];
      /** Files of seeds that a BUbiNG file names; they have not been read. */
      readonly seedFiles: readonly SeedFile[];
    }
  | {
      readonly ok: false;
      readonly mistakes: readonly ConfigMistake[];
      /** How many more mistakes there are than are listed. */
      readonly omitted: number;
      readonly notes: readonly ConfigNote[];
    };

export function readConfiguration(sources: ConfigurationSources): ConfigurationReading {
  const schema = CONFIGURATION_SCHEMA;
  const mistakes = new MistakeList();
  const files = (sources.files ?? []).map((file) => settingsOfFile(file, schema, mistakes));
  const notes = files.flatMap((file) => file.notes);
  const variables = settingsOfEnvironment(sources.environment ?? {}, schema, mistakes);
  const flags = settingsOfFlags(sources.flags ?? [], schema, mistakes);
  const read = readLayers(
    [
      ...files.map(({ settings }) => ({ settings, lastWins: false })),
      { settings: variables, lastWins: true },
      { settings: flags, lastWins: true },
    ],
    schema,
    mistakes,
  );
  const values = new Map(read.values);
  const locations = new Map(read.locations);
  narrowSchedule(values, locations, sources.narrowing);
  const configuration = schema.build(values);
  crossCheck({ configuration, locations, wrong: read.wrong }, mistakes);
  checkFilters(configuration, { locations, mistakes, language: sources.filterLanguage });
  if (!mistakes.isEmpty) {
    return { ok: false, mistakes: mistakes.sorted(), omitted: mistakes.omitted, notes };
  }
  const seedFiles = files.flatMap((file) => file.seedFiles);
  return { ok: true, configuration, locations, notes, seedFiles };
}

function narrowSchedule(
  values: Map<string, unknown>,
  locations: Map<string, Location>,
  narrowing: Narrowing | undefined,
): void {
  if (narrowing === undefined) return;
  const { include, exclude } = narrowing;
  if (include.length + exclude.length === 0) return;
  const key = "filters.schedule";
  const schedule = values.get(key);
  values.set(key, narrowed(typeof schedule === "string" ? schedule : null, narrowing));
  const flag = include.length > 0 ? "--include" : "--exclude";
  locations.set(key, { kind: "flag", flag, ordinal: null });
}

function checkFilters(
  { filters }: Configuration,
  checking: {
    readonly locations: ReadonlyMap<string, Location>;
    readonly mistakes: MistakeList;
    readonly language: FilterLanguage | undefined;
  },
): void {
  for (const [name, expression] of Object.entries(filters)) {
    const key = `filters.${name}`;
    const problem = expression === null ? null : (checking.language?.check(expression) ?? null);
    if (problem === null) continue;
    checking.mistakes.add(() => ({
      code: "CONFIG_BAD_VALUE",
      location: checking.locations.get(key) ?? DEFAULT_LOCATION,
      key,
      value: expression,
      problem,
    }));
  }
}
