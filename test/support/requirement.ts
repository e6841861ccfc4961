/**
 * What a test needs beyond Node. A program that is missing is installed from Debian's packages
 * where that is possible; where it is not, the test is skipped with a reason that the test runner
 * counts as a failure unless it is allowed. Conformance data is never copied into the project: it
 * is read from TROBAR_CONFORMANCE or from beside the clone, and its absence is only reported.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

export const PROGRAM_MISSING = "missing program: ";
export const DATA_ABSENT = "conformance data not on this machine: ";

/** Programs that tests run, and the Debian package that holds each. */
const DEBIAN_PACKAGE: Readonly<Record<string, string>> = {
  chromium: "chromium",
  curl: "curl",
  dot: "graphviz",
  btrfs: "btrfs-progs",
  "mkfs.btrfs": "btrfs-progs",
  "mkfs.ext4": "e2fsprogs",
  mount: "mount",
  "nats-server": "nats-server",
  pg_ctlcluster: "postgresql",
  script: "bsdutils",
  unzip: "unzip",
  sqlite3: "sqlite3",
  wget: "wget",
  wrk: "wrk",
};

/** For the `skip` option of a test: false when the program is there, or could be installed. */
export function needsProgram(program: string): string | false {
  if (isOnPath(program)) return false;
  const debianPackage = DEBIAN_PACKAGE[program];
  if (debianPackage !== undefined && install(debianPackage) && isOnPath(program)) return false;
  return `${PROGRAM_MISSING}${program}`;
}

/** The folder of some conformance data, or the reason to skip what needs it. */
export function conformanceData(
  name: string,
): { readonly path: string; readonly skip: false } | { readonly path: ""; readonly skip: string } {
  const root = process.env["TROBAR_CONFORMANCE"] ?? resolve("..", "shared", "conformance");
  const path = join(root, name);
  return existsSync(path) ? { path, skip: false } : { path: "", skip: `${DATA_ABSENT}${name}` };
}

function isOnPath(program: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return [...folders, "/usr/sbin", "/sbin"].some((folder) => existsSync(join(folder, program)));
}

function install(debianPackage: string): boolean {
  if (process.getuid?.() !== 0 || !isOnPath("apt-get")) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", debianPackage]]) {
    if (spawnSync("apt-get", args, { env, stdio: "ignore" }).status !== 0) return false;
  }
  return true;
}
