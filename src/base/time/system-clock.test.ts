import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { SystemClock } from "./system-clock.ts";

const DAY_MS = 86_400_000;

/** Node's timers and the monotonic clock, both moved by hand; `skew` is how late the clock is. */
function handMovedTime(t: TestContext): { advance(byMs: number, skewMs?: number): void } {
  let nowMs = 1000;
  t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
  t.mock.method(performance, "now", () => nowMs);
  return {
    advance: (byMs, skewMs = 0) => {
      nowMs += byMs - skewMs;
      t.mock.timers.tick(byMs);
      nowMs += skewMs;
    },
  };
}

test("a delay longer than Node's timers can take is waited for in full", (t) => {
  const time = handMovedTime(t);
  let fired = 0;
  new SystemClock().after(60 * DAY_MS, () => {
    fired += 1;
  });
  for (let day = 0; day < 59; day += 1) time.advance(DAY_MS);
  assert.equal(fired, 0);
  time.advance(DAY_MS);
  assert.equal(fired, 1);
});

test("a long delay does not fire at once in real time either", async () => {
  const clock = new SystemClock();
  let fired = false;
  const timer = clock.after(2 ** 31 + 5, () => {
    fired = true;
  });
  await new Promise<void>((resolve) => clock.after(20, resolve));
  timer.cancel();
  assert.equal(fired, false);
});

test("an alarm that rings too early is set again for the rest", (t) => {
  const time = handMovedTime(t);
  const clock = new SystemClock();
  const firedAtMs: number[] = [];
  clock.after(10, () => firedAtMs.push(clock.nowMs()));
  time.advance(10, 0.4);
  assert.deepEqual(firedAtMs, [], "the clock says that 0.4 ms are left");
  time.advance(1);
  assert.deepEqual(firedAtMs, [1011]);
});

test("a timer whose alarm rang too early is not overtaken by a later one", (t) => {
  const time = handMovedTime(t);
  const clock = new SystemClock();
  const order: string[] = [];
  clock.after(10, () => order.push("earlier"));
  time.advance(0.25);
  clock.after(10, () => order.push("later"));
  time.advance(10, 0.5);
  assert.deepEqual(order, []);
  time.advance(1);
  assert.deepEqual(order, ["earlier", "later"]);
});

test("an earlier timer set later fires first", (t) => {
  const time = handMovedTime(t);
  const clock = new SystemClock();
  const order: number[] = [];
  for (const delayMs of [30, 10, 20]) clock.after(delayMs, () => order.push(delayMs));
  time.advance(30);
  assert.deepEqual(order, [10, 20, 30]);
});

test("a cancelled timer does not fire, even when cancelled by one due at the same instant", (t) => {
  const time = handMovedTime(t);
  const clock = new SystemClock();
  const order: string[] = [];
  const cancelled = clock.after(5, () => order.push("cancelled early"));
  clock.after(5, () => {
    order.push("first");
    second.cancel();
    first.cancel();
  });
  const first = clock.after(6, () => order.push("never"));
  const second = clock.after(5, () => order.push("never"));
  cancelled.cancel();
  cancelled.cancel();
  time.advance(50);
  assert.deepEqual(order, ["first"]);
});

test("a chain of zero delays lets other things happen in between", async () => {
  const clock = new SystemClock();
  let links = 0;
  let stop = false;
  const chain = (): void => {
    links += 1;
    if (!stop) clock.after(0, chain);
  };
  chain();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => clock.after(1, resolve));
  stop = true;
  assert.ok(links > 1);
});

test("a callback that throws does not delay the timers behind it", (t) => {
  const time = handMovedTime(t);
  const clock = new SystemClock();
  let fired = false;
  clock.after(1, () => {
    throw new Error("planted");
  });
  clock.after(1, () => {
    fired = true;
  });
  assert.throws(() => time.advance(1), /planted/);
  time.advance(1);
  assert.equal(fired, true);
});

test("with every timer cancelled nothing keeps the process alive", () => {
  const clock = new SystemClock();
  const countTimeouts = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = countTimeouts();
  const timers = [clock.after(DAY_MS, assert.fail), clock.after(2 * DAY_MS, assert.fail)];
  assert.equal(countTimeouts(), before + 1);
  for (const timer of timers) timer.cancel();
  assert.equal(countTimeouts(), before);
});
