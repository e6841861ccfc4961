import assert from "node:assert/strict";
import { test } from "node:test";
import { COUNT, choice, list, nullable, object, problemsOf, table, text } from "./schema.ts";

const SCHEMA = object(
  {
    action: choice("go", "stay"),
    count: { ...COUNT, maximum: 9 },
    names: list(text(undefined, { minLength: 1, maxLength: 3, pattern: "^[a-z]*$" }), {
      ...{ minItems: 1, maxItems: 2 },
    }),
    more: table(nullable(COUNT)),
  },
  ["count", "names", "more"],
);

const GOOD: readonly unknown[] = [
  { action: "go" },
  { action: "stay", count: 9, names: ["a", "abc"], more: { x: 1, y: null } },
];
for (const value of GOOD) {
  test(`${JSON.stringify(value)} has the form`, () => {
    assert.deepEqual(problemsOf(SCHEMA, value), []);
  });
}

const BAD: readonly [value: unknown, told: readonly string[]][] = [
  [null, ["the body must be an object"]],
  [[], ["the body must be an object"]],
  [{}, ["the body lacks action"]],
  [{ action: "run" }, ["the body.action must be one of go, stay"]],
  [{ action: "go", other: 1 }, ['the body has no "other"']],
  [JSON.parse('{"action":"go","__proto__":{"x":1}}'), ['the body has no "__proto__"']],
  [JSON.parse('{"action":"go","constructor":1}'), ['the body has no "constructor"']],
  [{ action: "go", count: 1.5 }, ["the body.count must be a whole number"]],
  [{ action: "go", count: -1 }, ["the body.count must be at least 0"]],
  [{ action: "go", count: 1e300 }, ["the body.count must be a whole number"]],
  [{ action: "go", names: [] }, ["the body.names needs at least 1"]],
  [{ action: "go", names: ["a", "b", "c"] }, ["the body.names has more than 2"]],
  [
    { action: "go", names: ["", "A"] },
    ["the body.names[0] is too short", "the body.names[1] has not the form ^[a-z]*$"],
  ],
  [{ action: "go", names: ["abcd"] }, ["the body.names[0] is longer than 3 characters"]],
  [{ action: "go", more: { x: "1" } }, ["the body.more.x must be a whole number or null"]],
];
for (const [value, told] of BAD) {
  test(`${JSON.stringify(value)} has not the form`, () => {
    assert.deepEqual(problemsOf(SCHEMA, value), told);
  });
}

test("of very many mistakes only the first are told", () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 1]));
  assert.equal(problemsOf(SCHEMA, many).length, 20);
});

test("of several forms the nearest is explained", () => {
  const either = { anyOf: [object({ a: COUNT, b: COUNT }), object({ c: COUNT })] };
  assert.deepEqual(problemsOf(either, { c: 1 }), []);
  assert.deepEqual(problemsOf(either, { a: 1 }), ["the body lacks b"]);
});

test("of forms that differ by a choice the one that is named is explained", () => {
  const act = {
    anyOf: [object({ do: choice("a", "b") }), object({ do: choice("c"), to: text() })],
  };
  assert.deepEqual(problemsOf(act, { do: "c", to: "x" }), []);
  assert.deepEqual(problemsOf(act, { do: "c", x: 1 }), [
    "the body lacks to",
    'the body has no "x"',
  ]);
  assert.deepEqual(problemsOf(act, { do: "d", x: 1 }), ["the body.do must be one of a, b, c"]);
  assert.deepEqual(problemsOf(act, {}), ["the body lacks do"]);
  assert.deepEqual(problemsOf(act, null), ["the body must be an object"]);
});
