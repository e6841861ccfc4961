import assert from "node:assert/strict";
import { test } from "node:test";
import { misfitOf } from "./known-lines.ts";

const FOUND = { end: 100, cutAt: null, foreign: null };

test("a log fits a checkpoint that knows it to its end, or a part of it if the crawl was killed", () => {
  assert.equal(misfitOf(null, FOUND), null);
  assert.equal(misfitOf({ end: 100, isAll: true }, FOUND), null);
  assert.equal(misfitOf({ end: 60, isAll: false }, FOUND), null);
  assert.equal(misfitOf({ end: 60, isAll: false }, { ...FOUND, cutAt: 60 }), null);
});

test("a log that is shorter, longer, damaged or of another crawl is refused with what to do", () => {
  const killed = { end: 60, isAll: false };
  for (const [known, found, why] of [
    [killed, { ...FOUND, end: 50 }, /ends at 50, not at 60/],
    [{ end: 60, isAll: true }, FOUND, /lines that the checkpoint in crawl\.db does not know/],
    [killed, { ...FOUND, cutAt: 59 }, /an archive file is damaged/],
    [killed, { ...FOUND, foreign: "9 bytes are no lines" }, /9 bytes are no lines/],
    [null, { ...FOUND, foreign: "9 bytes are no lines" }, /9 bytes are no lines/],
  ] as const) {
    const misfit = misfitOf(known, found);
    assert.equal(misfit?.code, "CHECKPOINT_DAMAGED");
    assert.match(misfit.message, why);
    assert.match(misfit.message, /store verify --rebuild/);
  }
});
