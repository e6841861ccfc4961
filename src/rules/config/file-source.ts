/**
 * Files as sources of settings. The bytes are passed in; nothing is read from a disk here. The
 * notation of a file follows from its name (`.yaml`, `.yml`, `.json`; `.properties`, `.conf`),
 * otherwise from its first line that is neither blank nor a comment: `key = value` or not.
 */
import {
  isNull,
  type Location,
  type MistakeList,
  readYaml,
  type Schema,
  type Setting,
  settingsOfTree,
} from "../settings/index.ts";
import { type FileSettings, settingsOfProperties } from "./properties-settings.ts";
import { readProperties } from "./properties-source.ts";

export interface ConfigurationFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether we wrote it: then it may be of any size, with all seeds in it. */
  readonly isOwn?: boolean;
}

/** Far more than settings need, and little enough to be read in a few seconds, however hostile. */
export const FILE_BYTES_MAX: number = 1024 * 1024;

export function settingsOfFile(
  file: ConfigurationFile,
  schema: Schema<object>,
  mistakes: MistakeList,
): FileSettings {
  const text = decode(file, mistakes);
  if (text === null) return { settings: [], notes: [], seedFiles: [] };
  if (isProperties(file.path, text)) {
    return settingsOfProperties(readProperties(text, file.path, mistakes), schema, mistakes);
  }
  const settings = yamlSettings(file.path, text, schema, mistakes);
  return { settings, notes: [], seedFiles: [] };
}

function yamlSettings(
  path: string,
  text: string,
  schema: Schema<object>,
  mistakes: MistakeList,
): Setting[] {
  const locationAt = (line: number, column: number): Location => ({
    kind: "file",
    path,
    line,
    column,
  });
  const given = readYaml(text, locationAt, mistakes);
  if (given === null || isNull(given)) return [];
  if (given.kind === "tree") return settingsOfTree(given, schema, mistakes);
  const problem = "a configuration is a tree of keys, such as `limits: { pages: 100 }`";
  mistakes.add(() => ({ code: "CONFIG_SYNTAX", location: given.location, problem }));
  return [];
}

function decode(
  { path, bytes, isOwn = false }: ConfigurationFile,
  mistakes: MistakeList,
): string | null {
  if (bytes.length > FILE_BYTES_MAX && !isOwn) {
    const location: Location = { kind: "file", path, line: null, column: null };
    const problem = `the file has ${bytes.length} bytes; at most ${FILE_BYTES_MAX} are read`;
    mistakes.add(() => ({ code: "CONFIG_FILE_TOO_LARGE", location, problem }));
    return null;
  }
  const text = utf8(bytes);
  if (text !== null) return text;
  const line = invalidLine(bytes);
  const problem = "the text is not UTF-8";
  mistakes.add(() => ({
    code: "CONFIG_SYNTAX",
    location: { kind: "file", path, line, column: 1 },
    problem,
  }));
  return null;
}

/** Without a byte order mark; null when the bytes are not UTF-8. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The number of the first line that is not UTF-8; a line end is never inside a character. */
function invalidLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found + 1;
    if (utf8(bytes.subarray(start, end)) === null) return line;
    start = end;
  }
  return line;
}

function isProperties(path: string, text: string): boolean {
  if (/\.(?:properties|conf)$/i.test(path)) return true;
  if (/\.(?:ya?ml|json)$/i.test(path)) return false;
  const first = text.split(/\r\n|[\n\r]/).find((line) => !/^\s*(?:[#!]|$)/.test(line)) ?? "";
  return /^\s*[\w.-]+\s*=/.test(first);
}
