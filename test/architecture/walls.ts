/**
 * Reads a tree of sources and lists every place where it breaks the walls between modules. It
 * needs no parser: specifiers are found by pattern, comments and strings are left out where they
 * would mislead, and the tests plant violations to see that each is found.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import {
  LAB,
  LAB_MODULES,
  MAY_TOUCH,
  ROOMS,
  type Room,
  WORLD_PATTERNS,
  type World,
} from "./rooms.ts";

export interface SourceFile {
  /** Path below `src/`, with `/`. */
  readonly path: string;
  readonly text: string;
}

export function sourceFiles(root: string): SourceFile[] {
  return globSync("**/*.ts", { cwd: root })
    .map((path) => path.split(sep).join("/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** One sentence for each breach; none for a clean tree. */
export function breaches(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [...importBreaches(file), ...worldBreaches(file)]);
}

/** Modules of one room that, by the arrows of the table, lead back to themselves. */
export function circles(rooms: Readonly<Record<string, Room>>): string[] {
  return Object.values(rooms).flatMap(({ modules }) =>
    Object.keys(modules ?? {}).filter((module) => reachable(module, modules ?? {}).has(module)),
  );
}

/** Arrows of the table that no import of these sources follows. */
export function unusedArrows(
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, Room>>,
): string[] {
  const used = new Set<string>();
  for (const { path, text } of files) {
    if (isOfTests(path)) continue;
    for (const target of targetsOf(path, text)) used.add(`${moduleOf(path)} → ${moduleOf(target)}`);
  }
  return Object.entries(rooms).flatMap(([room, { modules }]) =>
    Object.entries(modules ?? {})
      .flatMap(([from, arrows]) => arrows.map((to) => `${room}/${from} → ${room}/${to}`))
      .filter((arrow) => !used.has(arrow)),
  );
}

/** A unit test, or a helper that lies beside the one unit test that uses it. */
export function isOfTests(path: string): boolean {
  return /\.(?:test|fixture)\.ts$/.test(path);
}

function reachable(
  start: string,
  modules: Readonly<Record<string, readonly string[]>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...(modules[start] ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(modules[next] ?? []));
  }
  return found;
}

const SPECIFIER = /(?:\bfrom|^\s*import|\bimport\s*\()\s*["']([^"']+)["']/gm;

/** What a file imports of this project, as paths below `src/`. */
function targetsOf(path: string, text: string): string[] {
  return [...withoutComments(text).matchAll(SPECIFIER)]
    .map(([, specifier = ""]) => specifier)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) =>
      normalize(join(dirname(path), specifier))
        .split(sep)
        .join("/"),
    );
}

function importBreaches(file: SourceFile): string[] {
  const from = moduleOf(file.path);
  if (from === undefined) return [];
  const found: string[] = [];
  if (!isInTable(from)) found.push(`${file.path}: ${from} is not in the table of rooms`);
  for (const target of targetsOf(file.path, file.text)) {
    found.push(...importBreach(file.path, from, target));
  }
  return found;
}

function importBreach(path: string, from: string, target: string): string[] {
  const to = moduleOf(target);
  if (to === from) return [];
  if (isOfTests(path) && target.startsWith("../test/support/")) return [];
  if (to === undefined || target.startsWith("..")) return [`${path}: ${target} is outside modules`];
  const found: string[] = [];
  if (target !== `${to}/index.ts`) found.push(`${path}: enters ${to} by ${target}, not its door`);
  if (!mayImport(path, from, to)) found.push(`${path}: ${from} must not import ${to}`);
  return found;
}

function mayImport(path: string, from: string, to: string): boolean {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
  if (!isInTable(to)) return false;
  if (fromRoom === LAB) return true;
  const isTest = isOfTests(path);
  // Tests may set a module up with the worlds made for tests, and with its neighbours.
  if (toRoom === LAB) return isTest || fromRoom === "cli";
  if (fromRoom === toRoom) return isTest || arrowsOf(from).includes(to.slice(toRoom.length + 1));
  return (ROOMS[fromRoom]?.level ?? 0) > (ROOMS[toRoom]?.level ?? Number.POSITIVE_INFINITY);
}

function arrowsOf(module: string): readonly string[] {
  const room = roomOf(module);
  return ROOMS[room]?.modules?.[module.slice(room.length + 1)] ?? [];
}

function isInTable(module: string): boolean {
  const room = roomOf(module);
  const name = module.slice(room.length + 1);
  if (room === LAB) return LAB_MODULES.includes(name);
  const modules = ROOMS[room]?.modules;
  if (modules === undefined) return false;
  return modules === null ? name === "" : name in modules;
}

function worldBreaches(file: SourceFile): string[] {
  const module = moduleOf(file.path);
  if (module === undefined || isOfTests(file.path)) return [];
  if (module === `${LAB}/conformance`) return [];
  const allowed = MAY_TOUCH[file.path] ?? [];
  const code = withoutComments(file.text);
  return (Object.keys(WORLD_PATTERNS) as World[])
    .filter((world) => !allowed.includes(world) && WORLD_PATTERNS[world].test(code))
    .map((world) => `${file.path}: touches ${world}; take it through a seam`);
}

/** `room` or `room/module`; undefined for files that are in none, such as the head of a room. */
function moduleOf(path: string): string | undefined {
  const [room = "", module = "", ...rest] = path.split("/");
  if (module === "") return undefined;
  if (ROOMS[room]?.modules === null) return room;
  return rest.length === 0 ? undefined : `${room}/${module}`;
}

function roomOf(module: string): string {
  return module.split("/", 1)[0] ?? "";
}

/** Strings are stepped over: the beginning of a comment inside one hides nothing that follows. */
const STRING_OR_COMMENT =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;

export function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (found) => (found.startsWith("/") ? "" : found));
}
