import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NumberTable } from "./number-table.ts";

const fingerprint = fc.tuple(
  fc.nat(6),
  fc.nat(0xffffffff).map((low) => low >>> 0),
);

test("as long as there is room, the table adds up like a map", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(7), fc.nat(9), fc.boolean())), (moves) => {
      const table = new NumberTable(8);
      const model = new Map<number, number>();
      for (const [low, more, isTaken] of moves) {
        if (isTaken) {
          assert.equal(table.take(1, low), model.get(low) ?? 0);
          model.delete(low);
        } else {
          model.set(low, (model.get(low) ?? 0) + more);
          assert.equal(table.add(1, low, more), model.get(low));
        }
        for (const [known, number] of model) assert.equal(table.get(1, known), number);
      }
    }),
  );
});

test("a full table forgets what is smallest, and is never wrong about what it knows", () => {
  fc.assert(
    fc.property(fc.array(fingerprint, { minLength: 20, maxLength: 100 }), (fingerprints) => {
      const table = new NumberTable(16);
      table.add(99, 99, 1000);
      const sums = new Map<string, number>();
      for (const [high, low] of fingerprints) {
        const key = `${high}/${low}`;
        sums.set(key, (sums.get(key) ?? 0) + 1);
        assert.ok(table.add(high, low, 1) <= (sums.get(key) ?? 0));
      }
      assert.equal(table.get(99, 99), 1000);
    }),
  );
});

test("what a table saves, another one restores", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fingerprint, fc.nat(9))), (added) => {
      const table = new NumberTable(1024);
      for (const [[high, low], more] of added) table.add(high, low, more);
      const other = new NumberTable(2048);
      // A view that begins anywhere, as a database gives it.
      other.restore(Buffer.concat([Buffer.of(7), table.save()]).subarray(1));
      for (const [[high, low]] of added) {
        assert.equal(other.get(high, low), table.get(high, low));
      }
      assert.deepEqual(new NumberTable(8).save().length, 0);
    }),
  );
});

test("a table that may have many slots keeps all numbers while it grows", () => {
  const table = new NumberTable(1 << 16);
  for (let low = 1; low <= 5000; low += 1) table.add(7, Math.imul(low, 0x9e3779b1) >>> 0, low);
  for (let low = 1; low <= 5000; low += 1) {
    assert.equal(table.get(7, Math.imul(low, 0x9e3779b1) >>> 0), low);
  }
  assert.equal(table.save().length, 5000 * 12);
});
