/**
 * Reads a configuration from all its sources: flags over environment over files (a later file over
 * an earlier one) over defaults, key by key. Pure: bytes and variables are passed in, the result
 * is a value, and no input makes it throw.
 */
import {
  type ConfigMistake,
  type ConfigNote,
  type Location,
  MistakeList,
  readLayers,
} from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";
import { crossCheck } from "./cross-checks.ts";
import { type Environment, settingsOfEnvironment } from "./environment-source.ts";
import { type ConfigurationFile, settingsOfFile } from "./file-source.ts";
import { type Narrowing, readFilters } from "./filter-keys.ts";
import { type FlagSetting, settingsOfFlags } from "./flag-source.ts";
import { settingsOfOptions } from "./options-source.ts";
import type { SeedFile } from "./properties-settings.ts";
import { schemesOf } from "./schemes-of.ts";
import { checkSeedSchemes } from "./seed-schemes.ts";

export interface ConfigurationSources {
  readonly files?: readonly ConfigurationFile[];
  readonly environment?: Environment;
  /** In the order of the command line. */
  readonly flags?: readonly FlagSetting[];
  /** The tree of keys as an object of a program; it overrides all other sources. */
  readonly options?: object;
  /** `--include` and `--exclude`: they narrow `filters.schedule`, wherever that comes from. */
  readonly narrowing?: Narrowing;
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
      /** With defaults for what is wrong: for finding further mistakes, not for crawling. */
      readonly configuration: Configuration;
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
  const layers = [
    ...files.map(({ settings }) => ({ settings, lastWins: false })),
    { settings: variables, lastWins: true },
    { settings: flags, lastWins: true },
    { settings: settingsOfOptions(sources.options ?? {}, schema, mistakes), lastWins: true },
  ];
  const read = readLayers(layers, schema, mistakes);
  const values = new Map(read.values);
  const locations = new Map(read.locations);
  const schemes = schemesOf(schema.build(values));
  const given = layers.flatMap(({ settings }) => settings);
  if (!read.wrong.has("fetch.protocols")) checkSeedSchemes(given, schemes, mistakes);
  readFilters(values, locations, { narrowing: sources.narrowing, schemes, mistakes });
  const configuration = schema.build(values);
  crossCheck({ configuration, locations, wrong: read.wrong }, mistakes);
  if (!mistakes.isEmpty) {
    const { omitted } = mistakes;
    return { ok: false, configuration, mistakes: mistakes.sorted(), omitted, notes };
  }
  const seedFiles = files.flatMap((file) => file.seedFiles);
  return { ok: true, configuration, locations, notes, seedFiles };
}
