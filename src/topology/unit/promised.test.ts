import assert from "node:assert/strict";
import { test } from "node:test";
import { promised } from "./promised.ts";

test("a promise is itself, another thenable becomes one, anything else is none", async () => {
  const own = Promise.resolve(1);
  assert.equal(promised(own), own);
  // biome-ignore lint/suspicious/noThenProperty: this is what libraries with promises of their own give.
  const other = { then: (resolve: (value: number) => void) => resolve(2) };
  assert.equal(await promised<number>(other as PromiseLike<number>), 2);
  for (const value of [undefined, null, 0, "", "then", true, {}, [], () => 1]) {
    assert.equal(promised<unknown>(value), null);
  }
});
