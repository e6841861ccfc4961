/** Reads the system's hosts file. One that is missing or huge counts as empty. */
import { readFileSync, statSync } from "node:fs";
import { HostsFile } from "./hosts-file.ts";

/** Lists of a few hundred thousand blocked names are common; more is a mistake. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;

export function readHostsFile(path: string = systemPath()): HostsFile {
  try {
    if (statSync(path).size > FILE_BYTES_MAX) return new HostsFile("");
    return new HostsFile(readFileSync(path, "utf8"));
  } catch {
    return new HostsFile("");
  }
}

function systemPath(): string {
  if (process.platform !== "win32") return "/etc/hosts";
  return `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`;
}
