/**
 * Copies of modules with one line changed, loaded beside the good ones, so that tests can be tested: a
 * bug that is planted must be found. Nothing in the program itself knows of this.
 *
 * A copy is the same file under another address: a query tells which bug it is loaded for. Copied are the
 * changed file and whatever imports it, directly or not; the rest is shared with the good modules, since
 * to load and to warm up all modules once more took most of the time. Only the text of one file is changed.
 * Unit tests can be loaded like this too: what they would have the test runner do is collected instead.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface PlantedBug {
  readonly name: string;
  /** Path below `src/`. */
  readonly file: string;
  /** The text to be replaced; it must be there exactly once, or the bug has gone stale. */
  readonly from: string;
  readonly to: string;
}

/** One that a unit test finds. */
export interface TestedBug extends PlantedBug {
  /** The file with that test, below `src/`. */
  readonly test: string;
}

// Taking types out is an experiment of Node's; that it says so is no news in each run.
const { emitWarning } = process;
process.emitWarning = (warning, ...more) => {
  if (!String(warning).includes("stripTypeScriptTypes"))
    Reflect.apply(emitWarning, process, [warning, ...more]);
};

/** The same place with nothing changed: whatever finds the bug must not find this. */
export function withoutBug(bug: PlantedBug): PlantedBug {
  return { ...bug, name: `nothing is changed in ${bug.file}`, to: bug.from };
}

/** One test of a file that was loaded with a bug. */
interface CollectedTest {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

/** The name of a rule of docs/protocol.md. */
const RULE = /\b[A-Z]\d\b/g;
const QUERY = /\?bug=(\d+)$/;
/** Stands for `node:test` in files that are loaded with a bug. */
const COLLECTOR = "planted:test";
const IMPORT =
  /^(?:import|export)\s+(?!type\s)(?:[\w$*{},\s]+\sfrom\s+)?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

interface LoadedBug {
  readonly bug: PlantedBug;
  /** Paths of the modules that are copied for it. */
  readonly copied: ReadonlySet<string>;
}

const bugs: LoadedBug[] = [];
/** Sources without their types, by path. */
const plain = new Map<string, string>();
/** What each source imports, by paths. */
const imports = new Map<string, readonly string[]>();
/** Tests of files that were loaded with a bug, by its number; the module that collects them sees this. */
const collected: CollectedTest[][] = [];
Object.assign(globalThis, { plantedTests: collected });

registerHooks({
  resolve(specifier, context, next) {
    const [query, number] = QUERY.exec(context.parentURL ?? "") ?? [];
    if (query !== undefined && specifier === "node:test") {
      return { url: COLLECTOR + query, format: "module", shortCircuit: true };
    }
    const found = next(specifier, context);
    if (query === undefined || !found.url.startsWith("file:")) return found;
    const isCopied = bugs[Number(number)]?.copied.has(fileURLToPath(found.url)) === true;
    return isCopied ? { ...found, url: found.url + query } : found;
  },
  load(url, context, next) {
    const number = Number(QUERY.exec(url)?.[1] ?? -1);
    const { bug } = bugs[number] ?? {};
    if (bug === undefined) return next(url, context);
    if (url.startsWith(COLLECTOR)) {
      const source = `export const test = (name, run) => plantedTests[${number}].push({ name, run });`;
      return { format: "module", source, shortCircuit: true };
    }
    const path = fileURLToPath(url.replace(QUERY, ""));
    const isPlanted = path === resolve("src", bug.file);
    const source = isPlanted ? stripTypeScriptTypes(planted(bug, path)) : plainSource(path);
    return { format: "module", source, shortCircuit: true };
  },
});

/** A module, by its path, with the bug somewhere in what it imports. */
export async function withBug<Door>(path: string, bug: PlantedBug): Promise<Door> {
  planted(bug, join("src", bug.file));
  const copied = importersOf(resolve("src", bug.file), resolve(path));
  assert.ok(copied.has(resolve(path)), `${bug.name}: ${path} does not import ${bug.file}`);
  const number = bugs.push({ bug, copied }) - 1;
  return (await import(`${pathToFileURL(path).href}?bug=${number}`)) as Door;
}

/** The tests of a file, with the bug somewhere in what they try. */
async function testsWithBug(path: string, bug: PlantedBug): Promise<CollectedTest[]> {
  const tests: CollectedTest[] = [];
  collected[bugs.length] = tests;
  await withBug(path, bug);
  return tests;
}

/**
 * A test of a file that fails with the bug, and not without it, and how; null if none does. Those that name a rule which the bug
 * names too are tried first, since they are the likeliest to find it.
 */
export async function failingTest(path: string, bug: PlantedBug): Promise<string | null> {
  const tests = await testsWithBug(path, bug);
  assert.ok(tests.length > 0, `there are tests in ${path}`);
  const rules = new Set(bug.name.match(RULE));
  const rank = ({ name }: CollectedTest): number =>
    (name.match(RULE) ?? []).some((rule) => rules.has(rule)) ? 0 : 1;
  for (const { name, run } of tests.toSorted((one, other) => rank(one) - rank(other))) {
    try {
      await run();
    } catch (error) {
      const control = await testsWithBug(path, withoutBug(bug));
      await control.find((test) => test.name === name)?.run();
      return `${name}: ${error}`;
    }
  }
  return null;
}

function planted(bug: PlantedBug, path: string): string {
  const parts = readFileSync(path, "utf8").split(bug.from);
  assert.equal(parts.length, 2, `${bug.name}: the line to change is not there exactly once`);
  return parts.join(bug.to);
}

function plainSource(path: string): string {
  const known = plain.get(path) ?? stripTypeScriptTypes(readFileSync(path, "utf8"));
  plain.set(path, known);
  return known;
}

/** The file and all that import it, directly or not, among what the door imports. */
function importersOf(file: string, door: string): Set<string> {
  const importers = new Map<string, string[]>();
  const reached = new Set([door]);
  for (const path of reached) {
    for (const imported of importsOf(path)) {
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
      reached.add(imported);
    }
  }
  const found = new Set([file]);
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return found;
}

function importsOf(path: string): readonly string[] {
  const matches = imports.has(path) ? [] : readFileSync(path, "utf8").matchAll(IMPORT);
  const known =
    imports.get(path) ??
    [...matches].map(([, whole, later]) => resolve(dirname(path), whole ?? later ?? ""));
  imports.set(path, known);
  return known;
}
