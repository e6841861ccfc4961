import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MistakeList, readLayers, type Shape } from "../settings/index.ts";
import { settingsOfFile } from "./file-source.ts";
import {
  CONFIGURATION_SCHEMA,
  type Configuration,
  readConfiguration,
  writeConfiguration,
} from "./index.ts";

test("a configuration that is written reads back equal, whatever its values", () => {
  fc.assert(
    fc.property(configurations(), (configuration) => {
      const fetch = { ...configuration.fetch, credentials: [] };
      const kept = { ...configuration, fetch };
      assert.deepEqual(readBack(writeConfiguration(configuration)), kept);
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 2000 : 150 },
  );
});

test("the defaults, written and read, are the defaults", () => {
  const bytes = new TextEncoder().encode(writeConfiguration(CONFIGURATION_SCHEMA.defaults));
  const reading = readConfiguration({ files: [{ path: "config.yaml", bytes }] });
  assert.ok(reading.ok);
  assert.deepEqual(reading.configuration, CONFIGURATION_SCHEMA.defaults);
  assert.equal(reading.locations.size, CONFIGURATION_SCHEMA.keys.length, "every key is given");
});

test("every key is written with its meaning", () => {
  const lines = writeConfiguration(CONFIGURATION_SCHEMA.defaults).split("\n");
  for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
    const name = path.slice(path.lastIndexOf(".") + 1);
    const index = lines.findIndex((line) => line.includes(`# ${key.meaning}`));
    assert.equal(lines[index + 1]?.trim(), `${name}: ${key.type.write(key.default)}`, path);
  }
});

/** Every key with some legal value; they are drawn one by one and may contradict each other. */
function configurations(): fc.Arbitrary<Configuration> {
  const values = CONFIGURATION_SCHEMA.keys.map(({ path, key }) =>
    valuesOf(key.type.shape).map((value) => [path, value] as const),
  );
  return fc.tuple(...values).map((drawn) => CONFIGURATION_SCHEMA.build(new Map(drawn)));
}

function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "toggle":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...shape.choices, ...(shape.open ? ["./my module.js", "@a/b"] : []));
    case "text":
      return shape.form === "a filter expression" || shape.form === "a word"
        ? texts(shape.form === "a filter expression")
        : fc.constantFrom(...shape.examples);
    case "map":
      if (shape.form.startsWith("hosts")) return hostPairs();
      return shape.form.startsWith("schemes")
        ? fc.constantFrom([], [["ftp", "./ftp.js"]], [["x-odd", 'a: "b" #c']])
        : fc.constantFrom([], [["Accept-Language", "de"]], [["X-Odd", 'a: "b" #c']]);
    case "record":
      if (shape.form.includes("certificate")) return fc.constant({ cert: "a: b", key: "./k #1" });
      return fc.constantFrom(
        { host: "example.org", file: "./secret", env: null },
        { host: "example.org:8443", file: null, env: "SECRET" },
      );
    case "list":
      return fc.array(valuesOf(shape.item), { maxLength: 4 });
    case "either":
      return fc.oneof(fc.constant(shape.word === "~" ? null : shape.word), valuesOf(shape.other));
    default: {
      const { min, max, powerOfTwo } = shape;
      if (powerOfTwo) return fc.nat({ max: Math.log2(max) }).map((power) => 2 ** power);
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
    }
  }
}

function hostPairs(): fc.Arbitrary<unknown> {
  const none = { hostDelay: null, robots: null, robotsMaxAge: null };
  const rest = { crawlDelayMax: null, crawlDelayOver: null };
  return fc.constantFrom(
    [],
    [["*.example.org", { ...none, ...rest, hostDelay: 5000 }]],
    [
      ["example.org", { ...none, ...rest, robots: "ignore", crawlDelayOver: "cap" }],
      ["127.0.0.1", { ...none, ...rest, robotsMaxAge: 1000, crawlDelayMax: 0 }],
    ],
  );
}

/** Texts full of what YAML gives a meaning to. */
function texts(lines: boolean): fc.Arbitrary<string> {
  const marks = [
    ..."abc ~#:-?[]{}&*!|>'\"%@`,=\\/.é世👋",
    ...(lines ? ["\n", "\t", ": ", " #"] : []),
  ];
  return fc
    .array(fc.constantFrom(...marks), { minLength: 1, maxLength: 20 })
    .map((parts) => parts.join(""))
    .filter((text) => text.trim() !== "");
}

function readBack(text: string): Configuration {
  const mistakes = new MistakeList();
  const bytes = new TextEncoder().encode(text);
  const file = settingsOfFile({ path: "config.yaml", bytes }, CONFIGURATION_SCHEMA, mistakes);
  const layers = [{ settings: file.settings, lastWins: false }];
  const { values } = readLayers(layers, CONFIGURATION_SCHEMA, mistakes);
  assert.deepEqual(mistakes.sorted(), []);
  return CONFIGURATION_SCHEMA.build(values);
}
