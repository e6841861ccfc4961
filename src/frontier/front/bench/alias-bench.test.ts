import assert from "node:assert/strict";
import { test } from "node:test";
import { AliasBench } from "./alias-bench.ts";
import { AliasTable } from "./alias-table.ts";
import { NONE } from "./seat-heaps.ts";

const EDGE = "edge.example";

function lanes(count: number): AliasBench[] {
  const memory = AliasTable.memory(count, 1024);
  return Array.from(
    { length: count },
    (_, lane) => new AliasBench(new AliasTable({ memory, lane }), false),
  );
}

test("of one canonical name one seat is admitted, and the next after the longest delay", () => {
  const [bench] = lanes(1) as [AliasBench];
  bench.table.tell(EDGE, 1000);
  bench.table.tell(EDGE, 5000);
  bench.table.tell("other.example", 60_000);
  for (const seat of [0, 1]) bench.put(seat, EDGE, 0, 0);
  assert.equal(bench.admit(0), 0);
  assert.equal(bench.admit(0), NONE);
  bench.dismiss(0, { endAtMs: 300, restsUntilMs: 1300 });
  assert.deepEqual([bench.nextAtMs, bench.admit(5299), bench.admit(5300)], [5300, NONE, 1]);
});

test("a seat that was admitted in vain lets the next one follow at once", () => {
  const [bench] = lanes(1) as [AliasBench];
  bench.table.tell(EDGE, 1000);
  for (const seat of [0, 1]) bench.put(seat, EDGE, 0, 0);
  assert.equal(bench.admit(7), 0);
  bench.dismiss(0, null);
  assert.equal(bench.admit(7), 1);
});

test("a server without delays is visited once at a time, in all lanes together", () => {
  const [one, other] = lanes(2) as [AliasBench, AliasBench];
  one.put(0, EDGE, 0, 0);
  other.put(0, EDGE, 0, 0);
  assert.deepEqual([one.admit(0), other.admit(0)], [0, NONE]);
  assert.ok(other.nextAtMs > 0 && other.nextAtMs < 100, "it looks again soon, and not at once");
  one.dismiss(0, { endAtMs: 50, restsUntilMs: 50 });
  assert.equal(other.admit(50), 0);
});

test("the delay of a host in another lane counts until that lane forgets it", () => {
  const [one, other] = lanes(2) as [AliasBench, AliasBench];
  const restAfter = (endAtMs: number): number => {
    one.put(0, EDGE, endAtMs, 0);
    assert.equal(one.admit(endAtMs), 0);
    one.dismiss(0, { endAtMs, restsUntilMs: endAtMs });
    one.put(0, EDGE, endAtMs, 0);
    assert.ok(one.tryWithdraw(0) || assert.fail("it waits"));
    return one.table.save(endAtMs).resting[0]?.[1] ?? 0;
  };
  one.table.tell(EDGE, 1000);
  other.table.tell(EDGE, 4000);
  assert.equal(restAfter(0), 4000);
  other.table.forgetDelays();
  assert.equal(restAfter(4000), 1000);
});

test("a server rests as long after the process ended as before, visited ones for their delay", () => {
  const [bench] = lanes(1) as [AliasBench];
  bench.table.tell(EDGE, 2000);
  bench.put(0, EDGE, 0, 0);
  assert.equal(bench.admit(0), 0);
  const saved = bench.table.save(500);
  const [next] = lanes(1) as [AliasBench];
  next.table.restore(saved, 10_000);
  next.put(0, EDGE, 10_000, 0);
  assert.deepEqual([next.admit(10_000), next.nextAtMs, next.admit(12_000)], [NONE, 12_000, 0]);
});
