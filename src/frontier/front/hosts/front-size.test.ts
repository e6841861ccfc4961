import assert from "node:assert/strict";
import { test } from "node:test";
import { FrontSize } from "./front-size.ts";

test("the required front grows only when it was there and was not enough", () => {
  const front = new FrontSize(1 << 28);
  const first = front.required;
  front.hungry(first - 1);
  assert.equal(front.required, first);
  const records = front.windowRecords;
  for (let time = 0; time < 100; time += 1) front.hungry(front.required);
  assert.ok(front.required > 1000 * first);
  assert.ok(front.windowRecords < records, "more hosts, fewer records of each");
  assert.ok(front.windowRecords >= 4);
});
