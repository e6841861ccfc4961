import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRORS, type ErrorCode } from "../errors/index.ts";
import { ruleOfCode } from "./retry-policy.ts";

test("what is documented as never worth another try gets none, and everything else does", () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { retry } = ERRORS[code];
    assert.equal(ruleOfCode(code).tries === "none", retry !== "later", code);
  }
});
