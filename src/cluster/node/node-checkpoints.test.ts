import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeMark } from "./checkpoint-waiters.ts";
import { NodeCheckpoints } from "./node-checkpoints.ts";

test("S1: a checkpoint has the seeds of its moment, not those that come while it is taken", () => {
  let seeds = 5;
  const answers: (() => void)[] = [];
  const open = {
    custody: {
      held: 0,
      checkpoint: (done: (error: null, marks: null) => void) =>
        answers.push(() => done(null, null)),
    },
    inbox: {
      mark: (done: (error: null, at: number) => void) => answers.push(() => done(null, 9)),
    },
  } as never;
  const checkpoints = new NodeCheckpoints({
    open: () => open,
    whenOpen: (act) => act(open),
    seedsUpTo: () => seeds,
  });
  let mark: NodeMark | null = null;
  checkpoints.begin((_error, taken) => {
    mark = taken ?? null;
  });
  seeds = 6;
  for (const answer of answers) answer();
  assert.deepEqual(mark, { custody: null, inbox: 9, seeds: 5 });
});

test("D1: a checkpoint waits while entries are in memory only, or nothing is open", () => {
  const custody = { held: 3 };
  let open: { readonly custody: { held: number } } | null = null;
  const checkpoints = new NodeCheckpoints({
    open: () => open as never,
    whenOpen: () => undefined,
    seedsUpTo: () => 0,
  });
  assert.equal(checkpoints.isSettled, false);
  open = { custody };
  assert.equal(checkpoints.isSettled, false);
  custody.held = 0;
  assert.equal(checkpoints.isSettled, true);
});
