/** Values of settings, from texts as in a file: read and checked as the schema says. */
import {
  addUnknownKey,
  configError,
  flatScalar,
  type Location,
  MistakeList,
  readLayers,
  readYaml,
  type Schema,
  type Setting,
} from "../../../rules/settings/index.ts";

interface Declared {
  readonly schema: Schema<object>;
  /** Why keys that are not in the schema cannot be changed, where there is more to say. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** Throws `CONFIG_INVALID` with every unknown key and every bad value of the unit. */
export function readValues(
  texts: Readonly<Record<string, string>>,
  { schema, fixed }: Declared,
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
    const why = Object.hasOwn(fixed, path) ? fixed[path] : undefined;
    if (why === undefined) {
      addUnknownKey({ path, location, of: id, nearest: () => schema.nearest(path) }, mistakes);
    } else {
      const problem = `cannot be changed: ${why}`;
      mistakes.add(() => ({ code: "CONFIG_UNKNOWN_KEY", location, key: path, problem }));
    }
    return [];
  });
  const { values } = readLayers([{ settings, lastWins: false }], schema, mistakes);
  if (!mistakes.isEmpty) throw configError(mistakes.sorted(), mistakes.omitted);
  return values;
}
