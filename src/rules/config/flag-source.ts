/**
 * The command line as a source of settings. Short flags such as `--delay 2s` give a text to one
 * key; `--set KEY=VALUE` gives YAML to a key or to a group of keys; arguments are lists of texts.
 * They are taken in the order of the command line, and the last one for a key wins.
 */
import {
  flatScalar,
  type GivenTree,
  type Location,
  type MistakeList,
  readYaml,
  type Schema,
  type Setting,
  settingsOfTree,
} from "../settings/index.ts";

export type FlagSetting =
  /** The text of one flag, for one key. */
  | { readonly kind: "value"; readonly flag: string; readonly key: string; readonly text: string }
  /** The texts of a repeatable flag, each `NAME: VALUE`, that together are the value of a map. */
  | {
      readonly kind: "entries";
      readonly flag: string;
      readonly key: string;
      readonly texts: readonly string[];
    }
  /** Arguments that together are the value of a list. */
  | { readonly kind: "arguments"; readonly key: string; readonly texts: readonly string[] }
  /** `--set`; `ordinal` counts its uses from 1. */
  | { readonly kind: "assignment"; readonly ordinal: number; readonly text: string };

export function settingsOfFlags(
  flags: readonly FlagSetting[],
  schema: Schema<object>,
  mistakes: MistakeList,
): Setting[] {
  return flags.flatMap((flag) => {
    if (flag.kind === "assignment") return settingsOfAssignment(flag, schema, mistakes);
    if (flag.kind === "arguments") {
      return flag.texts.length === 0 ? [] : [argumentSetting(flag.key, flag.texts)];
    }
    if (flag.kind === "entries") return settingsOfEntries(flag, mistakes);
    const location: Location = { kind: "flag", flag: flag.flag, ordinal: null };
    return [{ key: flag.key, location, value: flatScalar(flag.text, location) }];
  });
}

function settingsOfEntries(
  { flag, key, texts }: FlagSetting & { readonly kind: "entries" },
  mistakes: MistakeList,
): Setting[] {
  const entries = texts.flatMap((text, index) => {
    const location: Location = { kind: "flag", flag, ordinal: texts.length > 1 ? index + 1 : null };
    const colon = text.indexOf(":");
    if (colon < 1) {
      const problem = "is not of the form NAME: VALUE";
      mistakes.add(() => ({ code: "CONFIG_SYNTAX", location, key: text, problem }));
      return [];
    }
    const value = { ...flatScalar(text.slice(colon + 1).trim(), location), plain: false };
    return [{ key: text.slice(0, colon).trim(), location, value: { ...value, parts: null } }];
  });
  const location: Location = { kind: "flag", flag, ordinal: null };
  return texts.length === 0 ? [] : [{ key, location, value: { kind: "tree", entries, location } }];
}

function argumentSetting(key: string, texts: readonly string[]): Setting {
  const items = texts.map((text, index) => {
    const location: Location = { kind: "argument", ordinal: index + 1 };
    return { ...flatScalar(text, location), plain: false, parts: null };
  });
  const location: Location = { kind: "argument", ordinal: 1 };
  return { key, location, value: { kind: "list", items, location } };
}

function settingsOfAssignment(
  flag: { readonly ordinal: number; readonly text: string },
  schema: Schema<object>,
  mistakes: MistakeList,
): Setting[] {
  const location: Location = { kind: "flag", flag: "--set", ordinal: flag.ordinal };
  const equals = flag.text.indexOf("=");
  if (equals < 1) {
    const problem = "is not of the form KEY=VALUE";
    mistakes.add(() => ({ code: "CONFIG_SYNTAX", location, key: flag.text, problem }));
    return [];
  }
  const value = readYaml(flag.text.slice(equals + 1), () => location, mistakes);
  if (value === null) return [];
  const empty = value.kind === "tree" && value.entries.length === 0;
  const given = empty ? flatScalar("", location) : value;
  const entries = [{ key: flag.text.slice(0, equals).trim(), location, value: given }];
  const tree: GivenTree = { kind: "tree", entries, location };
  return settingsOfTree(tree, schema, mistakes);
}
