import assert from "node:assert/strict";
import { test } from "node:test";
import { scoredLink, scoredPage } from "../../../test/support/rules/scored-link.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { openScore } from "./open-score.ts";
import type { Score } from "./score.ts";

interface Opened {
  readonly score: Score;
  readonly failures: readonly CrawlError[];
}

async function openModule(exports: Readonly<Record<string, unknown>>): Promise<Opened> {
  const failures: CrawlError[] = [];
  const score = await openScore("./mine.js", {
    topic: ["history"],
    importModule: async () => exports,
    onFailure: (error) => failures.push(error),
  });
  return { score, failures };
}

test("the scores of the configuration are there by name, and no module is loaded for them", async () => {
  const options = {
    topic: ["one"],
    importModule: () => Promise.reject(new Error("not asked for")),
    onFailure: () => assert.fail("nothing fails"),
  };
  for (const name of ["backlinks", "cash", "topic"]) {
    const score = await openScore(name, options);
    score.pageFetched?.(scoredPage(0, 1, true));
    assert.ok(score.priorityOf(scoredLink(1, "http://a.example/one")) >= 1, name);
  }
});

test("a user's module makes the score and is given the topic", async () => {
  const pages: string[] = [];
  const { score } = await openModule({
    createScore: ({ topic }: { topic: readonly string[] }) => ({
      priorityOf: () => topic.length + pages.length,
      pageFetched: ({ url }: { url: string }) => pages.push(url),
    }),
  });
  assert.equal(score.priorityOf(scoredLink(1)), 1);
  score.pageFetched?.(scoredPage(3, 1));
  assert.equal(score.priorityOf(scoredLink(1)), 2);
});

const UNUSABLE: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
  [{}, /it exports no function createScore/],
  [{ createScore: 7 }, /it exports no function createScore/],
  [{ createScore: () => null }, /has no method priorityOf/],
  [{ createScore: () => ({ priorityOf: 1 }) }, /has no method priorityOf/],
  [
    {
      createScore: () => {
        throw new Error("no words.\nmore");
      },
    },
    /cannot be used: no words\. A score is a module/,
  ],
];

test("a module that is not a score is refused before anything is fetched, with the reason", async () => {
  for (const [exports, message] of UNUSABLE) {
    await assert.rejects(openModule(exports), { code: "SCORE_INVALID", message });
  }
});

test("a score that breaks its contract costs a priority and is reported once", async () => {
  for (const answer of [Number.NaN, Number.POSITIVE_INFINITY, "7", undefined, Promise.resolve(1)]) {
    const { score, failures } = await openModule({
      createScore: () => ({ priorityOf: () => answer }),
    });
    assert.equal(score.priorityOf(scoredLink(1)), 0);
    assert.equal(score.priorityOf(scoredLink(2)), 0);
    assert.deepEqual(
      failures.map((error) => error.code),
      ["SCORE_FAILED"],
    );
  }
});

test("a score that throws does not reach the crawl", async () => {
  const { score, failures } = await openModule({
    createScore: () => ({
      priorityOf: () => assert.fail("oh"),
      pageFetched: () => assert.fail("no"),
    }),
  });
  score.pageFetched?.(scoredPage(1, 1));
  assert.equal(score.priorityOf(scoredLink(1)), 0);
  assert.match(failures[0]?.message ?? "", /the score \.\/mine\.js threw: no\. Correct the module/);
  assert.equal(failures.length, 1);
});

test("a score that saves what it knows gets it back; one that fails there begins anew", async () => {
  let restored: Uint8Array | null = null;
  const { score } = await openModule({
    createScore: () => ({
      priorityOf: () => 1,
      save: () => Uint8Array.of(1, 2),
      restore: (saved: Uint8Array) => {
        restored = saved;
      },
    }),
  });
  const saved = score.save?.() ?? null;
  assert.ok(saved !== null);
  score.restore?.(saved);
  assert.deepEqual(restored, Uint8Array.of(1, 2));

  const failing = await openModule({
    createScore: () => ({
      priorityOf: () => 1,
      save: () => "not bytes",
      restore: () => assert.fail("no"),
    }),
  });
  assert.equal(failing.score.save?.(), null);
  failing.score.restore?.(saved);
  assert.deepEqual(
    failing.failures.map((error) => error.code),
    ["SCORE_FAILED", "SCORE_FAILED"],
  );
  assert.match(failing.failures[0]?.message ?? "", /begins anew .* instead of a Uint8Array/);
});

test("the scores of the configuration go on with what they knew", async () => {
  const options = { topic: [], importModule: async () => ({}), onFailure: () => assert.fail() };
  for (const name of ["backlinks", "cash"]) {
    const before = await openScore(name, options);
    for (let page = 10; page < 13; page += 1) {
      before.pageFetched?.(scoredPage(page, 1, true));
      before.priorityOf(scoredLink(1));
    }
    const after = await openScore(name, options);
    after.restore?.(before.save?.() ?? new Uint8Array(0));
    for (const score of [before, after]) score.pageFetched?.(scoredPage(20, 1, true));
    assert.equal(after.priorityOf(scoredLink(1)), before.priorityOf(scoredLink(1)), name);
    assert.ok(before.priorityOf(scoredLink(1)) > 1);
  }
});
