import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOfUse } from "./provider-order.ts";

const order = (uses: Readonly<Record<string, readonly string[]>>) =>
  orderOfUse(new Map(Object.entries(uses)));

test("a provider comes after those that it uses", () => {
  assert.deepEqual(order({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] }).ids, ["d", "b", "c", "a"]);
  assert.deepEqual(order({ a: [], b: ["a", "a"], c: ["elsewhere"] }).ids, [
    ...["a", "b", "elsewhere", "c"],
  ]);
});

test("a circle is named from where it begins", () => {
  assert.deepEqual(order({ a: ["a"] }).circle, ["a"]);
  assert.deepEqual(order({ x: ["a"], a: ["y", "b"], b: ["c"], c: ["a"], y: [] }).circle, [
    ...["a", "b", "c"],
  ]);
});

test("a chain of providers may be as long as a file", () => {
  const count = 100_000;
  const uses = new Map(
    Array.from({ length: count }, (_, at): [string, string[]] => [`p${at}`, [`p${at + 1}`]]),
  );
  assert.equal(orderOfUse(uses).ids?.at(-1), "p0");
  uses.set(`p${count}`, ["p0"]);
  assert.equal(orderOfUse(uses).circle?.length, count + 1);
});
