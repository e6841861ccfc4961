import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressUse } from "./address-use.ts";

test("what a granter has said earlier does not count, of this session or one before", () => {
  const use = new AddressUse("192.0.2.1", 0);
  assert.ok(use.hears(2, 5));
  assert.ok(!use.hears(2, 4));
  assert.ok(!use.hears(1, 9));
  assert.ok(use.hears(2, 5), "the same again");
  assert.ok(use.hears(3, 1));
});
