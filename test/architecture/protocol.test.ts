/** docs/protocol.md against code and tests: every rule is tried by a test that names it, every message is listed. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const DOCUMENT = readFileSync("docs/protocol.md", "utf8");
const TESTS = ["src/**/*.test.ts", "test/**/*.test.ts"];

/** `G1`, where the document says what it means; U6 has a condition behind its name. */
function rules(): readonly string[] {
  return [
    ...new Set([...DOCUMENT.matchAll(/\b([A-Z]\d)(?::|, with| \(`)/g)].map(([, name]) => name)),
  ]
    .filter((name) => name !== undefined)
    .sort();
}

/** What tests are called, with their files. */
function titles(): readonly (readonly [file: string, title: string])[] {
  return globSync(TESTS).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^\s*test\(\s*["'`]([^\n]*)/gm)].map(
      ([, title = ""]) => [file, title] as const,
    ),
  );
}

function namesIn(title: string): readonly string[] {
  const [, names = ""] = /^((?:[A-Z]\d, )*[A-Z]\d): /.exec(title) ?? [];
  return names === "" ? [] : names.split(", ");
}

test("the rules of the protocol are found in the document", () => {
  for (const rule of [
    "D1",
    "U6",
    "G7",
    "B5",
    "S1",
    "L1",
    "C1",
    "P1",
    "P2",
    "M9",
    "A1",
    "Q3",
    "T1",
    "I4",
  ]) {
    assert.ok(rules().includes(rule), rule);
  }
});

test("every rule of the protocol is tried by tests that name it", () => {
  const named = new Set(titles().flatMap(([, title]) => namesIn(title)));
  assert.ok(named.size > 30, "tests were found");
  assert.deepEqual(
    rules().filter((rule) => !named.has(rule)),
    [],
  );
});

test("no test names a rule that the protocol does not have", () => {
  const known = new Set(rules());
  const strangers = titles().filter(([, title]) => namesIn(title).some((name) => !known.has(name)));
  assert.deepEqual(strangers, []);
});

test("the document lists every message that agents send, and no other", () => {
  const [, section = ""] = DOCUMENT.split("\n## Messages\n");
  const [table = ""] = section.split("\n## ");
  const listed = [...table.matchAll(/^\| `([a-z.]+)` \|/gm)].map(([, name]) => name).sort();
  const sources = globSync("src/cluster/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const sent = sources.flatMap((file) => {
    // What a comment shows is not sent.
    const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    return [...code.matchAll(/messageType\(\s*"([a-z.]+)"/g)].map(([, name]) => name);
  });
  assert.ok(sent.length > 20, "messages were found");
  assert.deepEqual(listed, [...new Set(sent)].sort());
});
