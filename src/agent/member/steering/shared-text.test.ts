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
  const hosts = { "a.example": { isBlocked: true }, "b.example": { delayMs: 5000 } };
  const changed = { ...urgent, hosts };
  assert.deepEqual(parseShared(printShared(changed)), changed);
  const others = { "c.example": { isBlocked: "yes", delayMs: -1 }, "d.example": null };
  const strange = JSON.stringify({ ...JSON.parse(printShared(urgent)), hosts: others });
  assert.deepEqual(parseShared(strange), urgent, "what makes no sense is left out");
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
