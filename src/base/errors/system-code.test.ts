import assert from "node:assert/strict";
import { test } from "node:test";
import { isNoRoom, systemCodeOf } from "./system-code.ts";

function systemError(code: string, errno: number): Error {
  return Object.assign(new Error(`${code}: planted`), { code, errno });
}

test("a quota that is used up is told by its number, whatever Node calls it", () => {
  for (const code of ["UNKNOWN", "Unknown system error -122", "EDQUOT"]) {
    assert.equal(systemCodeOf(systemError(code, -122)), "EDQUOT");
  }
  assert.equal(systemCodeOf(systemError("UNKNOWN", -4094)), "UNKNOWN");
});

test("an error has no code of the system unless it is one of the system", () => {
  assert.equal(systemCodeOf(systemError("EROFS", -30)), "EROFS");
  for (const thrown of [new Error("no"), "ENOSPC", null]) assert.equal(systemCodeOf(thrown), "");
});

test("a full disk and a used-up quota pass when somebody makes room, nothing else does", () => {
  const codes = ["ENOSPC", "EDQUOT", "EROFS", "EIO", "", "UNKNOWN"];
  assert.deepEqual(codes.filter(isNoRoom), ["ENOSPC", "EDQUOT"]);
});
