/** The text of the shared configuration: the configuration of the agent, and the terms of the limits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import {
  changedText,
  configurationIn,
  foundedBy,
  foundingProblem,
  isCrawlText,
  termsIn,
} from "./crawl-text.ts";

const CRAWL = { crawl: "test", fingerprintKey: "none", shards: 64 };
const BOUNDS = { pages: 10, bytes: null, timeMs: 5000 };
const FOUNDED = foundedBy({ ...CRAWL, text: "key: value\n", bounds: BOUNDS });

test("an agent gets the text that another has given, without the terms of the limits", () => {
  assert.deepEqual(configurationIn(FOUNDED), {
    ...{ ...CRAWL, version: { number: 1, by: "" }, text: "key: value\n" },
  });
});

test("M1: the terms of a crawl that is founded issue what its limits say", () => {
  const { founded, issues, ...bounds } = termsIn(FOUNDED);
  assert.deepEqual(founded, { pages: 10, bytes: 0 });
  assert.deepEqual(issues, []);
  assert.deepEqual(bounds, BOUNDS);
});

test("M7: whoever changes the limits issues the difference, together with the configuration", () => {
  const self = { id: "a1", generation: 7 };
  const bounds = { ...BOUNDS, pages: 25 };
  const changed = {
    ...FOUNDED,
    text: changedText(FOUNDED, self, { text: "key: other\n", bounds }),
  };
  assert.equal(configurationIn(changed).text, "key: other\n");
  const { founded, issues, pages } = termsIn(changed);
  assert.equal(pages, 25);
  assert.deepEqual(founded, { pages: 10, bytes: 0 });
  assert.deepEqual(issues, [{ place: self, amounts: { pages: 15, bytes: 0 } }]);
});

test("a configuration that no message could carry is refused, whatever its letters are", () => {
  assert.equal(foundingProblem({ text: "x".repeat(MESSAGE_BYTES_MAX / 2), bounds: BOUNDS }), null);
  for (const letter of ["x", '"', "\u20ac"]) {
    const problem = foundingProblem({ text: letter.repeat(MESSAGE_BYTES_MAX), bounds: BOUNDS });
    assert.equal(problem?.code, "CLUSTER_CONFIGURATION_TOO_LONG");
    const bytes = Number(problem?.facts["bytes"]);
    assert.ok(bytes > MESSAGE_BYTES_MAX * Buffer.byteLength(letter));
  }
});

test("a text that no agent has printed is known as such", () => {
  assert.equal(isCrawlText(FOUNDED.text), true);
  const self = { id: "a1", generation: 7 };
  const bounds = { ...BOUNDS, pages: 25 };
  assert.equal(isCrawlText(changedText(FOUNDED, self, { text: "x", bounds })), true);
  const { configuration, limits } = JSON.parse(FOUNDED.text);
  const issues = [{ place: { id: "../a", generation: 1 }, amounts: { pages: 1, bytes: 1 } }];
  const strange: readonly unknown[] = [
    ...[null, 3, {}, [], { configuration }, { limits }, { configuration: 3, limits }],
    { configuration, limits: { ...limits, pages: "10" } },
    { configuration, limits: { ...limits, founded: { pages: 1e300, bytes: 0 } } },
    { configuration, limits: { ...limits, issues: null } },
    { configuration, limits: { ...limits, issues } },
  ];
  for (const text of ["", "{", ...strange.map((one) => JSON.stringify(one))]) {
    assert.equal(isCrawlText(text), false, text);
  }
});
