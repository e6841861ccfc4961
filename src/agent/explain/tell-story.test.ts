import assert from "node:assert/strict";
import { test } from "node:test";
import { tellStory, type UrlFacts } from "./tell-story.ts";

const LINK = { url: "http://a.test/", kind: "a", rel: "", text: "x" };

const FACTS: UrlFacts = {
  ...{ url: "http://a.test/x", key: "http://a.test/x", isSeed: false, row: null, lines: [] },
  ...{ linkedFrom: [], refusals: [], robots: null, host: null, place: null, isExhausted: false },
  judgement: { steps: [{ at: null, what: "scope", accepts: true }], refusal: null },
};

const PLACE = { kind: "queue", before: 3, inMs: null } as const;
const HOST = {
  host: "a.test",
  waitsFor: null,
  restsForMs: 0,
  waiting: 4,
  givenUp: null,
  aliasOf: null,
};
const ROBOTS = { refusal: "robots", decision: null, fetchedAt: null, result: 200 };

function endOf(changes: Partial<UrlFacts>): [string, string] {
  const { state, reason } = tellStory({ ...FACTS, ...changes });
  return [state, reason];
}

test("a URL that was not met is judged by the rules and robots.txt", () => {
  assert.deepEqual(endOf({}), ["unknown", "accepted"]);
  assert.deepEqual(endOf({ robots: ROBOTS }), ["unknown", "robots"]);
  const judgement = { steps: [], refusal: "scope" };
  assert.deepEqual(endOf({ judgement, robots: ROBOTS }), ["unknown", "scope"]);
});

test("a URL that was met is refused for the first reason against it, or queued", () => {
  const linkedFrom = [LINK];
  assert.deepEqual(endOf({ linkedFrom }), ["queued", "accepted"]);
  assert.deepEqual(endOf({ isSeed: true, robots: ROBOTS }), ["refused", "robots"]);
  const host = { ...HOST, givenUp: "host-limit" };
  assert.deepEqual(endOf({ linkedFrom, host }), ["refused", "host-limit"]);
  // Nothing is left, and nothing says what became of it: the link was perhaps not followed.
  assert.deepEqual(endOf({ linkedFrom, isExhausted: true }), ["unknown", "accepted"]);
});

test("where a URL waits counts for more than what the rules say by now", () => {
  const judgement = { steps: [], refusal: "scope" };
  assert.deepEqual(endOf({ place: PLACE, judgement }), ["queued", "accepted"]);
  const inFlight = { kind: "in-flight", before: null, inMs: null } as const;
  assert.deepEqual(endOf({ place: inFlight, judgement }), ["fetching", "in-flight"]);
  const retry = { kind: "retry", before: null, inMs: 500 } as const;
  assert.deepEqual(endOf({ place: retry }), ["retrying", "failed"]);
});

test("the story goes from where a URL was found to where it waits", () => {
  const { story } = tellStory({ ...FACTS, linkedFrom: [LINK], host: HOST, place: PLACE });
  assert.deepEqual(
    story.map(({ what }) => what),
    ["linked", "scope", "host", "queued"],
  );
  assert.equal(story.at(-1)?.["before"], 3);
});
