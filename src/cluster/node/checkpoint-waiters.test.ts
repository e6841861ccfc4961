/** Who waits for a checkpoint, and for which. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckpointWaiters } from "./checkpoint-waiters.ts";

test("what is done is safe when a checkpoint is recorded that was begun afterwards", () => {
  const waiters = new CheckpointWaiters();
  const saved: string[] = [];
  waiters.whenSaved(() => saved.push("before"));
  waiters.begun();
  waiters.whenSaved(() => saved.push("meanwhile"));
  waiters.recorded();
  assert.deepEqual(saved, ["before"]);
  waiters.begun();
  waiters.recorded();
  assert.deepEqual(saved, ["before", "meanwhile"]);
});

test("a checkpoint that is never recorded counts for nobody, and the next one for all", () => {
  const waiters = new CheckpointWaiters();
  const saved: string[] = [];
  waiters.whenSaved(() => saved.push("first"));
  waiters.begun();
  waiters.whenSaved(() => saved.push("second"));
  waiters.begun();
  assert.deepEqual(saved, []);
  waiters.recorded();
  assert.deepEqual(saved, ["first", "second"]);
});
