/**
 * Reads a tree of sources and lists every place where it breaks the walls between modules. It
 * needs no parser: specifiers are found by pattern, comments and strings are left out where they
 * would mislead, and the tests plant violations to see that each is found.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import {
  LAYERS,
  type Layer,
  MAY_TOUCH,
  TEST_WORLDS,
  WORLD_PATTERNS,
  type World,
} from "./layers.ts";

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

/** Modules of one level that, by the arrows of the table, lead back to themselves. */
export function circles(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ modules }) =>
    Object.keys(modules).filter((module) => reachable(module, modules).has(module)),
  );
}

function reachable(start: string, modules: Layer["modules"]): ReadonlySet<string> {
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

function importBreaches(file: SourceFile): string[] {
  const from = moduleOf(file.path);
  if (from === undefined) return [];
  const found: string[] = [];
  if (levelOf(from) === undefined) found.push(`${file.path}: module ${from} has no layer`);
  for (const match of withoutComments(file.text).matchAll(SPECIFIER)) {
    const specifier = match[1] ?? "";
    if (!specifier.startsWith(".")) continue;
    const target = normalize(join(dirname(file.path), specifier))
      .split(sep)
      .join("/");
    found.push(...importBreach(file.path, from, target));
  }
  return found;
}

function importBreach(path: string, from: string, target: string): string[] {
  const to = moduleOf(target);
  if (to === from) return [];
  if (path.endsWith(".test.ts") && target.startsWith("../test/support/")) return [];
  if (to === undefined || target.startsWith("..")) return [`${path}: ${target} is outside modules`];
  const found: string[] = [];
  if (target !== `${to}/index.ts`) found.push(`${path}: enters ${to} by ${target}, not its door`);
  if (!mayImport(path, from, to)) found.push(`${path}: ${from} must not import ${to}`);
  return found;
}

function mayImport(path: string, from: string, to: string): boolean {
  // Tests may set a module up with the worlds made for tests.
  if (path.endsWith(".test.ts") && (to in TEST_WORLDS || levelOf(to) === 0)) return true;
  if (from in TEST_WORLDS) return true;
  if (from === "cli" && to in TEST_WORLDS) return true;
  const fromLevel = levelOf(from);
  const toLevel = levelOf(to);
  if (fromLevel === undefined || toLevel === undefined) return false;
  if (fromLevel > toLevel) return true;
  const sameLevel = LAYERS.find((layer) => layer.level === fromLevel)?.modules[from] ?? [];
  return fromLevel === toLevel && sameLevel.includes(to);
}

function levelOf(module: string): number | undefined {
  if (module in TEST_WORLDS) return Number.POSITIVE_INFINITY;
  return LAYERS.find((layer) => module in layer.modules)?.level;
}

function worldBreaches(file: SourceFile): string[] {
  const module = moduleOf(file.path);
  if (module === undefined || file.path.endsWith(".test.ts") || module === "conformance") return [];
  const allowed = MAY_TOUCH[file.path] ?? [];
  const code = withoutComments(file.text);
  return (Object.keys(WORLD_PATTERNS) as World[])
    .filter((world) => !allowed.includes(world) && WORLD_PATTERNS[world].test(code))
    .map((world) => `${file.path}: touches ${world}; take it through a seam`);
}

/** The folder directly below `src/`; undefined for files that are in none, such as `index.ts`. */
function moduleOf(path: string): string | undefined {
  const slash = path.indexOf("/");
  return slash === -1 ? undefined : path.slice(0, slash);
}

/** Strings are stepped over: the beginning of a comment inside one hides nothing that follows. */
const STRING_OR_COMMENT =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;

function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (found) => (found.startsWith("/") ? "" : found));
}
