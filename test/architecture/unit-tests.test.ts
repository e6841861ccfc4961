/** Tests are found by name: see `unit-tests.ts` for the rule, `covered-elsewhere.ts` for the rest. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { COVERED_ELSEWHERE } from "./covered-elsewhere.ts";
import { References } from "./references.ts";
import { hasCode, listMistakes, sourceOf, UNTESTED_LINES_MAX } from "./unit-tests.ts";
import { isOfTests } from "./walls.ts";

const references = References.of("{src,test,bench,scripts}/**/*.ts");
const paths: ReadonlySet<string> = new Set(references.paths);
const inSrc = references.paths.filter((path) => path.startsWith("src/"));
const unitTests = inSrc.filter((path) => path.endsWith(".test.ts"));
const tested = new Set(unitTests.map((path) => sourceOf(path, paths)));
const untested: ReadonlySet<string> = new Set(
  inSrc.filter((path) => !isOfTests(path) && !tested.has(path) && isLong(path)),
);

function isLong(path: string): boolean {
  const text = readFileSync(path, "utf8");
  return text.split("\n").length - 1 > UNTESTED_LINES_MAX && hasCode(text);
}

test("a unit test is named after a source beside it", () => {
  assert.ok(unitTests.length >= 200, "too few unit tests seen");
  assert.deepEqual(
    unitTests.filter((path) => sourceOf(path, paths) === undefined),
    [],
    "name it x.test.ts or x-aspect.test.ts, with x.ts beside it",
  );
});

test("a test belongs to the source with the longest name that fits", () => {
  const beside = new Set(["src/a/page.ts", "src/a/page-store.ts"]);
  assert.equal(sourceOf("src/a/page-store-limits.test.ts", beside), "src/a/page-store.ts");
  assert.equal(sourceOf("src/a/page-limits.test.ts", beside), "src/a/page.ts");
  assert.equal(sourceOf("src/a/pages.test.ts", beside), undefined);
  assert.equal(sourceOf("src/b/page.test.ts", beside), undefined);
});

test("a long source has a test, or the test that covers it is on the list", () => {
  assert.deepEqual(
    [...untested].filter((path) => !(path in COVERED_ELSEWHERE)),
    [],
    "write its test; or, if another covers it well, add it to covered-elsewhere.ts",
  );
});

test("every entry of the list is true and needed", () => {
  assert.deepEqual(listMistakes(references, untested), []);
});

test("a wrong entry of the list is found", () => {
  const texts = new Map([
    ["src/a.ts", ""],
    ["src/b.ts", ""],
    ["src/c.test.ts", 'import "./b.ts";'],
    ["src/b.test.ts", 'import "./c.test.ts";'],
  ]);
  const mistakesOf = (list: Record<string, string>): string[] =>
    listMistakes(new References(texts), new Set(["src/a.ts", "src/b.ts"]), list);
  assert.deepEqual(mistakesOf({ "src/b.ts": "src/b.test.ts" }), []);
  assert.match(mistakesOf({ "src/x.ts": "src/b.test.ts" }).join(), /x\.ts: is not there/);
  assert.match(mistakesOf({ "src/c.test.ts": "src/b.test.ts" }).join(), /needs none/);
  assert.match(mistakesOf({ "src/b.ts": "src/d.test.ts" }).join(), /d\.test\.ts is not there/);
  assert.match(mistakesOf({ "src/b.ts": "src/a.ts" }).join(), /a\.ts is not there/);
  assert.match(mistakesOf({ "src/a.ts": "src/b.test.ts" }).join(), /does not reach it/);
});

test("a fixture is used only by tests of its own folder", () => {
  const fixtures = inSrc.filter((path) => path.endsWith(".fixture.ts"));
  assert.ok(fixtures.length >= 5, "too few fixtures seen");
  const strays = fixtures.flatMap((fixture) =>
    references
      .usersOf(fixture)
      .filter((user) => !isOfTests(user) || dirname(user) !== dirname(fixture))
      .map((user) => `${fixture} is used by ${user}`),
  );
  assert.deepEqual(strays, []);
  assert.deepEqual(
    fixtures.filter((fixture) => references.usersOf(fixture).length === 0),
    [],
  );
});

test("a helper in test/support has at least two users", () => {
  const helpers = references.paths.filter((path) => path.startsWith("test/support/"));
  assert.ok(helpers.length >= 50, "too few helpers seen");
  const isHelper = (path: string): boolean => path.startsWith("test/support/");
  const lonely = helpers.map((helper) => {
    const users = [...references.reachersOf(helper, isHelper)].filter((path) => !isHelper(path));
    return { helper, users };
  });
  assert.deepEqual(
    lonely
      .filter(({ users }) => users.length < 2)
      .map(({ helper, users }) => `${helper}: ${users}`),
    [],
    "move it beside its one user, in src as x.fixture.ts",
  );
});
