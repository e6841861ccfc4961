import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { describeOutcome, fetchOnce, testFetcher } from "../../test/support/http-fetching.ts";
import { HOSTILE_ANSWERS, PROPER_ANSWERS } from "../../test/support/raw-answers.ts";
import { type RawServer, serveTable } from "../../test/support/raw-server.ts";

const ANSWERS = [...PROPER_ANSWERS, ...HOSTILE_ANSWERS];

describe("what becomes of raw answers", () => {
  let server: RawServer;
  const fetcher = testFetcher({ keepAliveMs: 0 });

  before(async () => {
    server = await serveTable(ANSWERS.map(({ bytes }) => bytes));
  });
  after(async () => {
    fetcher.close();
    await server[Symbol.asyncDispose]();
  });

  for (const [index, { name, expected }] of ANSWERS.entries()) {
    test(`${name}: ${expected}`, async () => {
      const outcome = await fetchOnce(fetcher, server.url(`/${index}`));
      assert.equal(describeOutcome(outcome), expected);
      if (outcome.kind === "fetched") outcome.body.release();
    });
  }

  test("after all of them no connection is left", () => {
    assert.equal(fetcher.connectionCount, 0);
  });
});
