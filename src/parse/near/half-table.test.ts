import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hammingDistance } from "../digest/index.ts";
import { EQUAL_MAX } from "./block-table.ts";
import { HalfTable, halfColumns } from "./half-table.ts";

function tableOf(sorted: readonly number[]): HalfTable {
  return new HalfTable(halfColumns(Uint32Array.from(sorted)));
}

function found(table: HalfTable, half: number, turnsBits: boolean): number[] {
  const positions: number[] = [];
  table.search(half, turnsBits, {
    hit: (from, to) => {
      for (let at = from; at < to; at++) positions.push(at);
    },
  });
  return positions.sort((one, other) => one - other);
}

/** Many alike: from few bits. */
const half = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.tuple(fc.nat({ max: 31 }), fc.nat({ max: 31 })).map(([a, b]) => ((1 << a) | (1 << b)) >>> 0),
);

test("a search finds the halves that differ in at most one bit, and no others", () => {
  fc.assert(
    fc.property(fc.array(half, { maxLength: 400 }), half, (halves, wanted) => {
      const sorted = halves.toSorted((one, other) => one - other);
      const table = tableOf(sorted);
      for (const turnsBits of [true, false]) {
        const expected = [...sorted.keys()].filter(
          (at) => hammingDistance(0, sorted[at] ?? 0, 0, wanted) <= (turnsBits ? 1 : 0),
        );
        assert.deepEqual(found(table, wanted, turnsBits), expected);
      }
    }),
  );
});

test("a long bucket is searched as well as a short one", () => {
  const sorted = Array.from({ length: 20_000 }, (_, index) => 0x1234_0000 + index * 3);
  const table = tableOf(sorted);
  for (const wanted of [0x1234_0000, 0x1234_0003, 0x1234_8001, 0x1235_0003]) {
    const expected = [...sorted.keys()].filter(
      (at) => hammingDistance(0, sorted[at] ?? 0, 0, wanted) <= 1,
    );
    assert.deepEqual(found(table, wanted, true), expected);
  }
});

test("of very many equal halves only a limited number is looked at", () => {
  const table = tableOf(Array.from({ length: 10_000 }, () => 77));
  assert.equal(found(table, 77, false).length, EQUAL_MAX);
});
