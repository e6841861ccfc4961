import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import { readWords } from "./command-words.ts";

function refusal(...line: Parameters<typeof readWords>): string {
  try {
    readWords(...line);
  } catch (error) {
    if (isCrawlError(error)) return error.message;
    throw error;
  }
  return "none";
}

test("mistakes of flags and of words are told together", () => {
  assert.equal(
    refusal("pause", ["x", "y", "--z"], 0, 0),
    "3 mistakes:\n  flag --z: is unknown.\n" +
      '  argument no. 1: `trobar pause` takes no "x"; name a crawl directory with -o DIR.\n' +
      '  argument no. 2: `trobar pause` takes no "y"; name a crawl directory with -o DIR.',
  );
  assert.equal(
    refusal("hosts block", ["--z"], 1, 1),
    "2 mistakes:\n  flag --z: is unknown.\n" +
      "  argument no. 1: is missing: trobar hosts block HOST [-o DIR].",
  );
});

test("a word beyond those that a command takes is refused, with what may be meant", () => {
  assert.equal(
    refusal("hosts", ["blok", "a.test"], 0, 0),
    '`trobar hosts` takes no "blok"; perhaps `trobar hosts block` is meant.',
  );
  assert.equal(
    refusal("hosts purge", ["a.test", "b.test"], 1, 1),
    '"b.test" is too much: one host at a time.',
  );
  assert.equal(
    refusal("stop", ["x", "y"], 0, 0),
    '2 mistakes:\n  argument no. 1: `trobar stop` takes no "x"; name a crawl directory with -o DIR.\n' +
      '  argument no. 2: `trobar stop` takes no "y"; name a crawl directory with -o DIR.',
  );
  assert.equal(refusal("hosts purge", ["a.test"], 1, 1), "none");
  assert.equal(refusal("seed", ["a", "b", "c"], 1), "none");
});
