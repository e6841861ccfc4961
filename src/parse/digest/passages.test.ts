import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BitVotes } from "./bit-votes.ts";
import { Passages } from "./passages.ts";

interface Step {
  readonly hashes: readonly number[];
  readonly isLinked: boolean;
  readonly ending: "go on" | "end line" | "end headline" | "end passage";
}

/** The outcome of the vote; words are passed in lists or one by one. */
function outcome(steps: readonly Step[], inLists: boolean): string {
  const votes = new BitVotes();
  const passages = new Passages(votes);
  passages.clear();
  for (const { hashes, isLinked, ending } of steps) {
    if (inLists) passages.wholeWords(Int32Array.from(hashes), 0, hashes.length, isLinked);
    else for (const hash of hashes) passages.word(hash, 2, isLinked);
    if (ending === "end line" || ending === "end headline")
      passages.endLine(ending === "end headline");
    if (ending === "end passage") passages.endPassage();
  }
  passages.endLine(false);
  return `${votes.high} ${votes.low}`;
}

test("words in lists vote as they do one by one, however long their line is", () => {
  const step: fc.Arbitrary<Step> = fc.record({
    hashes: fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 200 }),
    isLinked: fc.boolean(),
    ending: fc.constantFrom("go on", "end line", "end headline", "end passage"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      assert.equal(outcome(steps, true), outcome(steps, false));
    }),
  );
});

test("half words and whole words make lines of any length", () => {
  const votes = new BitVotes();
  const passages = new Passages(votes);
  const hashes = Int32Array.from({ length: 300 }, (_, index) => Math.imul(index, 0x9e3779b1));
  passages.clear();
  passages.word(7, 1, false);
  passages.wholeWords(hashes, 0, hashes.length, false);
  passages.word(8, 1, true);
  passages.endLine(false);
  assert.notEqual(votes.high, 0);
});
