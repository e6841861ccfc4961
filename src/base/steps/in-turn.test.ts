import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../errors/index.ts";
import type { Acknowledge } from "../seams/index.ts";
import { inTurn, valuesInTurn } from "./in-turn.ts";

test("a step begins when the one before it has answered, at once or later", () => {
  const begun: number[] = [];
  const waiting: Acknowledge[] = [];
  const ends: unknown[] = [];
  inTurn(
    [0, 1, 2, 3],
    (item, done) => {
      begun.push(item);
      if (item % 2 === 0) done(null);
      else waiting.push(done);
    },
    (error) => ends.push(error),
  );
  assert.deepEqual(begun, [0, 1]);
  waiting.shift()?.(null);
  assert.deepEqual([begun, ends], [[0, 1, 2, 3], []]);
  waiting.shift()?.(null);
  assert.deepEqual(ends, [null]);
});

test("steps that answer at once need no stack", () => {
  let steps = 0;
  const items = Array.from({ length: 200_000 }, (_none, at) => at);
  inTurn(
    items,
    (_item, done) => {
      steps += 1;
      done(null);
    },
    (error) => assert.equal(error, null),
  );
  assert.equal(steps, items.length);
});

test("the first error ends it", () => {
  const error = new CrawlError("DATABASE_FULL", "planted");
  const outcomes: unknown[] = [];
  valuesInTurn<number, number>(
    [1, 2, 3],
    (item, done) => {
      if (item === 2) done(error, undefined);
      else done(null, item);
    },
    (...outcome) => outcomes.push(outcome),
  );
  assert.deepEqual(outcomes, [[error, undefined]]);
});

test("values come in the order of their items", () => {
  const outcomes: unknown[] = [];
  valuesInTurn<number, number>(
    [1, 2, 3],
    (item, done) => done(null, 10 * item),
    (...outcome) => outcomes.push(outcome),
  );
  assert.deepEqual(outcomes, [[null, [10, 20, 30]]]);
});
