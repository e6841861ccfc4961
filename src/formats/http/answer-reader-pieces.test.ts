/** The same bytes give the same answer, however they are cut. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { damagedAnswers, properAnswers } from "../../../test/support/formats/likely-answers.ts";
import { HOSTILE_ANSWERS, PROPER_ANSWERS } from "../../../test/support/formats/raw-answers.ts";
import { readAnswer } from "../../../test/support/formats/read-answer.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 20_000 : 1500;
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });

describe("an answer in pieces", () => {
  for (const { name, bytes } of [...PROPER_ANSWERS, ...HOSTILE_ANSWERS]) {
    test(`${name}: byte by byte it is the same as at once`, () => {
      const raw = Buffer.from(bytes, "latin1");
      const { takenBytes: _, ...whole } = readAnswer(raw);
      const { takenBytes: __, ...dripped } = readAnswer(raw, [1]);
      assert.deepEqual(dripped, whole);
    });
  }

  test("a proper answer is read alike in any pieces, up to its last byte", () => {
    fc.assert(
      fc.property(properAnswers, cuts, (text, lengths) => {
        const raw = Buffer.from(text, "latin1");
        const whole = readAnswer(raw);
        assert.equal(whole.refusal, null);
        assert.ok(whole.isWhole);
        assert.deepEqual(readAnswer(raw, lengths), whole);
      }),
      { numRuns },
    );
  });

  test("a damaged answer is read or refused alike in any pieces", () => {
    fc.assert(
      fc.property(damagedAnswers, cuts, (text, lengths) => {
        const raw = Buffer.from(text, "latin1");
        const { takenBytes: _, ...whole } = readAnswer(raw);
        const { takenBytes: __, ...pieced } = readAnswer(raw, lengths);
        assert.deepEqual(pieced, whole);
      }),
      { numRuns },
    );
  });
});
