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

/** Programs that no test runs. */
const OF_BENCHES: ReadonlySet<string> = new Set(["wrk"]);

/** Set once what is missing has been installed, as far as it can be. */
const IS_INSTALLED = "PROGRAMS_INSTALLED_FOR_TEST";

/** For the `skip` option of a test: false when the program is there, or could be installed. */
export function needsProgram(program: string): string | false {
  if (isOnPath(program)) return false;
  const debianPackage = DEBIAN_PACKAGE[program];
  const mayInstall = debianPackage !== undefined && process.env[IS_INSTALLED] !== "1";
  if (mayInstall && update() && install([debianPackage]) && isOnPath(program)) return false;
  return `${PROGRAM_MISSING}${program}`;
}

/**
 * Installs all that tests need, before a whole run: apt-get serves one process at a time, and refuses the
 * others. The processes of the run that begins then install nothing.
 */
export function installPrograms(): void {
  const packages = missingPackages(isOnPath);
  // A package that this system does not have keeps the others from being installed with it.
  if (packages.length > 0 && update() && !install(packages)) {
    for (const one of packages) install([one]);
  }
}

/** The packages, each once, of the programs that tests run and that are not there. */
export function missingPackages(isThere: (program: string) => boolean): readonly string[] {
  const missing = Object.entries(DEBIAN_PACKAGE).filter(
    ([program]) => !OF_BENCHES.has(program) && !isThere(program),
  );
  return [...new Set(missing.map(([, debianPackage]) => debianPackage))];
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

function update(): boolean {
  return runApt(["update"]);
}

function install(packages: readonly string[]): boolean {
  return runApt(["install", "-y", "--no-install-recommends", ...packages]);
}

function runApt(args: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !isOnPath("apt-get")) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { env, stdio: "ignore" }).status === 0;
}
