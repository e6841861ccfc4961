import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRORS, type ErrorCode } from "../../../base/errors/index.ts";
import type { Random } from "../../../base/seams/index.ts";
import { grantsRetry, retryWaitMs, ruleOfCode, ruleOfStatus } from "./retry-policy.ts";

test("what is documented as never worth another try gets none, and everything else does", () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { retry } = ERRORS[code];
    assert.equal(ruleOfCode(code).tries === "none", retry !== "later", code);
  }
});

test("tries that failed for a lack of our own are not counted", () => {
  const settings = { retries: 2, retryWaitMs: 1, retryWaitMsMax: 1 };
  for (const code of ["FETCH_NO_SOCKET", "FETCH_BODY_NO_ROOM", "DNS_OVERLOADED"] as const) {
    assert.equal(grantsRetry(ruleOfCode(code), 1000, settings), true, code);
  }
});

test("there are as many further attempts as configured, and none is granted after the last", () => {
  const settings = { retries: 2, retryWaitMs: 1000, retryWaitMsMax: 3000 };
  const granted = (attempt: number): boolean => grantsRetry(ruleOfStatus(503), attempt, settings);
  assert.deepEqual([granted(0), granted(1), granted(2)], [true, true, false]);
  assert.equal(grantsRetry(ruleOfCode("FETCH_NO_SOCKET"), 99, settings), true, "our own failure");
  const waits = [0, 1, 2, 60].map((attempt) => {
    return retryWaitMs(attempt, settings, { unit: () => 0 } as Random);
  });
  assert.deepEqual(waits, [1000, 2000, 3000, 3000]);
});
