import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ERRORS, type ErrorCode } from "../../../../base/errors/index.ts";
import { SeededRandom } from "../../../../base/random/index.ts";
import { grantsRetry, retryWaitMs, ruleOfCode, ruleOfStatus } from "../../visits/retry-policy.ts";
import { ANSWER_TIME_MULTIPLE, GOOD_ANSWERS_PER_STEP, Pace } from "./pace.ts";

const SETTINGS = { hostDelayMs: 1000, crawlDelayMsMax: 60_000 };
const RETRIES = { retries: 3, retryWaitMs: 10_000, retryWaitMsMax: 600_000 };

test("a delay is never less than configured or asked for, never more than the bound", () => {
  const answers = fc.array(fc.tuple(fc.constantFrom(200, 404, 429, 503), fc.nat(100_000)), {
    maxLength: 50,
  });
  fc.assert(
    fc.property(answers, fc.nat(200_000), (seen, crawlDelayMs) => {
      const pace = new Pace(SETTINGS);
      pace.crawlDelayMs = crawlDelayMs;
      const leastMs = Math.max(1000, Math.min(crawlDelayMs, 60_000));
      for (const [status, answerMs] of seen) {
        pace.answered(status, answerMs);
        assert.ok(pace.delayMs >= leastMs);
        assert.ok(pace.delayMs >= Math.min(60_000, answerMs * ANSWER_TIME_MULTIPLE));
        assert.ok(pace.delayMs <= 60_000);
      }
    }),
  );
});

test("the delay doubles with each 429 or 503 and comes back with good answers", () => {
  const pace = new Pace(SETTINGS);
  pace.answered(429, 0);
  pace.answered(503, 0);
  assert.equal(pace.delayMs, 4000);
  for (let good = 0; good < GOOD_ANSWERS_PER_STEP; good += 1) pace.answered(200, 0);
  assert.equal(pace.delayMs, 2000);
  for (let good = 0; good < GOOD_ANSWERS_PER_STEP; good += 1) pace.answered(200, 0);
  assert.equal(pace.delayMs, 1000);
});

test("the time of the last answer counts, not that of the slowest", () => {
  const pace = new Pace(SETTINGS);
  pace.answered(200, 5000);
  assert.equal(pace.delayMs, 5000 * ANSWER_TIME_MULTIPLE);
  pace.answered(200, 100);
  assert.equal(pace.delayMs, 1000);
});

test("good answers count in a row: another 429 or 503 starts the count again", () => {
  for (const status of [429, 503]) {
    const pace = new Pace(SETTINGS);
    pace.answered(status, 0);
    for (let good = 1; good < GOOD_ANSWERS_PER_STEP; good += 1) pace.answered(200, 0);
    pace.answered(status, 0);
    assert.equal(pace.delayMs, 4000);
    for (let good = 1; good < GOOD_ANSWERS_PER_STEP; good += 1) pace.answered(200, 0);
    assert.equal(pace.delayMs, 4000, "one good answer is missing");
    pace.answered(200, 0);
    assert.equal(pace.delayMs, 2000);
  }
});

test("without a configured delay there is none, except what the host asks for", () => {
  const pace = new Pace({ ...SETTINGS, hostDelayMs: 0 });
  pace.answered(503, 5000);
  assert.equal(pace.delayMs, 0);
  pace.crawlDelayMs = 3000;
  assert.equal(pace.delayMs, 3000);
});

test("waits double, with some chance, up to the longest", () => {
  const random = new SeededRandom("waits");
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const waitMs = retryWaitMs(attempt, RETRIES, random);
    const plainMs = Math.min(10_000 * 2 ** attempt, 600_000);
    assert.ok(waitMs >= plainMs && waitMs <= Math.min(1.25 * plainMs, 600_000));
  }
});

test("there is a rule for every code and every status", () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const rule = ruleOfCode(code);
    assert.ok(grantsRetry(rule, 0, RETRIES) || rule.tries === "none", code);
    assert.ok(rule.tries === "free" || !grantsRetry(rule, RETRIES.retries, RETRIES), code);
  }
  for (let status = 100; status < 600; status += 1) {
    assert.equal(grantsRetry(ruleOfStatus(status), 0, RETRIES), status === 429 || status === 503);
  }
});
