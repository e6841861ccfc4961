import assert from "node:assert/strict";
import { test } from "node:test";
import { thrownReason } from "./thrown-reason.ts";

function errorWith(message: PropertyDescriptor): Error {
  return Object.defineProperty(new Error("hidden"), "message", message);
}

const UNSHOWABLE = "something that cannot be shown";

const THROWN: readonly [thrown: unknown, reason: string][] = [
  [new Error("no disk.\nat line 5"), "no disk"],
  ["red \u001b[31m", "red \\x1b[31m"],
  [null, "null"],
  [undefined, "undefined"],
  [Symbol("mark"), "Symbol(mark)"],
  [Object.freeze({ code: 5 }), "[object Object]"],
  [errorWith({ value: 5 }), "5"],
  [errorWith({ get: () => assert.fail() }), UNSHOWABLE],
  [Object.create(null), UNSHOWABLE],
  [{ toString: () => assert.fail() }, UNSHOWABLE],
  [{ toString: () => ({}) }, UNSHOWABLE],
];

test("whatever is thrown can be told in a short line", () => {
  for (const [thrown, reason] of THROWN) assert.equal(thrownReason(thrown), reason);
  assert.equal(thrownReason("x".repeat(1e6)).length, 200);
});
