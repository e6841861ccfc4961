/**
 * Settings: how any part of the program declares what can be set, and reads it from what people
 * write. The crawl's configuration is one use of it; the settings of a unit are another.
 *
 * A `Schema` lists keys, each with a type, a default and a meaning, as data. Types are combined
 * from small ones: `key(value.duration({ min: 0 }), { default: 50, meaning: "…" })`. A source turns
 * what somebody wrote into `Given` values with their locations (`read-yaml.ts` for YAML); a tree of
 * them is flattened and read key by key (`read-settings.ts`). Mistakes go into a `MistakeList`,
 * each with its location, and nothing is thrown, so that one run shows all of them.
 *
 * Names that users write never become property names of objects, so a key such as `__proto__` is
 * an unknown key and nothing else.
 *
 * Words of this module:
 * - *source*: where settings come from: a file, the environment, the command line
 * - *given*: what a source said, as text with its location, before the schema is consulted
 * - *shape*: the description of a type as data: kind, bounds, choices
 *
 * Read `schema.ts` first, then `value-type.ts`.
 */
export {
  describeLocation,
  flatScalar,
  type GivenScalar,
  type GivenTree,
  isNull,
  type Location,
  type Setting,
} from "./given.ts";
export {
  type ConfigMistake,
  type ConfigNote,
  configError,
  MistakeList,
  mistakeOf,
  renderMistakes,
} from "./mistake.ts";
export { addUnknownKey, readLayers, settingsOfTree } from "./read-settings.ts";
export { readYaml } from "./read-yaml.ts";
export {
  KeyDefinition,
  key,
  Schema,
  type SchemaKey,
  type SchemaTree,
} from "./schema.ts";
export { describeShape, type Shape, shapeUnit } from "./shape.ts";
export { map, type Pair, record } from "./tree-type.ts";
export type { ValueType } from "./value-type.ts";
export * as value from "./value-type.ts";
