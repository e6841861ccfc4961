import assert from "node:assert/strict";
import { test } from "node:test";
import { LAYERS, MAY_TOUCH, TEST_WORLDS } from "./layers.ts";
import { breaches, circles, sourceFiles } from "./walls.ts";

const files = sourceFiles("src");

test("imports go down, through doors, and only named files touch the world", () => {
  assert.ok(files.length >= 20, "the architecture test saw too few sources: it checks nothing");
  assert.deepEqual(breaches(files), []);
});

test("the arrows inside a level lead in no circle", () => {
  assert.deepEqual(circles(LAYERS), []);
  const planted = {
    level: 1,
    modules: { runs: ["log"], log: ["sieve"], sieve: ["runs"], html: [] },
  };
  assert.deepEqual(circles([planted]), ["runs", "log", "sieve"]);
});

test("every module of the layer table exists, and every named file", () => {
  const modules = [
    ...LAYERS.flatMap((layer) => Object.keys(layer.modules)),
    ...Object.keys(TEST_WORLDS),
  ];
  const paths = new Set(files.map((file) => file.path));
  assert.deepEqual(
    modules.filter((module) => !paths.has(`${module}/index.ts`)),
    [],
    "modules without a door",
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
    path: "seams/bad.ts",
    text: 'import {\n  Log,\n} from "../log/index.ts";',
    found: /seams must not import log/,
  },
  {
    name: "a side-effect import that goes up",
    path: "errors/bad.ts",
    text: 'import "../cli/index.ts";',
    found: /errors must not import cli/,
  },
  {
    name: "a dynamic import that goes up",
    path: "errors/bad.ts",
    text: 'const log = await import("../log/index.ts");',
    found: /errors must not import log/,
  },
  {
    name: "an import of a neighbour that the table does not name",
    path: "errors/bad.ts",
    text: 'import { SeededRandom } from "../random/index.ts";',
    found: /errors must not import random/,
  },
  {
    name: "an import past the door",
    path: "log/bad.ts",
    text: 'import { ERRORS } from "../errors/error-table.ts";',
    found: /not its door/,
  },
  {
    name: "an import of a test world by the program",
    path: "log/bad.ts",
    text: 'import { Kernel } from "../simulator/index.ts";',
    found: /log must not import simulator/,
  },
  {
    name: "a module without a layer",
    path: "helpers/bad.ts",
    text: "export const one = 1;",
    found: /has no layer/,
  },
  { name: "the wall clock", path: "log/bad.ts", text: "Date.now()", found: /touches clock/ },
  { name: "chance", path: "log/bad.ts", text: "Math.random()", found: /touches chance/ },
  { name: "timers", path: "log/bad.ts", text: "setTimeout(f, 1)", found: /touches timers/ },
  {
    name: "files",
    path: "log/bad.ts",
    text: 'import { openSync } from "node:fs";',
    found: /touches files/,
  },
  {
    name: "sockets",
    path: "log/bad.ts",
    text: 'import net from "node:net";',
    found: /touches sockets/,
  },
  {
    name: "files by their old name",
    path: "log/bad.ts",
    text: 'import { openSync } from "fs";',
    found: /touches files/,
  },
  {
    name: "timers by their old name",
    path: "log/bad.ts",
    text: "const { scheduler } = await import('timers/promises');",
    found: /touches timers/,
  },
  {
    name: "the clock without parentheses",
    path: "log/bad.ts",
    text: "const now = +new Date;",
    found: /touches clock/,
  },
  {
    name: "the process taken apart",
    path: "log/bad.ts",
    text: "const { env } = process;",
    found: /touches process/,
  },
  {
    name: "what stands between a string that looks like a comment and a comment",
    path: "log/bad.ts",
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
  const text = 'import { needsProgram } from "../../test/support/requirement.ts";';
  assert.deepEqual(breaches([{ path: "log/good.test.ts", text }]), []);
  assert.equal(breaches([{ path: "log/bad.ts", text }]).length, 1);
});

test("a word in a comment is no breach", () => {
  const text = "/** Never Date.now() here. */\n// nor setTimeout\nexport const one = 1;";
  assert.deepEqual(breaches([{ path: "log/good.ts", text }]), []);
});
