/**
 * Our parser against llhttp, which Node's own client uses: whatever ours accepts, llhttp reads in
 * the same way. What llhttp accepts and ours refuses is listed below with its reason.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { damagedAnswers, properAnswers } from "../support/formats/likely-answers.ts";
import { HOSTILE_ANSWERS, PROPER_ANSWERS } from "../support/formats/raw-answers.ts";
import { readAnswer } from "../support/formats/read-answer.ts";
import { nodeAnswer } from "./node-answer.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 20_000 : 1500;

/**
 * Answers that llhttp takes and ours does not. Each is a reading on which two programs could
 * differ, and none of them was found to carry pages.
 */
const STRICTER: ReadonlyMap<string, string> = new Map([
  ["bare newlines before the status line", "a line ends with CR LF, an empty one too"],
  ["many empty lines before the status line", "one or two may be an accident"],
  ["version 0.9", "its answers have no head, so this one contradicts itself"],
  ["version 2.0", "it has no text form"],
  ["status 099", "no such class of answers"],
  ["status 000", "no such class of answers"],
  ["a NUL in the reason", "no text has it"],
  ["an escape in the reason", "it would be shown to people"],
  ["another protocol from here on", "we never ask for one"],
  ["gzip as transfer coding", "we ask for none; the body would be neither page nor chunks"],
  ["identity as transfer coding", "the word was withdrawn; where the body ends is a guess"],
  ["chunked twice in a list", "llhttp takes it for a body until the end"],
  ["chunked twice", "as a list with it twice"],
  ["almost chunked", "llhttp takes it for a body until the end"],
  ["chunked with a parameter", "llhttp takes it for a body until the end"],
  ["chunked in quotes", "llhttp takes it for a body until the end"],
]);

/**
 * The one reading in which ours is the more lenient: a tab after a value is white space (RFC 9110,
 * section 5.5), but llhttp takes `chunked` and a tab for an unknown coding.
 */
const TAB_AFTER_CHUNKED = /chunked[ \t]*\t[ \t]*\r\n/i;

async function assertAlike(text: string): Promise<void> {
  if (TAB_AFTER_CHUNKED.test(text)) return;
  const raw = Buffer.from(text, "latin1");
  const ours = readAnswer(raw);
  if (ours.refusal !== null || !ours.isWhole) return;
  const theirs = await nodeAnswer(raw.subarray(0, ours.takenBytes));
  const { status, headers, body } = ours;
  assert.deepEqual(theirs, { status, headers: headers.flat(), body, error: null });
}

describe("the parser of answers and llhttp", () => {
  for (const { name, bytes } of PROPER_ANSWERS) {
    test(`${name}: both read the same`, () => assertAlike(bytes));
  }

  for (const { name, bytes } of HOSTILE_ANSWERS) {
    test(`${name}: llhttp refuses it too, or it is listed`, async () => {
      const { error } = await nodeAnswer(Buffer.from(bytes, "latin1"));
      assert.equal(error === null, STRICTER.has(name), error ?? "accepted");
    });
  }

  test("any proper answer is read alike by both", async () => {
    await fc.assert(fc.asyncProperty(properAnswers, assertAlike), { numRuns });
  });

  test("of damaged answers, those that ours accepts are read alike by both", async () => {
    await fc.assert(fc.asyncProperty(damagedAnswers, assertAlike), { numRuns });
  });
});
