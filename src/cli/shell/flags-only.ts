/** Command lines that have flags and nothing else, of which some set the keys of a schema. */
import {
  type ConfigMistake,
  configError,
  flatScalar,
  type Location,
  MistakeList,
  readLayers,
  type Schema,
  type Setting,
} from "../../rules/settings/index.ts";
import { type CommandLine, parseCommandLine } from "./arguments.ts";
import { COMMON_FLAGS } from "./flag-table.ts";

/** Reads such a line, and throws one error that lists every mistake, those that `read` adds included. */
export function readFlags<Read>(
  args: readonly string[],
  flags: Parameters<typeof parseCommandLine>[1],
  read: (line: CommandLine, found: MistakeList) => Read,
): Read {
  const line = parseCommandLine(args, [...flags, ...COMMON_FLAGS]);
  const found = new MistakeList();
  line.words.forEach((word, index) => {
    const location: Location = { kind: "argument", ordinal: index + 1 };
    const problem = "is not accepted: this command takes only flags";
    found.add(() => ({ code: "USAGE_BAD_ARGUMENT", location, value: word, problem }));
  });
  const values = read(line, found);
  const mistakes: ConfigMistake[] = [...line.mistakes, ...found.sorted()];
  if (mistakes.length > 0) throw configError(mistakes, found.omitted);
  return values;
}

/** The values of a schema; `keyOf` says which key a flag sets, if it sets one. */
export function settingsOfFlags<Values extends object>(
  { uses }: CommandLine,
  schema: Schema<Values>,
  keyOf: (flag: string) => string | undefined,
  found: MistakeList,
): Values {
  const settings = uses.flatMap(({ flag, text }) => {
    const path = keyOf(flag.long);
    return path === undefined || text === null ? [] : [flagSetting(path, text, flag.long)];
  });
  return schema.build(readLayers([{ settings, lastWins: true }], schema, found).values);
}

/** What a flag with this text sets. */
export function flagSetting(path: string, text: string, flag: string): Setting {
  const location = flagLocation(flag);
  return { key: path, location, value: flatScalar(text, location) };
}

export function flagLocation(flag: string): Location {
  return { kind: "flag", flag: `--${flag}`, ordinal: null };
}
