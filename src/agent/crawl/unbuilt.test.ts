import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { CONFIGURATION_SCHEMA, readConfiguration } from "../../rules/config/index.ts";
import { refusedKeys, unbuiltRemark } from "./unbuilt.ts";

test("every key that a crawl refuses has a remark that says so, and no other has one", () => {
  const reading = readConfiguration({});
  assert.ok(reading.ok);
  const all = CONFIGURATION_SCHEMA.keys.map(({ path }) => path);
  const remarked = all.filter((path) => unbuiltRemark(path) !== null);
  const { unbuilt, ofAgents } = refusedKeys(reading.configuration);
  for (const path of [...unbuilt, ...ofAgents]) assert.ok(remarked.includes(path), path);
  assert.equal(unbuiltRemark("store.index"), null);
  assert.equal(unbuiltRemark("store.links"), null);
  assert.equal(unbuiltRemark("lanes"), null);
  assert.match(unbuiltRemark("cluster.join") ?? "", /For agents of a cluster/);
  assert.match(unbuiltRemark("assignment.kind") ?? "", /anything but ring is refused/);
  assert.equal(unbuiltRemark("store.kind"), null);
  for (const path of ["fetch.retries", "politeness.hostDelay"]) {
    assert.equal(unbuiltRemark(path), null, path);
  }
});

const NONE = { unbuilt: [], ofAgents: [] };

test("keys that are not built are refused with any value but those that work", () => {
  assert.deepEqual(refusedKeys(configured()), NONE);
  const working = configured(
    "lanes=2",
    "frontier.traversal=depth-first",
    "parse.parsers=[html, ./x.js]",
    "store.kind=jsonl",
    "dns.aliases=true",
  );
  assert.deepEqual(refusedKeys(working), NONE);
  const asked = configured("assignment.kind=master", "assignment.strategy=./spread.js");
  assert.deepEqual(refusedKeys(asked).unbuilt, ["assignment.kind", "assignment.strategy"]);
});

test("keys that only agents of a cluster use are told apart", () => {
  const asked = configured("store.migrate=true", "cluster.replicas=3", "cluster.heartbeat=2s");
  const { unbuilt, ofAgents } = refusedKeys(asked);
  assert.deepEqual(unbuilt, []);
  assert.deepEqual(ofAgents.toSorted(), ["cluster.heartbeat", "cluster.replicas", "store.migrate"]);
});

test("index and links may be set, as by default", () => {
  const asked = configured("store.index=true", "store.links=false", "store.migrate=true");
  assert.deepEqual(refusedKeys(asked), { unbuilt: [], ofAgents: ["store.migrate"] });
});
