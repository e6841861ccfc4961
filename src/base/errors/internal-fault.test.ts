import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "./crawl-error.ts";
import { beyondBarriers, faultOf, isInternalFault } from "./internal-fault.ts";

const UNIT = { code: "INTERNAL_PARSE", what: "the page http://a.test/", isOver: false } as const;

test("what a unit throws becomes an error with its code and cause", () => {
  const cause = new TypeError("x is not a function");
  const error = faultOf(cause, UNIT);
  assert.deepEqual([error.code, error.cause], ["INTERNAL_PARSE", cause]);
  assert.match(error.message, /the page http:\/\/a\.test\/: TypeError: x is not a function\./);
  assert.ok(isInternalFault(error));
  assert.equal(faultOf(error, { ...UNIT, code: "INTERNAL_STORE" }), error, "the first code stays");
});

test("what is thrown after the end of a unit is rethrown", () => {
  const thrown = new Error("later");
  assert.throws(() => faultOf(thrown, { ...UNIT, isOver: true }), thrown);
});

test("what shared state threw passes every barrier", () => {
  const thrown = new Error("ours");
  assert.throws(() => faultOf(beyondBarriers(thrown), UNIT), thrown);
  const wrapped = beyondBarriers("a text");
  assert.throws(() => faultOf(wrapped, UNIT), /a text/);
});

test("anything can be thrown", () => {
  const unprintable = {
    toString() {
      throw new Error("no");
    },
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const thrown of [undefined, null, 1, "text", Symbol("s"), unprintable, {}, proxy]) {
    assert.equal(faultOf(thrown, UNIT).code, "INTERNAL_PARSE");
  }
  assert.ok(faultOf("x".repeat(10_000), UNIT).message.length < 1000);
  assert.equal(isInternalFault(new CrawlError("STORE_FULL", "full")), false);
});

test("the fault of a unit, which may be the user's own, does not promise how the crawl goes on", () => {
  const { message } = faultOf(new Error("oh"), { ...UNIT, code: "INTERNAL_UNIT" });
  assert.match(
    message,
    /Error: oh\. If the unit is yours, mend it; otherwise please report this\.$/,
  );
});
