import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Chance } from "./chance.ts";
import { drawRank, LogNormalTable, rankSpread, spreadRank } from "./power-law.ts";
import { WeightTable } from "./weight-table.ts";

test("ranks are within their count, whatever is drawn", () => {
  const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000_000 }), unit, (count, drawn) => {
      const rank = drawRank(drawn, rankSpread(count), count);
      assert.ok(Number.isInteger(rank) && rank >= 0 && rank < count);
    }),
  );
});

test("how often a rank is drawn falls with its power of 0.95", () => {
  const [count, draws] = [1000, 400_000];
  const row = new Chance("zipf", "ranks").at(0, 0);
  const counts = new Array<number>(count).fill(0);
  const spread = rankSpread(count);
  for (let draw = 0; draw < draws; draw += 1) {
    const rank = drawRank(row.unit(), spread, count);
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  for (const first of [1, 3, 10, 30, 100]) {
    const octave = (from: number) =>
      counts.slice(from - 1, 2 * from - 1).reduce((sum, one) => sum + one, 0);
    const ratio = octave(first) / octave(2 * first);
    // Of a power law with 0.95 each octave has 2^0.05 times as many as the one before.
    assert.ok(Math.abs(ratio - 2 ** -0.05) < 0.03, `octave of ${first}: ${ratio}`);
  }
});

test("spreading ranks leaves none out and the first where it was", () => {
  for (const count of [1, 2, 3, 10, 97, 1024, 30_030]) {
    const spread = Array.from({ length: count }, (_, rank) => spreadRank(rank, count));
    assert.equal(new Set(spread).size, count);
    assert.equal(spread[0], 0);
  }
});

test("a log-normal table has the median and the mean of its distribution", () => {
  const table = new LogNormalTable({ median: 1000, spread: 0.8, max: 1e9 });
  const words = Array.from({ length: 4096 }, (_, index) => index * 2 ** 20);
  const values = words.map((word) => table.choose(word));
  assert.ok(Math.abs((values[2048] ?? 0) - 1000) < 5);
  assert.ok(Math.abs(table.mean - 1000 * Math.exp(0.8 ** 2 / 2)) < 10, `${table.mean}`);
  assert.deepEqual(
    values,
    values.toSorted((one, other) => one - other),
  );
});

test("things are chosen in their shares, and the first has what is left", () => {
  const table = new WeightTable([0, 0.25, 0, 0.1]);
  const counts = [0, 0, 0, 0];
  for (let word = 0; word < 2 ** 32; word += 2 ** 16) {
    const thing = table.choose(word);
    counts[thing] = (counts[thing] ?? 0) + 1;
  }
  assert.deepEqual(
    counts.map((count) => Math.round((count / 2 ** 16) * 1000)),
    [650, 250, 0, 100],
  );
});

test("shares of more than everything are made smaller in proportion", () => {
  const table = new WeightTable([0, 3, 1]);
  const chosen = [0, 0.5, 0.74, 0.76, 0.999].map((unit) => table.choose(unit * 2 ** 32));
  assert.deepEqual(chosen, [1, 1, 1, 2, 2]);
});
