/** How long the oldest entry waits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "../../lab/simulator/index.ts";
import { WaitingSince } from "./waiting-since.ts";

test("what waits is as old as its oldest entry, and nothing waits without end", () => {
  const kernel = new Kernel({ seed: "lag" });
  const waiting = new WaitingSince(kernel.clock);
  assert.equal(waiting.lagMs, 0);
  waiting.appended(3);
  kernel.pass(2000);
  waiting.appended(5);
  kernel.pass(500);
  waiting.acknowledged(2);
  assert.equal(waiting.lagMs, 2500, "the third is not acknowledged");
  waiting.acknowledged(3);
  assert.equal(waiting.lagMs, 500);
  waiting.acknowledged(5);
  assert.equal(waiting.lagMs, 0);
});

test("the age of the oldest stays exact however long nobody acknowledges anything", () => {
  const kernel = new Kernel({ seed: "lag" });
  const waiting = new WaitingSince(kernel.clock);
  for (let end = 1; end <= 5000; end += 1) {
    waiting.appended(end);
    kernel.pass(1000);
  }
  assert.equal(waiting.lagMs, 5_000_000);
  waiting.acknowledged(2500);
  const { lagMs } = waiting;
  assert.ok(lagMs >= 2_500_000 && lagMs < 2_800_000, String(lagMs));
});
