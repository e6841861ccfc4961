import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIGURATION_SCHEMA, readConfiguration } from "../../rules/config/index.ts";
import { unbuiltKeys, unbuiltRemark } from "./unbuilt.ts";

test("every key that a crawl refuses has a remark that says so, and no other has one", () => {
  const reading = readConfiguration({});
  assert.ok(reading.ok);
  const all = CONFIGURATION_SCHEMA.keys.map(({ path }) => path);
  const remarked = all.filter((path) => unbuiltRemark(path) !== null);
  for (const path of unbuiltKeys(reading.configuration, () => true)) {
    assert.ok(remarked.includes(path), path);
  }
  assert.match(unbuiltRemark("store.index") ?? "", /refused when it is set/);
  assert.match(unbuiltRemark("lanes") ?? "", /anything but auto, 1 is refused/);
  assert.match(unbuiltRemark("cluster.join") ?? "", /anything but the default is refused/);
  assert.match(unbuiltRemark("parse.parsers") ?? "", /anything but html, .* is refused/);
  for (const path of ["fetch.retries", "politeness.hostDelay"]) {
    assert.equal(unbuiltRemark(path), null, path);
  }
});
