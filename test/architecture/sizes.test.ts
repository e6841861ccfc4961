/** Doors and test files stay small enough to be read in one go. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { isOfTests, sourceFiles, withoutComments } from "./walls.ts";

const DOOR_NAMES_MAX = 30;
const TEST_LINES_MAX = 600;
const FOLDER_SOURCES_MAX = 30;

/** How many names a door has; what it takes over whole from another file counts as what is there. */
function namesOf(text: string): number {
  const code = withoutComments(text);
  const lists = [...code.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) =>
    list.split(",").filter((name) => name.trim() !== ""),
  );
  const own = code.match(
    /^export (?:\* as|(?:async )?function|(?:abstract )?class|const|interface|type) \w+/gm,
  );
  return lists.length + (own?.length ?? 0);
}

const doors = sourceFiles("src").filter(({ path }) => /^[^/]+\/(?:[^/]+\/)?index\.ts$/.test(path));

test("names of a door are counted, however they are exported", () => {
  const text = [
    'export { a, type B } from "./a.ts";',
    'export type {\n  C,\n  D,\n} from "./c.ts";',
    'export * as e from "./e.ts";',
    "export const f = 1;",
    "/* export const g = 1; */",
    "export {};",
  ].join("\n");
  assert.equal(namesOf(text), 6);
});

test("no door has too many names, and none passes on everything of another file", () => {
  assert.ok(doors.length >= 40, "too few doors seen");
  const wide = doors.map(({ path, text }) => ({ path, names: namesOf(text), text }));
  assert.deepEqual(
    wide
      .filter(({ names }) => names > DOOR_NAMES_MAX)
      .map(({ path, names }) => `${path}: ${names} names`),
    [],
    `a door has at most ${DOOR_NAMES_MAX} names; aim at 15`,
  );
  assert.deepEqual(
    doors.filter(({ text }) => /^export \* from/m.test(text)).map(({ path }) => path),
    [],
  );
});

test("no folder has too many sources", () => {
  const folders = new Map<string, number>();
  for (const { path } of sourceFiles("src")) {
    if (!isOfTests(path)) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  }
  assert.ok(folders.size >= 50, "too few folders seen");
  assert.deepEqual(
    [...folders].filter(([, sources]) => sources > FOLDER_SOURCES_MAX),
    [],
    `a folder has at most ${FOLDER_SOURCES_MAX} sources; divide it by idea`,
  );
});

test("no test file is too long", () => {
  const files = globSync(["src/**/*.test.ts", "test/**/*.ts"]);
  assert.ok(files.length >= 300, "too few test files seen");
  assert.deepEqual(
    files
      .map((path) => ({ path, lines: readFileSync(path, "utf8").split("\n").length - 1 }))
      .filter(({ lines }) => lines > TEST_LINES_MAX)
      .map(({ path, lines }) => `${path}: ${lines} lines`),
    [],
    `a test file has at most ${TEST_LINES_MAX} lines; split it by behaviour`,
  );
});
