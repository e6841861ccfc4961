import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./checked.fixture.ts";

/** A module with this text, as `use` may name it. */
function module(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

const WHOLE =
  "inputs: {}, outputs: {}, providers: {}, settings: {}, metrics: {}, inFlightMax: 1, create() {}";

/** What a unit lacks, and what is said of it. */
const BROKEN: readonly [unit: string, said: RegExp][] = [
  [`{ kind: "sink", create() {} }`, /is not a whole unit: its name is not a text/],
  [
    `{ kind: "sink", name: "mine", create() {} }`,
    /mine is not a whole unit: its providers are not/,
  ],
  [`{ kind: "sink", name: "mine", ${WHOLE}, inputs: null }`, /its inputs are not an object/],
  [`{ kind: "sink", name: "mine", ${WHOLE}, outputs: { a: "url" } }`, /its outputs are not types/],
  [`{ kind: "sink", name: "mine", ${WHOLE}, providers: { a: 1 } }`, /its providers are not roles/],
  [`{ kind: "sink", name: "mine", ${WHOLE}, settings: { a: null } }`, /its settings are not keys/],
  [`{ kind: "provider", name: "mine", ${WHOLE} }`, /its role is not declared/],
  [`{ kind: "sink", name: "mine", ${WHOLE}, metrics: { a: null } }`, /its metrics are not metrics/],
  [
    `{ kind: "sink", name: "mine", ${WHOLE}, metrics: { taken: { kind: "counter" } } }`,
    /its metric taken is one that every component has/,
  ],
  [
    `{ kind: "sink", name: "mine", ${WHOLE}, inputs: { a: { name: "x", codec: {} } } }`,
    /its inputs are not types/,
  ],
  ...["0", "-1", "NaN", "1.5", "undefined", '"many"'].map((count): [string, RegExp] => [
    `{ kind: "sink", name: "mine", ${WHOLE}, inFlightMax: ${count} }`,
    /mine is not a whole unit: its inFlightMax is not a number of items from 1/,
  ]),
  [
    `{ kind: "sink", ${WHOLE}, get name() { throw Object.create(null); } }`,
    /is not a whole unit: its parts cannot be read: something that cannot be shown/,
  ],
];

for (const [unit, said] of BROKEN) {
  test(`a module with the unit ${unit} is refused`, async () => {
    const lent = module(`export const mine = ${unit};`);
    const { text } = await check(`use: ["${lent}"]\n`);
    assert.match(text, said);
    assert.match(text, /topology\.yaml:1:7: /);
    const named = await check(`components:\n  one: { unit: "${lent}#mine" }\n`);
    assert.match(named.text, said);
  });
}

/** Kinds of connectors that lack something, and what is said of them. */
const BROKEN_KINDS: readonly [kind: string, said: RegExp][] = [
  ["{ needsCodec: false, open() {} }", /is not a whole kind of connector: its name is not a text/],
  [
    '{ name: "mine", needsCodec: false, open() {} }',
    /mine is not a whole kind of connector: its settings are not an object/,
  ],
  [
    '{ name: "mine", needsCodec: false, open() {}, settings: {}, joinsThreads: true }',
    /its settings have no capacity/,
  ],
];

for (const [kind, said] of BROKEN_KINDS) {
  test(`a module with the kind of connector ${kind} is refused`, async () => {
    const { text } = await check(`use: ["${module(`export const mine = ${kind};`)}"]\n`);
    assert.match(text, said);
  });
}

test("what cannot be looked at is no unit", async () => {
  const trap = "new Proxy({}, { get() { throw 5; }, has() { throw 5; }, ownKeys() { throw 5; } })";
  const lent = module(`export const mine = ${trap}; export const types = ${trap};`);
  const { text } = await check(`use: ["${lent}"]\ncomponents: { one: { unit: "${lent}#mine" } }\n`);
  assert.match(text, /^1 mistake:\n.* is not a known unit/);
});
