import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { deadNames } from "../../scripts/dead-code/dead-names.ts";
import { WAITING } from "../../scripts/waiting.ts";

const report = {
  issues: [
    { file: "src/base/ring/ring.ts", files: [{ name: "src/base/ring/ring.ts" }], exports: [] },
    { file: "src/base/log/log.ts", files: [], exports: [{ name: "seal" }, { name: "trim" }] },
  ],
};

test("an unused name that nothing waits for is dead", () => {
  assert.deepEqual(deadNames(report, { cluster: ["src/base/ring/"] }), [
    "src/base/log/log.ts seal: used by no part of the program",
    "src/base/log/log.ts trim: used by no part of the program",
  ]);
});

test("what waits may be unused, a file, a folder or one export", () => {
  const names = ["src/base/log/log.ts seal", "src/base/log/log.ts trim"];
  assert.deepEqual(deadNames(report, { a: ["src/base/ring/"], b: names }), []);
  assert.deepEqual(deadNames(report, { a: ["src/base/ring/ring.ts", ...names] }), []);
});

test("an entry of the list that is used, or is gone, is a mistake", () => {
  const found = deadNames({ issues: [] }, { cluster: ["src/base/ring/", "src/a.ts b"] });
  assert.deepEqual(found, [
    "src/base/ring/: waits no longer; take it off scripts/waiting.ts",
    "src/a.ts b: waits no longer; take it off scripts/waiting.ts",
  ]);
});

test("the list names files that exist", () => {
  const paths = Object.values(WAITING)
    .flat()
    .map((entry) => entry.split(" ")[0] ?? "");
  assert.deepEqual(
    paths.filter((path) => !existsSync(path)),
    [],
  );
});

test("each step has its number and its title, the next one first, and something that waits", () => {
  const steps = Object.keys(WAITING).map((step) => /^(\d+) · \S.+$/.exec(step)?.[1]);
  assert.ok(!steps.includes(undefined), "a step is written `13 · Its title`");
  assert.deepEqual(
    steps,
    [...steps].sort((one, other) => Number(one) - Number(other)),
  );
  assert.ok(Object.values(WAITING).every((names) => names.length > 0));
});
