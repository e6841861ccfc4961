import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { frontierSettings } from "./frontier-keys.ts";

test("each key of politeness.hosts overrides its own point, and no other", () => {
  const rulesOf = (given: string): object | undefined => {
    const configuration = configured(`politeness.hosts={"*.a.test": {${given}}}`);
    return frontierSettings(configuration, "0.0.0").ownRules?.get("*.a.test");
  };
  assert.deepEqual(rulesOf("hostDelay: 5s"), { hostDelayMs: 5000 });
  assert.deepEqual(rulesOf("robots: ignore"), { robots: "ignore" });
  assert.deepEqual(rulesOf("robotsMaxAge: 1h"), { robotsMaxAgeMs: 3_600_000 });
  assert.deepEqual(rulesOf("crawlDelayMax: 9s"), { crawlDelayMsMax: 9000 });
  assert.deepEqual(rulesOf("crawlDelayOver: cap"), { crawlDelayOver: "cap" });
});

test("limits, retries and delays reach the frontier in its own units", () => {
  const settings = frontierSettings(
    configured(
      ...["politeness={hostDelay: 2s, ipDelay: 500ms, crawlDelayMax: 1m, crawlDelayOver: cap}"],
      ...["politeness.robotsMaxAge=1d", "limits.pagesPerHost=7", "limits.depth=3"],
      ...["fetch={retries: 4, retryWait: 3s, retryMaxWait: 2m, concurrency: 9}"],
      ...["parse.requisites=true", "politeness.blockHosts=[b.test]"],
    ),
    "0.0.0",
  );
  const { blockedHosts, ownRules, productToken, ...rest } = settings;
  assert.deepEqual(rest, {
    ...{ hostDelayMs: 2000, addressDelayMs: 500, robots: "obey", robotsMaxAgeMs: 86_400_000 },
    ...{ crawlDelayMsMax: 60_000, crawlDelayOver: "cap", pagesPerHostMax: 7, retries: 4 },
    ...{ retryWaitMs: 3000, retryWaitMsMax: 120_000, keepsDepths: true, keepsHostDepths: false },
    ...{ takesRequisites: true, visitsMax: 9 },
  });
  assert.deepEqual([...(blockedHosts ?? [])], ["b.test"]);
  assert.deepEqual([ownRules?.size, productToken], [0, "trobar"]);
});
