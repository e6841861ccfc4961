/** docs/protocol.md against code and tests: every rule is tried by a test that names it, every message is listed. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { CLUSTER_MIXES } from "../../src/lab/agents/index.ts";

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

test("every rule of the protocol is named where the code keeps it", () => {
  const code = globSync("src/**/*.ts").filter((file) => !/\.(?:test|fixture)\.ts$/.test(file));
  const named = new Set(
    code.flatMap((file) => readFileSync(file, "utf8").match(/\b[A-Z]\d\b/g) ?? []),
  );
  // What follows from the rules (I1 to I5) is nowhere in particular.
  assert.deepEqual(
    rules().filter((rule) => !rule.startsWith("I") && !named.has(rule)),
    [],
  );
});

test("no test names a rule that the protocol does not have", () => {
  const known = new Set(rules());
  const strangers = titles().filter(([, title]) => namesIn(title).some((name) => !known.has(name)));
  assert.deepEqual(strangers, []);
});

function section(title: string): string {
  const [, rest = ""] = DOCUMENT.split(`\n## ${title}\n`);
  return rest.split("\n## ", 1)[0] ?? "";
}

test("each counterexample has rules, and a mutant or a mix that tries it", () => {
  const mutants = new Set(
    [...section("Mutants").matchAll(/^\| ([^|]+) \|/gm)].map(([, one]) => one),
  );
  const mixes = new Set(CLUSTER_MIXES.map(({ name }) => `\`${name}\``));
  const rows = [
    ...section("Counterexamples").matchAll(/^\| (X\d+) \|.*\| ([^|]+) \| ([^|]+) \|$/gm),
  ];
  assert.deepEqual(
    rows.map(([, name]) => name),
    Array.from({ length: 20 }, (_none, at) => `X${at + 1}`),
  );
  for (const [, name = "", ruled = "", tried = ""] of rows) {
    const named = ruled.match(/\b[A-Z]\d\b/g) ?? [];
    assert.ok(named.length > 0 && named.every((one) => rules().includes(one)), `${name}: ${ruled}`);
    const means = tried.split(/, |; /).filter((one) => !one.startsWith("a directed schedule"));
    for (const one of means) assert.ok(mutants.has(one) || mixes.has(one), `${name}: ${one}`);
  }
});

test("the document lists every message that agents send, and no other", () => {
  const table = section("Messages");
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
