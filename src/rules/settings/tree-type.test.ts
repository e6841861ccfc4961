import assert from "node:assert/strict";
import { test } from "node:test";
import { flatScalar, type Given } from "./given.ts";
import { MistakeList } from "./mistake.ts";
import { readYaml } from "./read-yaml.ts";
import { map, record } from "./tree-type.ts";
import { count, nullable, text, type ValueType } from "./value-type.ts";

const NUMBER = count({ min: 1, max: 10 });
const WORD = text({ form: "a word", examples: ["a"] });
const PAIRS = map(NUMBER, {
  form: "names and numbers",
  examples: ["{a: 1}"],
  nameProblem: (name) => (/^[a-z]+$/i.test(name) ? null : "is not letters alone"),
});

interface Span {
  readonly from: number;
  readonly to: number | null;
}

const SPAN = record<Span>(
  { from: NUMBER, to: nullable(NUMBER) },
  {
    form: "two ends",
    examples: ["{from: 1}"],
    check: ({ from, to }) => (to !== null && to < from ? "ends before it begins" : null),
  },
);

function given(yaml: string): Given {
  const read = readYaml(yaml, () => ({ kind: "default" }), new MistakeList());
  assert.ok(read !== null, yaml);
  return read;
}

/** The value, or everything that was refused. */
function read<Value>(type: ValueType<Value>, from: Given | string): Value | string[] {
  const problems: string[] = [];
  const value = type.read(
    typeof from === "string" ? given(from) : from,
    (one, problem, nearest) => {
      const shown = one.kind === "scalar" ? one.text : one.kind;
      problems.push(`${shown} ${problem}${nearest ? ` (${nearest})` : ""}`);
    },
  );
  assert.equal(value === undefined, problems.length > 0, "undefined exactly when refused");
  return value ?? problems;
}

test("a map keeps names and values in their order", () => {
  assert.deepEqual(read(PAIRS, "{zeta: 2, Alpha: 1}"), [
    ["zeta", 2],
    ["Alpha", 1],
  ]);
  assert.deepEqual(read(PAIRS, "{__proto: 1}"), ["__proto is not letters alone"]);
  assert.deepEqual(read(PAIRS, "{constructor: 1}"), [["constructor", 1]]);
});

test("no value at all is an empty map", () => {
  for (const nothing of ["~", "null", "{}"]) assert.deepEqual(read(PAIRS, nothing), []);
});

test("a source without trees writes a map as names and values with colons", () => {
  const flat = (line: string): Given => flatScalar(line, { kind: "default" });
  assert.deepEqual(read(PAIRS, flat("a: 1, b:2")), [
    ["a", 1],
    ["b", 2],
  ]);
  assert.deepEqual(read(PAIRS, flat("a: 1, 2")), ["a: 1, 2 is not a tree of names and values"]);
  assert.deepEqual(read(PAIRS, flat(":1")), [":1 is not a tree of names and values"]);
  assert.deepEqual(
    read(map(WORD, { form: "", examples: [], nameProblem: () => null }), flat("a: b:c")),
    [["a", "b:c"]],
  );
});

test("names that differ in case are one, and every mistake of a map is reported", () => {
  assert.deepEqual(read(PAIRS, "{a: 1, A: 2}"), ["A is given twice"]);
  assert.deepEqual(read(PAIRS, "{A: 1, a: 2}"), ["a is given twice"]);
  const problems = read(PAIRS, "{a-b: 1, c: 99, d: 3}");
  assert.equal(problems.length, 2);
  assert.match(String(problems), /a-b is not letters alone,99 /);
  assert.deepEqual(read(PAIRS, "[1]"), ["list is not a tree of names and values"]);
});

test("a record has its fields, and one that may be left out is null", () => {
  assert.deepEqual(read(SPAN, "{to: 3, from: 2}"), { from: 2, to: 3 });
  assert.deepEqual(read(SPAN, "{from: 2}"), { from: 2, to: null });
  assert.equal(read(SPAN, "{to: 2}").toString().includes("2"), false, "from is missing");
});

test("an unknown field is refused with the nearest one", () => {
  assert.deepEqual(read(SPAN, "{from: 1, too: 2}"), ["too is not one of its fields (to)"]);
  assert.deepEqual(read(SPAN, "7"), ["7 is not a tree of fields"]);
});

test("fields that are legal by themselves may be wrong together", () => {
  assert.deepEqual(read(SPAN, "{from: 3, to: 2}"), ["tree ends before it begins"]);
});

test("what is written is read back", () => {
  const pairs = [["a", 1] as const, ["constructor", 2] as const];
  assert.deepEqual(read(PAIRS, PAIRS.write(pairs)), pairs);
  for (const span of [
    { from: 1, to: null },
    { from: 1, to: 2 },
  ]) {
    assert.deepEqual(read(SPAN, SPAN.write(span)), span);
  }
});
