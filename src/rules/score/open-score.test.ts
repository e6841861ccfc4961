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
