import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Tokens } from "./tokens.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-tokens-"));
after(() => rmSync(root, { recursive: true }));

function fileWith(text: string): string {
  const path = join(root, `${text.length}.token`);
  writeFileSync(path, text);
  return path;
}

test("a token that is made is long, and another each time", () => {
  const [one, other] = [1, 2].map(() => new Tokens({ token: "auto", readToken: null }));
  assert.match(one?.made ?? "", /^[\w-]{43}$/);
  assert.notEqual(one?.made, other?.made);
  assert.equal(one?.roleOf(`Bearer ${one.made}`), "write");
  assert.equal(one?.roleOf(`Bearer ${other?.made}`), null);
});

test("a token of the user's is one line of 16 to 512 characters", () => {
  for (const good of ["x".repeat(16), `${"x".repeat(512)}\r\n`, " !~0123456789abcde\n"]) {
    const tokens = new Tokens({ token: fileWith(good), readToken: null });
    assert.equal(tokens.made, null);
    assert.equal(tokens.roleOf(`Bearer ${good.trim()}`), "write");
  }
  const bad = ["", "x".repeat(15), "x".repeat(513), `${"x".repeat(16)} y`, `${"é".repeat(16)}`];
  const refusal = { code: "API_TOKEN_UNUSABLE" };
  for (const text of bad) {
    const token = fileWith(text);
    assert.throws(() => new Tokens({ token, readToken: null }), refusal, text);
    assert.throws(() => new Tokens({ token: "auto", readToken: token }), refusal, text);
  }
  const absent = join(root, "absent");
  assert.throws(() => new Tokens({ token: absent, readToken: null }), refusal);
});

test("one token cannot both allow changes and forbid them", () => {
  const token = fileWith("the-same-token-twice");
  assert.throws(() => new Tokens({ token, readToken: token }), {
    ...{ code: "API_TOKEN_UNUSABLE", message: /the same token/ },
  });
});
