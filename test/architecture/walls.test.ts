import assert from "node:assert/strict";
import { test } from "node:test";
import { LAB, LAB_MODULES, MAY_TOUCH, ROOMS } from "./rooms.ts";
import { breaches, circles, sourceFiles, unusedArrows } from "./walls.ts";

const files = sourceFiles("src");

test("imports go down, through doors, and only named files touch the world", () => {
  assert.ok(files.length >= 20, "the architecture test saw too few sources: it checks nothing");
  assert.deepEqual(breaches(files), []);
});

test("the arrows inside a room form no cycle", () => {
  assert.deepEqual(circles(ROOMS), []);
  const planted = {
    base: { level: 1, modules: { runs: ["log"], log: ["sieve"], sieve: ["runs"], html: [] } },
  };
  assert.deepEqual(circles(planted), ["runs", "log", "sieve"]);
});

test("every arrow of the table is used", () => {
  assert.deepEqual(unusedArrows(files, ROOMS), []);
  const planted = { base: { level: 1, modules: { log: ["seams", "time"], seams: [], time: [] } } };
  const text = 'import type { Clock } from "../seams/index.ts";';
  const inTest = { path: "base/log/log.test.ts", text: 'import "../time/index.ts";' };
  assert.deepEqual(unusedArrows([{ path: "base/log/log.ts", text }, inTest], planted), [
    "base/log → base/time",
  ]);
});

test("every module of the table exists, and every named file", () => {
  const modules = Object.entries(ROOMS).flatMap(([room, table]) =>
    table.modules === null
      ? [room]
      : Object.keys(table.modules).map((module) => `${room}/${module}`),
  );
  const all = [...modules, ...LAB_MODULES.map((module) => `${LAB}/${module}`)];
  const paths = new Set(files.map((file) => file.path));
  assert.deepEqual(
    all.filter((module) => !paths.has(`${module}/index.ts`)),
    [],
    "modules without a door",
  );
  assert.deepEqual(
    [...Object.keys(ROOMS), LAB].filter((room) => !paths.has(`${room}/index.ts`)),
    [],
    "rooms without a head",
  );
  assert.deepEqual(
    Object.keys(MAY_TOUCH).filter((path) => !paths.has(path)),
    [],
    "named files that are not there",
  );
});

const planted: readonly { name: string; path: string; text: string; found: RegExp }[] = [
  {
    name: "an import that goes up",
    path: "base/seams/bad.ts",
    text: 'import {\n  Log,\n} from "../log/index.ts";',
    found: /base\/seams must not import base\/log/,
  },
  {
    name: "a side-effect import that goes up",
    path: "base/errors/bad.ts",
    text: 'import "../../cli/index.ts";',
    found: /base\/errors must not import cli/,
  },
  {
    name: "a dynamic import that goes up",
    path: "base/errors/bad.ts",
    text: 'const log = await import("../log/index.ts");',
    found: /base\/errors must not import base\/log/,
  },
  {
    name: "an import of a neighbour that the table does not name",
    path: "base/errors/bad.ts",
    text: 'import { SeededRandom } from "../random/index.ts";',
    found: /base\/errors must not import base\/random/,
  },
  {
    name: "an import past the door",
    path: "base/log/bad.ts",
    text: 'import { ERRORS } from "../errors/error-table.ts";',
    found: /not its door/,
  },
  {
    name: "an import of a test world by the program",
    path: "base/log/bad.ts",
    text: 'import { Kernel } from "../../lab/simulator/index.ts";',
    found: /base\/log must not import lab\/simulator/,
  },
  {
    name: "a module outside the table",
    path: "base/helpers/bad.ts",
    text: "export const one = 1;",
    found: /is not in the table/,
  },
  {
    name: "an import of a room of the same level",
    path: "frontier/front/bad.ts",
    text: 'import { Parsing } from "../../parse/page/index.ts";',
    found: /frontier\/front must not import parse\/page/,
  },
  {
    name: "an import by the head of a room",
    path: "frontier/front/bad.ts",
    text: 'import "../../base/index.ts";',
    found: /base\/index.ts is outside modules/,
  },
  { name: "the wall clock", path: "base/log/bad.ts", text: "Date.now()", found: /touches clock/ },
  { name: "chance", path: "base/log/bad.ts", text: "Math.random()", found: /touches chance/ },
  { name: "timers", path: "base/log/bad.ts", text: "setTimeout(f, 1)", found: /touches timers/ },
  {
    name: "files",
    path: "base/log/bad.ts",
    text: 'import { openSync } from "node:fs";',
    found: /touches files/,
  },
  {
    name: "sockets",
    path: "base/log/bad.ts",
    text: 'import net from "node:net";',
    found: /touches sockets/,
  },
  {
    name: "files by their old name",
    path: "base/log/bad.ts",
    text: 'import { openSync } from "fs";',
    found: /touches files/,
  },
  {
    name: "timers by their old name",
    path: "base/log/bad.ts",
    text: "const { scheduler } = await import('timers/promises');",
    found: /touches timers/,
  },
  {
    name: "the clock without parentheses",
    path: "base/log/bad.ts",
    text: "const now = +new Date;",
    found: /touches clock/,
  },
  {
    name: "the process taken apart",
    path: "base/log/bad.ts",
    text: "const { env } = process;",
    found: /touches process/,
  },
  {
    name: "what stands between a string that looks like a comment and a comment",
    path: "base/log/bad.ts",
    text: 'const accept = "*/*";\nDate.now();\n/** End. */',
    found: /touches clock/,
  },
];

for (const plant of planted) {
  test(`the architecture test finds ${plant.name}`, () => {
    const found = breaches([{ path: plant.path, text: plant.text }]);
    assert.ok(
      found.some((breach) => plant.found.test(breach)),
      `found only: ${found.join("; ")}`,
    );
  });
}

test("a test beside its source may use what supports tests, the source may not", () => {
  const text = 'import { needsProgram } from "../../../test/support/requirement.ts";';
  assert.deepEqual(breaches([{ path: "base/log/good.test.ts", text }]), []);
  assert.equal(breaches([{ path: "base/log/bad.ts", text }]).length, 1);
});

test("a word in a comment is not a breach", () => {
  const text = "/** Never Date.now() here. */\n// nor setTimeout\nexport const one = 1;";
  assert.deepEqual(breaches([{ path: "base/log/good.ts", text }]), []);
});
