import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Row } from "../../base/seams/index.ts";
import { EMPTY_TALLY, TallyCount } from "./tally.ts";

const anyRow: fc.Arbitrary<Row> = fc.record({
  requisite: fc.constantFrom(0, 1),
  bytes: fc.nat(1000),
  status: fc.constantFrom(0, 200, 404),
  mime: fc.constantFrom(null, "text/html", "image/png"),
  language: fc.constantFrom(null, "en"),
  depth: fc.nat(3),
});

test("counting rows in and out again leaves nothing", () => {
  fc.assert(
    fc.property(fc.array(anyRow), fc.array(anyRow), (kept, passing) => {
      const count = new TallyCount(EMPTY_TALLY);
      for (const row of [...kept, ...passing]) count.count(row, 1);
      for (const row of passing) count.count(row, -1);
      const only = new TallyCount(EMPTY_TALLY);
      for (const row of kept) only.count(row, 1);
      assert.deepEqual(count.tally, only.tally);
    }),
  );
});

test("requisites are counted apart", () => {
  const count = new TallyCount(EMPTY_TALLY);
  const facts = { bytes: 7, status: 200, mime: "text/css", language: null, depth: 1 };
  count.count({ ...facts, requisite: 1 }, 1);
  count.count({ ...facts, requisite: 0 }, 1);
  const { pages, requisites, bytes, mime } = count.tally;
  assert.deepEqual([pages, requisites, bytes, mime], [1, 1, 7, { "text/css": 1 }]);
});

test("a server that makes up types does not make the tally grow for ever", () => {
  const count = new TallyCount(EMPTY_TALLY);
  for (let type = 0; type < 5000; type += 1) {
    count.count({ requisite: 0, bytes: 0, status: 200, mime: `x/${type}`, depth: 0 }, 1);
  }
  const { mime } = count.tally;
  assert.equal(Object.keys(mime).length, 1001);
  assert.equal(mime["other"], 4000);
});
