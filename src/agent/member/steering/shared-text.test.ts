import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../../test/support/rules/configured.ts";
import { parseShared, printShared } from "./shared-text.ts";

test("what agents share is read as it was printed, but for seeds", () => {
  const configuration = configured("limits.pages=10", "seeds=['https://a.example/']");
  const shared = { configuration: { ...configuration, seeds: [] }, state: "paused" } as const;
  const printed = printShared({ configuration, state: "paused" });
  assert.deepEqual(parseShared(printed), { ...shared, isUrgent: false });
  const urgent = { ...shared, isUrgent: true };
  assert.deepEqual(parseShared(printShared(urgent)), urgent);
});

test("a text that no agent of this version has printed is not read", () => {
  const keys = "limits: { pages: 10 }";
  for (const text of [
    ...["", "{", "null", "7", JSON.stringify({ keys })],
    JSON.stringify({ keys: 7, state: "running" }),
    JSON.stringify({ keys, state: "sleeping" }),
    JSON.stringify({ keys: "limits: { pges: 10 }", state: "running" }),
  ]) {
    assert.equal(parseShared(text), null, text);
  }
});
