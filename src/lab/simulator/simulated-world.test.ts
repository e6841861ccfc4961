import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "./kernel/kernel.ts";
import { simulatedWorld } from "./simulated-world.ts";

test("waiting for an answer runs the kernel until it has come", async () => {
  const kernel = new Kernel({ seed: "world" });
  const world = simulatedWorld(kernel);
  kernel.schedule(100, assert.fail);
  const answer = await world.answer<string>((answered) => {
    kernel.schedule(50, () => answered("yes"));
  });
  assert.equal(answer, "yes");
  assert.equal(kernel.nowMs, 50);
});

test("when nothing is left to happen, the wait fails and says so", async () => {
  const world = simulatedWorld(new Kernel({ seed: "world" }));
  await assert.rejects(
    world.answer(() => {}),
    /gave no answer: silent at 0 ms/,
  );
});

test("a world that is busy for ever does not hang the test", async () => {
  const kernel = new Kernel({ seed: "world" });
  const again = (): void => void kernel.schedule(1000, again);
  again();
  await assert.rejects(
    simulatedWorld(kernel).answer(() => {}),
    /gave no answer: out-of-time/,
  );
});
