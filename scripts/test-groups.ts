/**
 * Runs test files of one room in one process. A file of its own process spends a third of a second on
 * starting Node and loading the modules that its neighbours load too; most tests take less.
 *
 * Files stay alone that say something about their whole process: hooks around every test, threads,
 * child processes, memory, the working directory, signals, certificates.
 * So do long simulations and what starts processes, which is long and better spread.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** So that no group takes long, and a failure to load one leaves the others. */
const FILES_MAX = 40;
const LONGER_MAX = 8;

const ALONE =
  /\b(beforeEach|afterEach|mock|memoryUsage|heldBytes|chdir|umask|setDefault\w+)\b|node:(child_process|worker_threads)|process\.(on|once|emit|exit|kill)\b|process\.env\[\W*\w+\W*\] = /;

const SIMULATION: string = join("test", "simulation");
const SCENARIO: string = join("test", "scenario");
/** They take several seconds, or load changed modules beside the good ones. */
const LONG_SIMULATION = /^(cluster|membership|killed|powerless|exhaustive|failing|depth)|mutants/;
const STARTS_PROCESSES = /-process\.ts"|faults\/|examples|crawl-(scale|verdict)/;

/** What to run instead of these files: programs in `folder` that load several, and the files that stay alone. */
export function grouped(files: readonly string[], folder: string): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return [...groupsOf(files)].flatMap(([name, members]) =>
    members.length === 1 ? members : [programOf(members, join(folder, `${name}.mjs`))],
  );
}

function groupsOf(files: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const name = canShare(file) ? dirname(file).split(sep).slice(0, 2).join("-") : file;
    const most = [SCENARIO, SIMULATION].includes(dirname(file)) ? LONGER_MAX : FILES_MAX;
    let part = 1;
    while ((groups.get(`${name}-${part}`)?.length ?? 0) >= most) part += 1;
    const members = groups.get(`${name}-${part}`) ?? [];
    members.push(file);
    groups.set(`${name}-${part}`, members);
  }
  return groups;
}

function canShare(file: string): boolean {
  const text = readFileSync(file, "utf8");
  const isLong =
    (dirname(file) === SIMULATION && LONG_SIMULATION.test(basename(file))) ||
    (dirname(file) === SCENARIO && STARTS_PROCESSES.test(text));
  return !isLong && !ALONE.test(text);
}

function programOf(files: readonly string[], path: string): string {
  const imports = files.map(
    (file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`,
  );
  writeFileSync(path, imports.join(""));
  return path;
}
