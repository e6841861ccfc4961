import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { loanOf, recalledOf, surplusOf } from "./lending.ts";

const spare = fc.record({
  free: fc.integer({ min: 0, max: 1000 }),
  canUse: fc.boolean(),
  least: fc.integer({ min: 1, max: 50 }),
});
const members = fc.integer({ min: 1, max: 100 });

test("M3: nobody lends more than it has, or its last while it has work for it", () => {
  fc.assert(
    fc.property(spare, members, (has, count) => {
      for (const lent of [loanOf(has, count, 0), surplusOf(has, count), recalledOf(has, false)]) {
        assert.ok(lent >= 0 && lent <= has.free);
        if (has.canUse && lent > 0) assert.ok(has.free - lent > 0);
      }
    }),
  );
});

test("M3: whoever has no work for what it has lends something, however little it is", () => {
  fc.assert(
    fc.property(spare, members, ({ free, least }, count) => {
      const has = { free, least, canUse: false };
      assert.equal(loanOf(has, count, 0) > 0, free > 0);
      assert.equal(recalledOf(has, false), free);
    }),
  );
});

test("M3: a few lenders cannot be asked for ever: each loan is a share", () => {
  fc.assert(
    fc.property(members, (count) => {
      let free = 1_000_000;
      let loans = 0;
      for (; free > 1; loans += 1) free -= loanOf({ free, canUse: true, least: 1 }, count, 0);
      assert.ok(loans <= (count + 1) * 20, `${loans} loans`);
    }),
  );
});

test("M7: a debt is paid as a whole, and before anything is kept", () => {
  assert.equal(loanOf({ free: 10, canUse: true, least: 1 }, 3, 10), 10);
  assert.equal(loanOf({ free: 10, canUse: true, least: 1 }, 3, 7), 7);
  assert.equal(recalledOf({ free: 10, canUse: true, least: 1 }, true), 10);
});

test("M3: whoever would only welcome it gets nothing where little is left for each", () => {
  assert.equal(surplusOf({ free: 19, canUse: true, least: 10 }, 1), 0);
  assert.equal(surplusOf({ free: 20, canUse: true, least: 10 }, 1), 10);
});
