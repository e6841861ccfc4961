import assert from "node:assert/strict";
import { test } from "node:test";
import { LimitJudge, type LimitJudgeParts } from "./limit-judge.ts";

const NONE = { pagesMax: null, bytesMax: null, timeMsMax: null };

function judge(options: Partial<typeof NONE | Record<string, number>>, fetched: number, more = {}) {
  const machines = [{ id: "a0", fetched }] as never;
  const parts: LimitJudgeParts = {
    ...{ options: { ...NONE, ...options }, pageBytes: 100, due: () => 50, nowMs: () => 20_000 },
    ...{ machines: () => machines, members: () => machines, hasLostDisk: () => false },
    ...{
      underWayMax: () => 2,
      stoodStillMs: () => 0,
      beganAtMs: () => 1000,
      lastVisitAtMs: () => 0,
    },
    ...more,
  };
  return new LimitJudge(parts);
}

test("more pages than the limit are noticed at once, fewer at the end", () => {
  assert.match(judge({ pagesMax: 10 }, 11).excess() ?? "", /11 pages/);
  const few = judge({ pagesMax: 10 }, 9);
  assert.equal(few.excess(), null);
  few.finished("a0", "pages");
  assert.match(few.atEnd() ?? "", /not reached/);
  assert.equal(judge({ pagesMax: 10 }, 9, { due: () => 9 }).atEnd(), null);
});

test("fewer pages than the limit are forgiven if a lost disk or a leaver may have had the rest", () => {
  const lost = judge({ pagesMax: 10 }, 9, { hasLostDisk: () => true });
  const left = judge({ pagesMax: 10 }, 9);
  left.leftUnheard();
  for (const one of [lost, left]) {
    one.finished("a0", "pages");
    assert.equal(one.atEnd(), null);
  }
});

test("bytes may be exceeded by what was in flight, and by no more", () => {
  assert.equal(judge({ bytesMax: 1000 }, 12).excess(), null);
  assert.match(judge({ bytesMax: 1000 }, 13).excess() ?? "", /1300 bytes/);
});

test("nothing is asked for after the time, and nobody says too early that it is over", () => {
  assert.equal(judge({ timeMsMax: 15_000 }, 1, { lastVisitAtMs: () => 18_000 }).excess(), null);
  const late = judge({ timeMsMax: 15_000 }, 1, { lastVisitAtMs: () => 23_000 });
  assert.match(late.excess() ?? "", /after the time/);
  const early = judge({ timeMsMax: 25_000 }, 1);
  early.finished("a0", "time");
  assert.match(early.excess() ?? "", /a0 says/);
});

test("everybody gives the limit as the reason of the end", () => {
  const wrong = judge({ pagesMax: 10 }, 10);
  wrong.finished("a0", null);
  assert.match(wrong.atEnd() ?? "", /not a0: null/);
  assert.equal(wrong.isReached, true);
  const right = judge({ pagesMax: 10 }, 10);
  right.finished("a0", "pages");
  assert.equal(right.atEnd(), null);
});
