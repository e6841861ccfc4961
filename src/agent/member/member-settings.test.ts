import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { areAlike } from "./member-settings.ts";

const OF_THE_NODE = [
  ...["cluster.heartbeat=2s", "cluster.partition=fence", "politeness.ipDelay=1s"],
  ...["limits.depth=3", "limits.pages=10", "store.migrate=true"],
];

for (const assignment of OF_THE_NODE) {
  test(`a member that was made without ${assignment} does not go on with it`, () => {
    assert.equal(areAlike(configured(), configured(assignment)), false);
    assert.equal(areAlike(configured(assignment), configured(assignment)), true);
  });
}

test("a member goes on with what only the crawl behind it looks at", () => {
  assert.ok(areAlike(configured(), configured("scope=any", "politeness.hostDelay=5s")));
});
