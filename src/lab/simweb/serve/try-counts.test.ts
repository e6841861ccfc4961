import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterMs } from "./retry-after.ts";
import { TryCounts } from "./try-counts.ts";

test("only what went wrong is counted, and from then on always", () => {
  const tries = new TryCounts();
  tries.note("a", "/good", false);
  tries.note("a", "/bad", true);
  tries.note("a", "/bad", false);
  tries.note("a", "/good", false);
  assert.equal(tries.earlierTries("a", "/good"), 0);
  assert.equal(tries.earlierTries("a", "/bad"), 2);
  assert.equal(tries.earlierTries("b", "/bad"), 0);
  assert.equal(tries.size, 1);
});

test("the oldest counts are forgotten when there are too many", () => {
  const tries = new TryCounts(2);
  for (const target of ["/1", "/2", "/3"]) tries.note("a", target, true);
  assert.equal(tries.size, 2);
  assert.equal(tries.earlierTries("a", "/1"), 0);
  assert.equal(tries.earlierTries("a", "/3"), 1);
});

test("Retry-After is understood as seconds and as a date", () => {
  const wallMs = Date.parse("2030-01-01T00:00:00Z");
  const asked = (value: string): number => retryAfterMs([["retry-after", value]], wallMs);
  assert.equal(asked("120"), 120_000);
  assert.equal(asked("Tue, 01 Jan 2030 00:00:30 GMT"), 30_000);
  assert.equal(asked("Mon, 31 Dec 2029 00:00:00 GMT"), 0);
  assert.equal(asked("soon"), 0);
  assert.equal(retryAfterMs([], wallMs), 0);
});
