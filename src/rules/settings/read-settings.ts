/**
 * From what sources gave to values: trees are flattened to dotted keys, each key is looked up in
 * the schema, its type reads the value, and a later layer overrides an earlier one key by key. A
 * value that a later layer replaces is read too, so that its mistakes are reported.
 */
import {
  describeLocation,
  type GivenTree,
  givenText,
  isNull,
  type Location,
  type Setting,
} from "./given.ts";
import type { MistakeList } from "./mistake.ts";
import type { Schema, SchemaKey } from "./schema.ts";
import { describeShape } from "./shape.ts";

export interface Layer {
  readonly settings: readonly Setting[];
  /** Whether the last setting of a key wins, as on a command line, or a second one is a mistake. */
  readonly lastWins: boolean;
}

export interface ReadValues {
  /** Values of the keys that some layer gave, where they are legal. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Where each of these values came from. */
  readonly locations: ReadonlyMap<string, Location>;
  /** Keys with a mistake in some layer. */
  readonly wrong: ReadonlySet<string>;
}

/** The settings of a tree; for names outside the schema there is a mistake instead. */
export function settingsOfTree(
  tree: GivenTree,
  schema: Schema<object>,
  mistakes: MistakeList,
  {
    prefix = "",
    of = "the configuration",
  }: { readonly prefix?: string; readonly of?: string } = {},
): Setting[] {
  const groups = new Map<string, Location>();
  return tree.entries.flatMap(({ key, location, value }) => {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (schema.find(path) !== undefined) return [{ key: path, location, value }];
    if (!schema.isGroup(path)) {
      addUnknownKey({ path, location, of, nearest: () => schema.nearest(path) }, mistakes);
      return [];
    }
    const earlier = groups.get(path);
    if (earlier !== undefined) addDuplicate({ key: path, location }, earlier, mistakes);
    groups.set(path, earlier ?? location);
    if (value.kind === "tree") return settingsOfTree(value, schema, mistakes, { prefix: path, of });
    // A group whose keys are all commented out is common, and harmless.
    if (isNull(value)) return [];
    mistakes.add(() => ({
      code: "CONFIG_BAD_VALUE",
      location: value.location,
      key: path,
      value: givenText(value),
      problem: "is given where a tree of keys is expected",
      legal: schema.keys
        .filter((one) => one.path.startsWith(`${path}.`))
        .map((one) => one.path.slice(path.length + 1))
        .join(", "),
    }));
    return [];
  });
}

export interface UnknownKey {
  readonly path: string;
  readonly location: Location;
  /** What has no such key; the configuration unless given. */
  readonly of?: string;
  nearest(): string | null;
}

export function addUnknownKey(unknown: UnknownKey, mistakes: MistakeList): void {
  mistakes.add(() => ({
    code: "CONFIG_UNKNOWN_KEY",
    location: unknown.location,
    key: unknown.path,
    problem: `is not a key of ${unknown.of ?? "the configuration"}`,
    nearest: unknown.nearest(),
  }));
}

/** Layers from the weakest to the strongest. */
export function readLayers(
  layers: readonly Layer[],
  schema: Schema<object>,
  mistakes: MistakeList,
): ReadValues {
  const values = new Map<string, unknown>();
  const locations = new Map<string, Location>();
  const wrong = new Set<string>();
  for (const layer of layers) {
    const first = new Map<string, Location>();
    for (const setting of layer.settings) {
      const found = schema.find(setting.key);
      if (found === undefined) continue;
      const value = readSetting(setting, found, mistakes);
      const earlier = layer.lastWins ? undefined : first.get(setting.key);
      if (earlier !== undefined) addDuplicate(setting, earlier, mistakes);
      else first.set(setting.key, setting.location);
      if (value === undefined || earlier !== undefined) {
        wrong.add(setting.key);
        continue;
      }
      values.set(setting.key, value);
      locations.set(setting.key, setting.value.location);
    }
  }
  return { values, locations, wrong };
}

function readSetting(setting: Setting, { path, key }: SchemaKey, mistakes: MistakeList): unknown {
  return key.type.read(setting.value, (given, problem, nearest = null) => {
    mistakes.add(() => ({
      code: "CONFIG_BAD_VALUE",
      location: given.location,
      key: path,
      value: givenText(given),
      problem,
      legal: describeShape(key.type.shape),
      nearest,
    }));
  });
}

function addDuplicate(
  setting: Pick<Setting, "key" | "location">,
  earlier: Location,
  mistakes: MistakeList,
): void {
  mistakes.add(() => ({
    code: "CONFIG_DUPLICATE_KEY",
    location: setting.location,
    key: setting.key,
    problem: `is given twice; the first time at ${describeLocation(earlier)}`,
  }));
}
