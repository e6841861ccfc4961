import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../../test/support/rules/configured.ts";
import type { HostName } from "../../../formats/url/index.ts";
import { Kernel } from "../../../lab/simulator/index.ts";
import { configurationFor, NamelessResolver, settingsFor } from "./fetching.ts";

test("a crawl that is asked keeps to no limit of the crawl that asks, but to its politeness", () => {
  const given = configured("limits.pages=5", "limits.time=1m", "politeness.hostDelay=3s");
  const { limits, politeness } = configurationFor("asked", given);
  assert.deepEqual(
    [limits.pages, limits.time, limits.bytes, limits.depth],
    [null, null, null, null],
  );
  assert.equal(limits.urlLength, given.limits.urlLength);
  assert.deepEqual(politeness, given.politeness);
});

test("a crawl that asks or fetches itself has the configuration that was given", () => {
  const given = configured("limits.pages=5");
  assert.equal(configurationFor("here", given), given);
  assert.equal(configurationFor("elsewhere", given), given);
});

test("only a frontier that fetches elsewhere neither waits nor looks at robots.txt", () => {
  assert.deepEqual([settingsFor("here"), settingsFor("asked")], [{}, {}]);
  const { hostDelayMs, addressDelayMs, robots, retries } = settingsFor("elsewhere");
  assert.deepEqual([hostDelayMs, addressDelayMs, robots, retries], [0, 0, "ignore", 0]);
});

test("where others fetch, every host is resolved to no address", () => {
  const kernel = new Kernel({ seed: "nameless" });
  const found: unknown[] = [];
  new NamelessResolver(kernel.clock).resolve("a.test" as HostName, (it) => found.push(it));
  assert.deepEqual(found, [], "never inside the call");
  kernel.step();
  assert.deepEqual(found, [
    { kind: "resolved", addresses: [], expiresAtMs: Number.POSITIVE_INFINITY },
  ]);
});
