import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../errors/index.ts";
import { Gathered } from "./gathered.ts";

interface Pair {
  readonly one: number;
  readonly other: string;
}

test("what was gathered is answered when nothing is missing", () => {
  const answers: unknown[] = [];
  const both = new Gathered<Pair>(["one", "other"], (...outcome) => void answers.push(outcome));
  both.take("other")(null, "b");
  assert.deepEqual(answers, []);
  both.take("one")(null, 1);
  assert.deepEqual(answers, [[null, { one: 1, other: "b" }]]);
});

test("the first error is the answer, once all have answered", () => {
  const answers: unknown[] = [];
  const error = new CrawlError("DATABASE_FULL", "planted");
  const both = new Gathered<Pair>(["one", "other"], (...outcome) => void answers.push(outcome));
  both.take("one")(error, undefined);
  assert.deepEqual(answers, []);
  both.take("other")(new CrawlError("DATABASE_FAILED", "later"), undefined);
  assert.deepEqual(answers, [[error, undefined]]);
});
