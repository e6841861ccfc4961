import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { SeededRandom } from "../../random/index.ts";
import { RestartDelay } from "./restart-delay.ts";

test("a server that ends again and again is started less and less often", () => {
  const time = new SimulatedTime();
  const delay = new RestartDelay(time, new SeededRandom("restarts"));
  const delaysMs = Array.from({ length: 12 }, () => delay.next());
  const longestMs = [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000];
  longestMs.forEach((mostMs, at) => {
    const delayMs = delaysMs[at] ?? 0;
    assert.ok(delayMs >= mostMs / 2 && delayMs <= mostMs, `${delayMs} ms of ${mostMs}`);
  });
});

test("one that has run for a while is started again at once", () => {
  const time = new SimulatedTime();
  const delay = new RestartDelay(time, new SeededRandom("restarts"));
  for (let at = 0; at < 10; at += 1) delay.next();
  delay.started();
  assert.ok(delay.next() > 1000);
  time.after(30_000, () => undefined);
  time.step();
  assert.ok(delay.next() <= 50);
});
