import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIGURATION_SCHEMA, key, Schema, variableName } from "./index.ts";
import { MistakeList } from "./mistake.ts";
import { readLayers, settingsOfTree } from "./settings.ts";
import { count, duration, toggle } from "./value-type.ts";
import { readYaml } from "./yaml-source.ts";

interface UnitSettings {
  readonly batch: number;
  readonly wait: { readonly idle: number; readonly eager: boolean };
}

/** What a module would declare for a unit of its own. */
const UNIT = new Schema<UnitSettings>({
  batch: key(count({ min: 1, max: 1000 }), { default: 100, meaning: "Items taken at once." }),
  wait: {
    idle: key(duration({ min: 0 }), { default: 50, meaning: "Pause when there is nothing to do." }),
    eager: key(toggle(), { default: false, meaning: "Whether it does not wait at all." }),
  },
});

test("a module declares and reads settings of its own with the same pieces", () => {
  const mistakes = new MistakeList();
  const given = readYaml("batch: 5\nwait: { idle: 1s }", () => ({ kind: "default" }), mistakes);
  assert.ok(given?.kind === "tree");
  const settings = settingsOfTree(given, UNIT, mistakes);
  const { values } = readLayers([{ settings, lastWins: false }], UNIT, mistakes);
  assert.ok(mistakes.isEmpty);
  assert.deepEqual(UNIT.build(values), { batch: 5, wait: { idle: 1000, eager: false } });
});

test("values are the inverse of build", () => {
  const values = CONFIGURATION_SCHEMA.values(CONFIGURATION_SCHEMA.defaults);
  assert.deepEqual(CONFIGURATION_SCHEMA.build(values), CONFIGURATION_SCHEMA.defaults);
  assert.equal(values.size, CONFIGURATION_SCHEMA.keys.length);
});

test("the nearest key is looked for in the group that was named, then everywhere", () => {
  assert.equal(CONFIGURATION_SCHEMA.nearest("fetch.retires"), "fetch.retries");
  assert.equal(CONFIGURATION_SCHEMA.nearest("fetc.retries"), "fetch.retries");
  assert.equal(CONFIGURATION_SCHEMA.nearest("robots"), "politeness.robots");
  assert.equal(CONFIGURATION_SCHEMA.nearest("fetch.hostDelay"), "politeness.hostDelay");
  assert.equal(CONFIGURATION_SCHEMA.nearest("zebra"), null);
});

test("every key has a variable of its own", () => {
  const names = CONFIGURATION_SCHEMA.keys.map(({ path }) => variableName(path));
  assert.equal(new Set(names).size, names.length);
  assert.equal(variableName("politeness.hostDelay"), "TROBAR_POLITENESS_HOST_DELAY");
  assert.equal(variableName("fetch.http2"), "TROBAR_FETCH_HTTP2");
  assert.equal(variableName("userAgent"), "TROBAR_USER_AGENT");
});

test("every key says what it means in one sentence or two, on one line", () => {
  for (const { path, key: one } of CONFIGURATION_SCHEMA.keys) {
    assert.match(one.meaning, /^[A-Zw][^\n]+\.$/, path);
  }
});
