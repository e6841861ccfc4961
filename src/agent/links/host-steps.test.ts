import assert from "node:assert/strict";
import { test } from "node:test";
import { HostStepCount } from "./host-steps.ts";

const FROM = { url: "http://a.test/1", hostDepth: 2 };

test("a link inside a host is a step, a redirect none, and another host is entered", () => {
  const steps = new HostStepCount(true);
  assert.deepEqual(steps.to("a.test", FROM, 1), { hostDepth: 3 });
  assert.deepEqual(steps.to("a.test", FROM, 0), { hostDepth: 2 });
  assert.deepEqual(steps.to("b.test", FROM, 1), { hostDepth: 0 });
  assert.deepEqual(steps.to("b.test", FROM, 0), { hostDepth: 0 });
  assert.deepEqual(steps.to("a.test", { url: FROM.url }, 1), { hostDepth: 1 });
  assert.deepEqual(
    [steps.to("a.test", null, 1), steps.entry],
    [{ hostDepth: 0 }, { hostDepth: 0 }],
  );
});

test("without the limit no ticket has a depth inside its host", () => {
  const steps = new HostStepCount(false);
  assert.deepEqual([steps.entry, steps.to("a.test", FROM, 1)], [{}, {}]);
});
