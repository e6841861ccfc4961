/** The settings of a unit as texts: for people to read, and from what they write. */
import {
  addUnknownKey,
  configError,
  describeShape,
  flatScalar,
  type Location,
  MistakeList,
  readLayers,
  readYaml,
  type Setting,
} from "../../rules/settings/index.ts";
import type { UnitSettings } from "../runtime/index.ts";

export interface SettingStatus {
  /** Dotted, such as `cache.size`. */
  readonly key: string;
  readonly meaning: string;
  /** The legal values in words. */
  readonly legal: string;
  readonly default: string;
  readonly value: string;
  /** Whether the unit takes another value while it runs; if not, it is made anew. */
  readonly live: boolean;
}

export function settingStatuses({ schema, values }: UnitSettings): SettingStatus[] {
  return schema.keys.map(({ path, key }) => ({
    ...{ key: path, meaning: key.meaning, legal: describeShape(key.type.shape) },
    ...{ default: key.type.write(key.default), value: key.type.write(values.get(path)) },
    live: key.live,
  }));
}

/** Values are written as in a file. Throws `CONFIG_INVALID` with every unknown key and every bad value. */
export function readValues(
  texts: Readonly<Record<string, string>>,
  { schema }: UnitSettings,
  id: string,
): ReadonlyMap<string, unknown> {
  const mistakes = new MistakeList();
  const location: Location = { kind: "file", path: `settings of ${id}`, line: null, column: null };
  const settings = Object.entries(texts).flatMap(([path, text]): Setting[] => {
    if (schema.find(path) !== undefined) {
      const isEmpty = text.trim() === "";
      const given = isEmpty ? flatScalar("", location) : readYaml(text, () => location, mistakes);
      return given === null ? [] : [{ key: path, location, value: given }];
    }
    addUnknownKey({ path, location, of: id, nearest: () => schema.nearest(path) }, mistakes);
    return [];
  });
  const { values } = readLayers([{ settings, lastWins: false }], schema, mistakes);
  if (!mistakes.isEmpty) throw configError(mistakes.sorted(), mistakes.omitted);
  return values;
}
