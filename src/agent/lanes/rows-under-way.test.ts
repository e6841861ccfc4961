import assert from "node:assert/strict";
import { test } from "node:test";
import { RowsUnderWay } from "./rows-under-way.ts";

test("whoever waits is told when the rows that came before have their numbers, whatever comes later", () => {
  const rows = new RowsUnderWay();
  const told: string[] = [];
  rows.whenNone(() => told.push("at once"));
  const [first, second] = [rows.begin(), rows.begin()];
  rows.whenNone(() => told.push("after two"));
  const third = rows.begin();
  rows.whenNone(() => told.push("after three"));
  second();
  assert.deepEqual(told, ["at once"]);
  first();
  first();
  assert.deepEqual(told, ["at once", "after two"]);
  third();
  assert.deepEqual(told, ["at once", "after two", "after three"]);
});
