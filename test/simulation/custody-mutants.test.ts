/** Tests of custody and delivery find bugs: each of these is planted in a copy of them, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CUSTODY_BUGS } from "./custody-bugs.ts";
import { DELIVERY_BUGS } from "./delivery-bugs.ts";
import { failingTest } from "./planted-bugs.ts";

for (const { test: file, ...bug } of [...CUSTODY_BUGS, ...DELIVERY_BUGS]) {
  test(`tests of custody and delivery notice when ${bug.name}`, async () => {
    const found = await failingTest(`src/cluster/${file}`, bug);
    assert.ok(found !== null, "nobody noticed");
    assert.doesNotMatch(found, /SyntaxError|TypeError|ReferenceError/);
  });
}
