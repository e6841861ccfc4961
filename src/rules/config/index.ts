/**
 * Configuration of a crawl: one schema, several sources, every mistake at once.
 *
 * `configuration-schema.ts` declares every key with its type, default, legal values and meaning,
 * as data (see `src/rules/settings`). Everything else is derived from it:
 *
 * 1. A *source* (YAML or `key=value` file, environment, command line) turns what a user wrote into
 *    settings: a dotted key, the text that was given, and its location. Files written for BUbiNG are
 *    understood; names without a counterpart are noted.
 * 2. Each key is looked up in the schema and its type reads the text. What is wrong becomes a
 *    mistake with its location; nothing is thrown, nothing stops at the first one.
 * 3. Layers override one another key by key: flags over environment over files over defaults.
 * 4. `cross-checks.ts` looks at keys that must fit together.
 * 5. The result is a frozen `Configuration`, with the location from which each value came.
 *
 * `writeConfiguration` prints a configuration so that it reads back equal; `goOnWith` and
 * `joinWith` fit one to a crawl or cluster that exists.
 *
 * Words of this module:
 * - *fixed key*: one that keeps its value for the life of a crawl
 * - *shared key*: one whose value is the same for all agents; others are local
 * - *note*: something worth saying about a source that is not a mistake
 *
 * Read `read-configuration.ts` first, then one of the files of keys, such as `crawl-keys.ts`.
 */

export {
  continueWith,
  differingKeys,
  type GivenConfiguration,
  givenAgain,
  joinWith,
} from "./adopt.ts";
export { BUBING_REMARKS, BUBING_WITHOUT_KEY } from "./bubing-names.ts";
export type { Configuration } from "./configuration.ts";
export { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";
export { fileWord, HOST_DEPTH_MAX, PAIRED_DEPTH_MAX } from "./crawl-keys.ts";
export { crossChecked } from "./cross-checks.ts";
export { OTHER_VARIABLES, variableName } from "./environment-source.ts";
export { PARSERS } from "./fetch-keys.ts";
export { type ConfigurationFile, FILE_BYTES_MAX } from "./file-source.ts";
export type { FlagSetting } from "./flag-source.ts";
export { goOnWith } from "./go-on-with.ts";
export {
  type ConfigurationReading,
  type ConfigurationSources,
  readConfiguration,
} from "./read-configuration.ts";
export { schemesOf } from "./schemes-of.ts";
export { writeConfiguration } from "./write-configuration.ts";
