import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIGURATION_SCHEMA, variableName } from "./index.ts";

test("the nearest key is sought in the group that was named, then everywhere", () => {
  assert.equal(CONFIGURATION_SCHEMA.nearest("fetch.retires"), "fetch.retries");
  assert.equal(CONFIGURATION_SCHEMA.nearest("fetc.retries"), "fetch.retries");
  assert.equal(CONFIGURATION_SCHEMA.nearest("robots"), "politeness.robots");
  assert.equal(CONFIGURATION_SCHEMA.nearest("fetch.hostDelay"), "politeness.hostDelay");
  assert.equal(CONFIGURATION_SCHEMA.nearest("zebra"), null);
  assert.equal(CONFIGURATION_SCHEMA.nearest("fetch.hostDepth"), "limits.hostDepth");
  assert.equal(CONFIGURATION_SCHEMA.nearest("limits.ipDelta"), null, "not politeness.ipDelay");
});

test("every key has a variable of its own", () => {
  const names = CONFIGURATION_SCHEMA.keys.map(({ path }) => variableName(path));
  assert.equal(new Set(names).size, names.length);
  assert.equal(variableName("politeness.hostDelay"), "TROBAR_POLITENESS_HOST_DELAY");
  assert.equal(variableName("fetch.http2"), "TROBAR_FETCH_HTTP2");
  assert.equal(variableName("userAgent"), "TROBAR_USER_AGENT");
});

test("every key says what it means in one sentence or two, on one line", () => {
  for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
    assert.match(key.meaning, /^[A-Zw][^\n]+\.$/, path);
  }
});
