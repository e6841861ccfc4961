import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { CONFIGURATION_SCHEMA, readConfiguration } from "../../rules/config/index.ts";
import { unbuiltKeys, unbuiltRemark } from "./unbuilt.ts";

test("every key that a crawl refuses has a remark that says so, and no other has one", () => {
  const reading = readConfiguration({});
  assert.ok(reading.ok);
  const all = CONFIGURATION_SCHEMA.keys.map(({ path }) => path);
  const remarked = all.filter((path) => unbuiltRemark(path) !== null);
  for (const path of unbuiltKeys(reading.configuration)) {
    assert.ok(remarked.includes(path), path);
  }
  assert.equal(unbuiltRemark("store.index"), null);
  assert.equal(unbuiltRemark("store.links"), null);
  assert.equal(unbuiltRemark("lanes"), null);
  assert.match(unbuiltRemark("cluster.join") ?? "", /anything but the default is refused/);
  assert.match(unbuiltRemark("assignment.kind") ?? "", /anything but ring is refused/);
  assert.equal(unbuiltRemark("store.kind"), null);
  for (const path of ["fetch.retries", "politeness.hostDelay"]) {
    assert.equal(unbuiltRemark(path), null, path);
  }
});

test("keys that are not built are refused with any value but those that work", () => {
  assert.deepEqual(unbuiltKeys(configured()), []);
  const working = configured(
    "lanes=2",
    "frontier.traversal=depth-first",
    "parse.parsers=[html, ./x.js]",
    "store.kind=jsonl",
    "dns.aliases=true",
  );
  assert.deepEqual(unbuiltKeys(working), []);
  const asked = ["store.migrate=true"];
  assert.deepEqual(
    unbuiltKeys(configured(...asked, "cluster.replicas=3", "cluster.heartbeat=2s")).toSorted(),
    ["cluster.heartbeat", "cluster.replicas", "store.migrate"],
  );
});

test("index and links may be set, as by default", () => {
  const asked = configured("store.index=true", "store.links=false", "store.migrate=true");
  assert.deepEqual(unbuiltKeys(asked), ["store.migrate"]);
});
