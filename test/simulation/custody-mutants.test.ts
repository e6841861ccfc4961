/** Tests of custody and delivery find bugs: each of these is planted in a copy of them, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CUSTODY_BUGS } from "./custody-bugs.ts";
import { DELIVERY_BUGS } from "./delivery-bugs.ts";
import { testsWithBug } from "./planted-bugs.ts";

for (const { test: file, ...bug } of [...CUSTODY_BUGS, ...DELIVERY_BUGS]) {
  test(`tests of custody and delivery notice when ${bug.name}`, async () => {
    const tests = await testsWithBug(`src/cluster/${file}`, bug);
    assert.ok(tests.length > 0, `there are tests in ${file}`);
    let found: string | null = null;
    for (const { name, run } of tests) {
      try {
        await run();
      } catch (error) {
        found = `${name}: ${error}`;
        break;
      }
    }
    assert.ok(found !== null, "nobody noticed");
    assert.doesNotMatch(found, /SyntaxError|TypeError|ReferenceError/);
  });
}
