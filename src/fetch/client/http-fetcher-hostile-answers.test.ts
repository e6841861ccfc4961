import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import {
  describeOutcome,
  fetchOnce,
  testFetcher,
} from "../../../test/support/fetch/http-fetching.ts";
import { type RawServer, serveRaw, serveTable } from "../../../test/support/fetch/raw-server.ts";
import { damagedAnswers, properAnswers } from "../../../test/support/formats/likely-answers.ts";
import { HOSTILE_ANSWERS, PROPER_ANSWERS } from "../../../test/support/formats/raw-answers.ts";
import { readAnswer } from "../../../test/support/formats/read-answer.ts";

const ANSWERS = [...PROPER_ANSWERS, ...HOSTILE_ANSWERS];

describe("outcomes of raw answers", () => {
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

/** What the parser alone makes of bytes after which the server closes. */
function expectedOutcome(bytes: Buffer): string {
  const { status, body, isWhole, refusal } = readAnswer(bytes);
  if (status > 0) return `${status} ${body.length} ${isWhole ? null : "disconnect"}`;
  return refusal === null ? "FETCH_DISCONNECTED" : `FETCH_PROTOCOL ${refusal}`;
}

describe("answers in pieces, on real sockets", () => {
  const numRuns = process.env["TROBAR_FULL"] === "1" ? 3000 : 150;
  const answers = fc.oneof(properAnswers, damagedAnswers);
  const cuts = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });

  test("any answer in any pieces ends in the outcome that its bytes deserve", async () => {
    let pieces: Buffer[] = [];
    await using server = await serveRaw((socket) => {
      const sending = pieces;
      const next = (index: number) => {
        const piece = sending[index];
        if (piece === undefined) socket.end();
        else socket.write(piece, () => setImmediate(next, index + 1));
      };
      next(0);
    });
    const fetcher = testFetcher();
    await fc.assert(
      fc.asyncProperty(answers, cuts, async (text, lengths) => {
        const bytes = Buffer.from(text, "latin1");
        pieces = [];
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const length = lengths[cut % lengths.length] ?? 1;
          pieces.push(bytes.subarray(at, at + length));
          at += length;
        }
        const outcome = await fetchOnce(fetcher, server.url());
        assert.equal(describeOutcome(outcome), expectedOutcome(bytes));
        // The server ends this connection soon; the next answer is for a new one.
        fetcher.closeIdle("host.test");
      }),
      { numRuns },
    );
    assert.equal(fetcher.connectionCount, 0);
  });
});
