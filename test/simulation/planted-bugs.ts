/**
 * Copies of modules with one line changed, loaded beside the good ones, so that tests can be tested: a
 * bug that is planted must be found. Nothing in the program itself knows of this.
 *
 * A copy is the same file under another address: a query tells which bug it is loaded for, and what a
 * module imports is loaded for the same bug. Only the text of one file is changed on its way.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface PlantedBug {
  readonly name: string;
  /** Path below `src/`. */
  readonly file: string;
  /** The text to be replaced; it must be there exactly once, or the bug has gone stale. */
  readonly from: string;
  readonly to: string;
}

// Taking types out is an experiment of Node's; that it says so is no news in each run.
const { emitWarning } = process;
process.emitWarning = (warning, ...more) => {
  if (!String(warning).includes("stripTypeScriptTypes"))
    Reflect.apply(emitWarning, process, [warning, ...more]);
};

const QUERY = /\?bug=(\d+)$/;
const bugs: PlantedBug[] = [];
/** Sources without their types, by path; taking the types out takes most of the time. */
const plain = new Map<string, string>();

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const [query] = QUERY.exec(context.parentURL ?? "") ?? [];
    const isOurs = found.url.endsWith(".ts") && !found.url.includes("/node_modules/");
    return query === undefined || !isOurs ? found : { ...found, url: found.url + query };
  },
  load(url, context, next) {
    const bug = bugs[Number(QUERY.exec(url)?.[1] ?? -1)];
    if (bug === undefined) return next(url, context);
    const path = fileURLToPath(url.replace(QUERY, ""));
    const isPlanted = path === resolve("src", bug.file);
    const source = isPlanted ? stripTypeScriptTypes(planted(bug, path)) : plainSource(path);
    return { format: "module", source, shortCircuit: true };
  },
});

/** A module, by its path, and everything that it imports, with the bug in it. */
export async function withBug<Door>(path: string, bug: PlantedBug): Promise<Door> {
  planted(bug, join("src", bug.file));
  const number = bugs.push(bug) - 1;
  return (await import(`${pathToFileURL(path).href}?bug=${number}`)) as Door;
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
