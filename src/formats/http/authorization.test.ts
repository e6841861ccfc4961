import assert from "node:assert/strict";
import { test } from "node:test";
import { readAuthorization } from "./authorization.ts";

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

for (const [content, value] of [
  ["me:secret", basic("me:secret")],
  ["\uFEFFme:secret\r\n", basic("me:secret")],
  ["me:", basic("me:")],
  ["jane doe:pass word", basic("jane doe:pass word")],
  ["j\u00e4ne:p\u00e4ss:word", basic("j\u00e4ne:p\u00e4ss:word")],
  ["Bearer abc.def-_~+/==", "Bearer abc.def-_~+/=="],
  ["Token   xyz\n", "Token xyz"],
] as const) {
  test(`${JSON.stringify(content)} is a credential`, () => {
    assert.deepEqual(readAuthorization(content), { ok: true, value });
  });
}

for (const content of ["", "\n", "secret", "Bearer a b", "me:x\nyou:y", `me:${"x".repeat(5000)}`]) {
  test(`${JSON.stringify(content.slice(0, 20))} is refused, and not repeated`, () => {
    const read = readAuthorization(content);
    assert.ok(!read.ok);
    assert.doesNotMatch(read.problem, /secret|me:|Bearer/);
  });
}
