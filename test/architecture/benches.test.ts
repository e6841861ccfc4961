/** A bench is one claim: its head says it, and the page on performance or a decision mentions it. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { References } from "./references.ts";

const benches = globSync("bench/*.ts").sort();
const references = References.of("{src,test,bench,scripts}/**/*.ts");

test("every bench opens with its claim", () => {
  assert.ok(benches.length >= 30, "too few benches seen");
  assert.deepEqual(
    benches.filter(
      (path) => !/^\/\*\*\n \* Claim(?:, not reached yet)?: /.test(readFileSync(path, "utf8")),
    ),
    [],
    "begin the head with `Claim: `; a file without a claim is a helper and belongs into bench/support",
  );
});

test("every bench is mentioned by the page on performance or by a decision", () => {
  const pages = globSync(["docs/performance.md", "docs/adr/*.md"]);
  const text = pages.map((path) => readFileSync(path, "utf8")).join("\n");
  assert.deepEqual(
    benches.filter((path) => !text.includes(path)),
    [],
  );
});

test("no bench is used by another file, and every helper is used by at least one", () => {
  assert.deepEqual(
    benches.filter((path) => references.usersOf(path).length > 0),
    [],
  );
  const helpers = globSync("bench/support/**/*.ts");
  assert.ok(helpers.length >= 8, "too few helpers seen");
  assert.deepEqual(
    helpers.filter((path) => references.usersOf(path).length === 0),
    [],
  );
});
