/**
 * Options of a program as a source of settings: the tree of keys as an object, with values as in YAML or
 * as what they mean there (numbers, booleans, null, lists). A key whose value is undefined is not given.
 * JSON is YAML, so that is how they are read.
 */
import {
  type Location,
  type MistakeList,
  readYaml,
  type Schema,
  type Setting,
  settingsOfTree,
} from "../settings/index.ts";

const LOCATION: Location = { kind: "option", ordinal: null };

export function settingsOfOptions(
  options: object,
  schema: Schema<object>,
  mistakes: MistakeList,
): Setting[] {
  const refuse = (key: string | null, problem: string): undefined => {
    mistakes.add(() => ({ code: "CONFIG_BAD_VALUE", location: LOCATION, key, problem }));
  };
  const text = jsonOf(options, refuse);
  const given = text === undefined ? null : readYaml(text, () => LOCATION, mistakes);
  return given?.kind === "tree" ? settingsOfTree(given, schema, mistakes) : [];
}

function jsonOf(
  options: object,
  refuse: (key: string | null, problem: string) => undefined,
): string | undefined {
  try {
    return JSON.stringify(options, (key, value: unknown) =>
      isPlain(value)
        ? value
        : refuse(key, "is neither a text, a number, true or false, a list nor a tree of keys"),
    );
  } catch {
    return refuse(null, "the options contain themselves");
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value !== "function" && typeof value !== "bigint";
  if (value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
