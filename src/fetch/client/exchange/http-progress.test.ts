import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HttpProgress } from "./http-progress.ts";

const LIMITS = {
  connectTimeoutMs: 10,
  headerTimeoutMs: 20,
  idleTimeoutMs: 30,
  totalTimeoutMs: 120,
  bytesPerSecondMin: 1000,
  headerBytesMax: 1,
  bodyBytesMax: 1,
};

test("each phase has its limit, counted from its own beginning", () => {
  const progress = new HttpProgress(LIMITS, 1000);
  assert.equal(progress.limitAtMs, 1010);
  assert.deepEqual(progress.exceeded(1010), { limit: "connect", limitMs: 10 });
  progress.enter("header", 1005);
  assert.equal(progress.limitAtMs, 1025);
  assert.deepEqual(progress.exceeded(1025), { limit: "header", limitMs: 20 });
  progress.enter("body", 1020);
  assert.equal(progress.limitAtMs, 1050);
});

test("the limit on the whole comes first when it is the nearest", () => {
  const progress = new HttpProgress(LIMITS, 0);
  progress.enter("header", 110);
  assert.equal(progress.limitAtMs, 120);
  assert.deepEqual(progress.exceeded(120), { limit: "total", limitMs: 120 });
});

test("every byte moves the limit on silence, and the rate is asked for only after a while", () => {
  const progress = new HttpProgress(LIMITS, 0);
  progress.enter("body", 0);
  progress.received(1, 25);
  assert.equal(progress.limitAtMs, 30, "one byte in 25 ms is below the rate, but so far forgiven");
  progress.received(50, 29);
  assert.equal(progress.limitAtMs, 51, "51 bytes are worth 51 ms");
  progress.received(500, 40);
  assert.equal(progress.limitAtMs, 70, "silence");
});

test("without a least rate only silence counts", () => {
  const progress = new HttpProgress({ ...LIMITS, bytesPerSecondMin: 0 }, 0);
  progress.enter("body", 0);
  progress.received(1, 29);
  assert.equal(progress.limitAtMs, 59);
});

test("while the sink is behind only the limit on the whole counts, and the time is given back", () => {
  const progress = new HttpProgress(LIMITS, 0);
  progress.enter("body", 0);
  progress.received(1, 10);
  assert.equal(progress.catchUp(10), false);
  progress.fallBehind(10);
  assert.equal(progress.limitAtMs, 120);
  assert.equal(progress.catchUp(60), true);
  assert.equal(progress.limitAtMs, 80, "thirty after the beginning, and fifty of waiting");
});

test("more bytes never bring the limit nearer", () => {
  const steps = fc.array(fc.tuple(fc.nat(2000), fc.nat(10)), { maxLength: 20 });
  fc.assert(
    fc.property(steps, (pieces) => {
      const progress = new HttpProgress(LIMITS, 0);
      progress.enter("body", 0);
      let nowMs = 0;
      for (const [bytes, laterMs] of pieces) {
        nowMs += laterMs;
        const before = progress.limitAtMs;
        progress.received(bytes, nowMs);
        assert.ok(progress.limitAtMs >= before);
        assert.ok(progress.limitAtMs <= LIMITS.totalTimeoutMs);
      }
    }),
  );
});

test("time in which we read no faster counts for no limit, that on the whole included", () => {
  const progress = new HttpProgress(LIMITS, 0);
  progress.enter("body", 10);
  progress.received(100, 20);
  progress.slowDown(20);
  assert.equal(progress.limitAtMs, Number.POSITIVE_INFINITY);
  assert.ok(progress.catchUp(1020));
  assert.equal(progress.limitAtMs, 1050);
  progress.received(10_000, 1025);
  assert.equal(progress.limitAtMs, 1055);
  progress.received(10_000, 1110);
  assert.equal(progress.limitAtMs, 1120, "of the whole 120 ms are left as before");
});
