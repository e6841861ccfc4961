import assert from "node:assert/strict";
import { test } from "node:test";
import { parseChecked, printChecked } from "./checked-json.ts";

const VALUE = { format: 1, seeds: ["http://a.test/ä"], more: { none: null } };

test("what was printed is read again, and so is what has no checksum", () => {
  for (const indent of [0, 2]) assert.deepEqual(parseChecked(printChecked(VALUE, indent)), VALUE);
  assert.deepEqual(parseChecked(JSON.stringify(VALUE)), VALUE);
});

test("no altered bit gives another value", () => {
  const bytes = Buffer.from(printChecked(VALUE));
  for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const found = parseChecked(altered.toString());
    if (found === null) continue;
    const { format, seeds, more } = found;
    assert.deepEqual({ format, seeds, more }, VALUE, `bit ${bit}`);
  }
});

test("what is not an object is nothing", () => {
  for (const text of ["", "[]", "null", "{", "3"]) assert.equal(parseChecked(text), null);
});

test("where every version had a checksum, a file without one is not as it was written", () => {
  assert.deepEqual(parseChecked(printChecked(VALUE), "must-have"), VALUE);
  assert.equal(parseChecked(JSON.stringify(VALUE), "must-have"), null);
  assert.equal(
    parseChecked(printChecked(VALUE).replace("checksum", "checksun"), "must-have"),
    null,
  );
});
