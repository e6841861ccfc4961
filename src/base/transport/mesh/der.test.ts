import assert from "node:assert/strict";
import { test } from "node:test";
import { der } from "./der.ts";

test("lengths are written in as few bytes as possible", () => {
  const headOf = (length: number): string =>
    der
      .octets(Buffer.alloc(length))
      .subarray(0, -length || undefined)
      .toString("hex");
  assert.equal(headOf(0), "0400");
  assert.equal(headOf(127), "047f");
  assert.equal(headOf(128), "048180");
  assert.equal(headOf(255), "0481ff");
  assert.equal(headOf(256), "04820100");
  assert.equal(headOf(65_535), "0482ffff");
});

test("shapes are put together", () => {
  const whole = der.sequence(der.integer(2), der.set(der.text("é")), der.at(3, der.yes()));
  assert.equal(whole.toString("hex"), "300e02010231040c02c3a9a3030101ff");
  assert.equal(der.bits(Buffer.of(5)).toString("hex"), "03020005");
  assert.equal(der.newYear(2026).toString("latin1").slice(2), "260101000000Z");
});
