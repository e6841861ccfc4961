import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RETRY_AFTER_MS_MAX, retryAfterMs } from "./retry-after.ts";

const NOW_MS = Date.UTC(2030, 0, 1, 12, 0, 0);

const readings: readonly (readonly [value: string, waitMs: number | null])[] = [
  ["120", 120_000],
  ["0", 0],
  ["1.5", 1500],
  ["2030", 2_030_000],
  ["-5", null],
  ["+5", null],
  ["", null],
  ["soon", null],
  ["5 seconds", null],
  ["5, 6", null],
  ["1e9", null],
  ["NaN", null],
  ["Infinity", null],
  ["99999999999999999999", RETRY_AFTER_MS_MAX],
  ["9".repeat(5000), RETRY_AFTER_MS_MAX],
  ["Tue, 01 Jan 2030 12:01:00 GMT", 60_000],
  ["Tuesday, 01-Jan-30 12:01:00 GMT", 60_000],
  ["Tue Jan  1 12:01:00 2030", 60_000],
  ["Tue, 01 Jan 2030 11:59:00 GMT", 0],
  ["Tue, 01 Jan 2999 12:00:00 GMT", RETRY_AFTER_MS_MAX],
  ["Tue, 32 Jan 2030 12:01:00 GMT", null],
];

for (const [value, waitMs] of readings) {
  test(`Retry-After ${JSON.stringify(value.slice(0, 40))} means ${waitMs} ms`, () => {
    assert.equal(retryAfterMs([["Retry-After", value]], NOW_MS), waitMs);
  });
}

test("a server's date is measured by the server's clock", () => {
  const headers = [
    ["Date", "Thu, 01 Jan 1970 00:00:00 GMT"],
    ["retry-after", "Thu, 01 Jan 1970 00:02:00 GMT"],
  ] as const;
  assert.equal(retryAfterMs(headers, NOW_MS), 120_000);
});

test("without the header there is nothing to wait for", () => {
  assert.equal(retryAfterMs([["Date", "Thu, 01 Jan 1970 00:00:00 GMT"]], NOW_MS), null);
});

test("whatever it says, the wait is a whole number of milliseconds within a week, or null", () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const waitMs = retryAfterMs([["Retry-After", value]], NOW_MS);
      if (waitMs === null) return;
      assert.ok(Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= RETRY_AFTER_MS_MAX);
    }),
  );
});
