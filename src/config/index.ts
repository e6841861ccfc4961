/**
 * Configuration: one schema, several sources, every mistake at once.
 *
 * `configuration-schema.ts` declares every key with its type, default, legal values and meaning,
 * as data. Everything else goes by it:
 *
 * 1. A *source* (YAML, `key=value` file, environment, command line) turns what a user wrote into
 *    settings: a dotted key, the text that was given, and its place. No source builds objects from
 *    user keys, so a key such as `__proto__` is only an unknown key.
 * 2. `settings.ts` looks each key up in the schema and lets its type read the text. What is wrong
 *    becomes a `ConfigMistake` with its place; nothing is thrown, nothing stops at the first one.
 * 3. Layers go over one another key by key: flags over environment over files over defaults.
 * 4. `cross-checks.ts` looks at keys that must fit together.
 * 5. The result is a frozen `Configuration`, with the place from which each value came.
 *
 * `writeConfiguration` prints a configuration so that it reads back equal; `continueWith` and
 * `joinWith` fit one to a crawl or cluster that exists. Another module declares settings of its own
 * with the same pieces: `new Schema({ batch: key(count({ min: 1 }), { default: 100, … }) })`.
 *
 * Read `schema.ts` first, then `read-configuration.ts`.
 */
export { continueWith, differingKeys, joinWith } from "./adopt.ts";
export { BUBING_REMARKS, BUBING_WITHOUT_KEY } from "./bubing-names.ts";
export type { Configuration } from "./configuration.ts";
export { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";
export { OTHER_VARIABLES, variableName } from "./environment-source.ts";
export { type ConfigurationFile, FILE_BYTES_MAX } from "./file-source.ts";
export type { FlagSetting } from "./flag-source.ts";
export { describePlace, type Place } from "./given.ts";
export {
  type ConfigMistake,
  type ConfigNote,
  configError,
  renderMistakes,
} from "./mistake.ts";
export {
  type ConfigurationReading,
  type ConfigurationSources,
  readConfiguration,
} from "./read-configuration.ts";
export type { FilterLanguage } from "./schedule-filter.ts";
export { type Key, key, Schema, type SchemaKey } from "./schema.ts";
export { describeShape, type Shape, shapeName, shapeUnit } from "./shape.ts";
export { writeConfiguration } from "./write-configuration.ts";
