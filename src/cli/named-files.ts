/** Files that a command line names: the settings of `--config`, and whether a seed file is there. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { type ConfigurationFile, FILE_BYTES_MAX } from "../config/index.ts";
import type { ConfigMistake, Location } from "../settings/index.ts";

export type ReadFile =
  | { readonly ok: true; readonly file: ConfigurationFile }
  | { readonly ok: false; readonly mistake: ConfigMistake };

/**
 * The whole of a file of settings. No more is read than shows that it is too large, since the path
 * may be a device that never ends; the reader of the configuration then says so.
 */
export function readConfigurationFile(path: string): ReadFile {
  try {
    if (statSync(path).isDirectory()) return unreadable(path, "is a directory");
    return { ok: true, file: { path, bytes: readUpTo(path, FILE_BYTES_MAX + 1) } };
  } catch (error) {
    return unreadable(path, reasonOf(error));
  }
}

/** A mistake for a file of seeds that is not there; null when it is, or is standard input. */
export function seedFileMistake(path: string, location: Location): ConfigMistake | null {
  if (path === "-") return null;
  try {
    if (!statSync(path).isDirectory()) return null;
    return mistake(location, path, "is a directory");
  } catch (error) {
    return mistake(location, path, reasonOf(error));
  }
}

function readUpTo(path: string, bytesMax: number): Uint8Array {
  const descriptor = openSync(path, "r");
  try {
    const buffer = new Uint8Array(bytesMax);
    let length = 0;
    while (length < bytesMax) {
      const read = readSync(descriptor, buffer, length, bytesMax - length, null);
      if (read === 0) break;
      length += read;
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

function unreadable(path: string, problem: string): ReadFile {
  const location: Location = { kind: "flag", flag: "--config", ordinal: null };
  return { ok: false, mistake: mistake(location, path, problem) };
}

function mistake(location: Location, path: string, problem: string): ConfigMistake {
  const code = "CONFIG_FILE_UNREADABLE";
  return { code, location, key: null, value: path, problem, legal: null, nearest: null };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "may not be read by this user";
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
}
