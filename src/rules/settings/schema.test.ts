import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyDefinition, key, Schema } from "./index.ts";
import { MistakeList } from "./mistake.ts";
import { readLayers, settingsOfTree } from "./read-settings.ts";
import { readYaml } from "./read-yaml.ts";
import { count, duration, toggle } from "./value-type.ts";

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
  const values = new Map<string, unknown>([
    ["batch", 7],
    ["wait.idle", 0],
    ["wait.eager", true],
  ]);
  assert.deepEqual(UNIT.values(UNIT.build(values)), values);
});

test("settings are frozen, and keys that nobody gave have their defaults", () => {
  const settings = UNIT.build(new Map([["batch", 7]]));
  assert.deepEqual(settings, { batch: 7, wait: { idle: 50, eager: false } });
  assert.ok(Object.isFrozen(settings) && Object.isFrozen(settings.wait));
});

test("a later layer overrides an earlier one, key by key", () => {
  const mistakes = new MistakeList();
  const layers = ["batch: 5\nwait: { idle: 1s }", "batch: 6"].map((text) => {
    const given = readYaml(text, () => ({ kind: "default" }), mistakes);
    assert.ok(given?.kind === "tree");
    return { settings: settingsOfTree(given, UNIT, mistakes), lastWins: false };
  });
  const { values } = readLayers(layers, UNIT, mistakes);
  assert.deepEqual(UNIT.build(values), { batch: 6, wait: { idle: 1000, eager: false } });
});

test("a schema with a name that is not a plain word is our own mistake", () => {
  const one = key(count({ min: 0 }), { default: 0, meaning: "A number." });
  assert.throws(() => new Schema<{ "a.b": number }>({ "a.b": one }), /plain name/);
});

test("a key of another copy of the code is a key", async () => {
  const copy: typeof import("./schema.ts") = await import(
    `${import.meta.resolve("./schema.ts")}?copy`
  );
  const batch = copy.key(count({ min: 1, max: 9 }), {
    default: 3,
    meaning: "Items taken at once.",
  });
  assert.ok(!(batch instanceof KeyDefinition));
  const schema = new Schema<{ batch: number }>({ batch });
  assert.deepEqual(schema.defaults, { batch: 3 });
  assert.equal(schema.find("batch")?.key, batch);
});
