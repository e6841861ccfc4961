import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { RateLimit } from "./rate-limit.ts";

function limited(perSecond: number, options: { readonly memory?: SharedArrayBuffer } = {}) {
  const time = new SimulatedTime();
  const limit = new RateLimit({ clock: time, ...options });
  limit.perSecond = perSecond;
  return { time, limit };
}

test("without a rate nothing waits, and nothing is counted", () => {
  const limit = new RateLimit({ clock: new SimulatedTime() });
  limit.take(1e9);
  assert.equal(limit.waitMs, 0);
  limit.perSecond = 1;
  assert.equal(limit.waitMs, 0);
});

test("one second's worth may come at once, then each in its time", () => {
  const { time, limit } = limited(4);
  let taken = 0;
  while (limit.waitMs === 0) {
    limit.take(1);
    taken += 1;
  }
  assert.deepEqual([taken, limit.waitMs], [4, 250]);
  time.kernel.pass(250);
  assert.equal(limit.waitMs, 0);
  limit.take(1);
  assert.equal(limit.waitMs, 250);
});

test("at one per second there is never more than one at once", () => {
  const { time, limit } = limited(1);
  time.kernel.pass(60_000);
  limit.take(1);
  assert.equal(limit.waitMs, 1000);
});

test("a rate that is changed holds from then on", () => {
  const { limit } = limited(1);
  limit.take(1);
  limit.perSecond = 10;
  assert.equal(limit.waitMs, 1000, "what is owed keeps its time");
  limit.take(1);
  assert.equal(limit.waitMs, 1100);
  limit.perSecond = null;
  assert.equal(limit.waitMs, 0);
});

test("what is told afterwards is paid for before the next begins", () => {
  const { time, limit } = limited(1000);
  limit.take(11_000);
  assert.equal(limit.waitMs, 10_001);
  time.kernel.pass(10_001);
  assert.equal(limit.waitMs, 0);
});

test("in no stretch of time does more begin than the rate allows, and one second's worth", () => {
  const moves = fc.array(fc.tuple(fc.nat(700), fc.nat(20)), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), moves, (perSecond, steps) => {
      const { time, limit } = limited(perSecond);
      const begunAtMs: number[] = [];
      for (const [passMs, wanted] of steps) {
        time.kernel.pass(passMs);
        for (let count = 0; count < wanted && limit.waitMs === 0; count += 1) {
          limit.take(1);
          begunAtMs.push(time.nowMs());
        }
      }
      for (const [from, startMs] of begunAtMs.entries()) {
        for (let to = from; to < begunAtMs.length; to += 1) {
          const seconds = ((begunAtMs[to] as number) - startMs) / 1000;
          assert.ok(to - from + 1 <= perSecond * (seconds + 1) + 1e-3, `${from} to ${to}`);
        }
      }
    }),
  );
});

test("a crawl that always wants more gets the whole rate", () => {
  const { time, limit } = limited(7);
  let taken = 0;
  while (time.nowMs() < 100_000) {
    if (limit.waitMs > 0) time.kernel.pass(limit.waitMs);
    limit.take(1);
    taken += 1;
  }
  assert.ok(Math.abs(taken - 707) <= 1, `${taken}`);
});

test("threads that share memory share the rate, and lose no amount", async () => {
  const memory = RateLimit.memory();
  const { limit } = limited(1000, { memory });
  const source = new URL("./rate-limit.ts", import.meta.url).href;
  const code = `
    const { workerData } = require("node:worker_threads");
    import(workerData.source).then(({ RateLimit }) => {
      const clock = { nowMs: () => 0, wallMs: () => 0, after: () => {} };
      const limit = new RateLimit({ clock, memory: workerData.memory });
      limit.perSecond = 1000;
      for (let at = 0; at < 20000; at += 1) limit.take(1);
    });`;
  const workers = [1, 2, 3].map(
    () => new Worker(code, { eval: true, workerData: { source, memory } }),
  );
  await Promise.all(
    workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve))),
  );
  assert.equal(limit.waitMs, 60_000 - 999);
});
