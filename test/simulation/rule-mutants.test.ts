/**
 * Unit tests of single rules find bugs: each of these is planted in a copy of what they try, and found. And
 * docs/protocol.md says truly which mutants of the prototype are planted, and which cannot be.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ACCORD_BUGS } from "./accord-bugs.ts";
import { CLAIM_BUGS } from "./claim-bugs.ts";
import { CLUSTER_BUGS } from "./cluster-bugs.ts";
import { CUSTODY_BUGS } from "./custody-bugs.ts";
import { DELIVERY_BUGS } from "./delivery-bugs.ts";
import { ENDING_BUGS } from "./ending-bugs.ts";
import { HANDOVER_BUGS } from "./handover-bugs.ts";
import { MEMBERSHIP_BUGS } from "./membership-bugs.ts";
import { failingTest } from "./planted-bugs.ts";

const RULE_BUGS = [...HANDOVER_BUGS, ...ENDING_BUGS, ...CLAIM_BUGS, ...ACCORD_BUGS];
const BESIDE = [...CLUSTER_BUGS, ...CUSTODY_BUGS, ...DELIVERY_BUGS, ...MEMBERSHIP_BUGS];
/** How many mutants the prototype had. */
const MUTANTS = 32;

for (const { test: file, ...bug } of RULE_BUGS) {
  test(`tests of rules notice when ${bug.name}`, async () => {
    const found = await failingTest(`src/${file}`, bug);
    assert.ok(found !== null, "nobody noticed");
    assert.doesNotMatch(found, /SyntaxError|TypeError|ReferenceError/);
  });
}

/** What a bug is marked with, behind its name: rules, and the mutant that it stands for. */
function marksOf(name: string): readonly string[] {
  return /\(([^()]*)\)$/.exec(name)?.[1]?.split(", ") ?? [];
}

/** The rows of the table of mutants in the document: a name, and what is planted for it. */
function rowsOfMutants(): readonly (readonly [name: string, planted: string])[] {
  const [, section = ""] = readFileSync("docs/protocol.md", "utf8").split("\n## Mutants\n");
  const [table = ""] = section.split("\n## ");
  const rows = [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)];
  return rows.slice(1).map(([, name = "", planted = ""]) => [name, planted] as const);
}

test("each mutant of the prototype is planted, or the document says why it cannot be", () => {
  const marks = new Set([...RULE_BUGS, ...BESIDE].flatMap(({ name }) => marksOf(name)));
  const rows = rowsOfMutants();
  assert.equal(rows.length, MUTANTS);
  for (const [name, planted] of rows) {
    assert.equal(marks.has(name), !planted.startsWith("cannot be planted: "), name);
  }
});

test("each planted bug has its own name", () => {
  const names = [...RULE_BUGS, ...BESIDE].map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});
