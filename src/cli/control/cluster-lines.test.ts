import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterLines } from "./cluster-lines.ts";

const TOGETHER = {
  ...{ agents: 4, missing: [], views: 1, balance: 0.926, overhead: 0.817 },
  outbox: { pending: 12, lagSeconds: 1.5, retained: 2_500_000 },
};

test("what agents make of a crawl together is a line", () => {
  assert.deepEqual(clusterLines(TOGETHER), [
    "4 agents · all agree on who is there · balance 0.93 · 0.82 URLs told for each page · " +
      "12 URLs to tell for 1.5 s · 2.4 MiB kept of those told",
  ]);
});

test("who has not answered is named, and that views differ", () => {
  const missing = [{ agent: "c", why: "dead" } as const];
  const outbox = { ...TOGETHER.outbox, pending: 0 };
  const [line = ""] = clusterLines({ ...TOGETHER, missing, outbox, views: 2 });
  assert.match(
    line,
    / · 2 views of who is there · .* · 0 URLs to tell · .* · without an answer: c \(dead\)$/,
  );
});

test("a crawl of one agent has no such line, whatever answers for it", () => {
  assert.deepEqual(clusterLines({ ...TOGETHER, agents: 1 }), []);
  assert.deepEqual(clusterLines({} as never), []);
});
