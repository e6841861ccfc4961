import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { configured } from "../../../../test/support/rules/configured.ts";
import { FetchRates } from "./fetch-rates.ts";

test("the later of both rates counts, and the summary has its word", () => {
  const clock = new SimulatedTime();
  const rates = new FetchRates(clock);
  assert.deepEqual([rates.opensAtMs, rates.waits], [Number.NEGATIVE_INFINITY, null]);
  rates.adjust(configured("fetch.pagesPerSecond=1", "fetch.bandwidth=1k"));
  rates.pageBegun();
  assert.deepEqual([rates.opensAtMs, rates.waits], [1000, "rate"]);
  rates.bytes.take(5000);
  assert.deepEqual([rates.opensAtMs, rates.waits], [4001, "bandwidth"]);
  rates.adjust(configured());
  assert.deepEqual([rates.opensAtMs, rates.waits], [Number.NEGATIVE_INFINITY, null]);
});
