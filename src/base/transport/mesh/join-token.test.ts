import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { printChecked } from "../../folder/index.ts";
import { checkCrawl, makeToken, parseToken, printToken, readToken } from "./join-token.ts";

const CRAWL = "0123456789abcdef0123456789abcdef";
const token = makeToken(CRAWL);
const other = makeToken(null);

function mistakesIn(text: string): readonly string[] {
  const parsed = parseToken(text);
  return parsed.ok ? [] : parsed.mistakes;
}

function armoured(fields: Record<string, unknown>): string {
  const lines = Buffer.from(printChecked(fields)).toString("base64");
  return `-----BEGIN TROBAR JOIN TOKEN-----\n${lines}\n-----END TROBAR JOIN TOKEN-----\n`;
}

test("a token is read back as it was printed", () => {
  const text = printToken(token);
  assert.match(text, /^# Whoever has this file/);
  assert.deepEqual(parseToken(text), { ok: true, token: { version: 1, ...token } });
  // As it may come out of a mail.
  const mailed = parseToken(`see below\r\n\r\n${text.replaceAll("\n", "\r\n")}\r\n`);
  assert.equal(mailed.ok && mailed.token.key, token.key);
});

test("no two tokens have a secret in common", () => {
  assert.notEqual(token.password, other.password);
  assert.notEqual(token.key, other.key);
});

test("a token that was cut or changed is refused", () => {
  const text = printToken(token);
  assert.match(`${mistakesIn("")}`, /no join token between/);
  assert.match(`${mistakesIn(text.slice(0, 500))}`, /no join token between/);
  const lines = text.split("\n");
  assert.match(`${mistakesIn(lines.toSpliced(5, 1).join("\n"))}`, /cut or changed/);
  const [line = ""] = lines.slice(5);
  const changed = line.startsWith("A") ? `B${line.slice(1)}` : `A${line.slice(1)}`;
  assert.match(`${mistakesIn(lines.with(5, changed).join("\n"))}`, /cut or changed/);
});

test("a token of a later version is refused as such", () => {
  assert.match(`${mistakesIn(armoured({ version: 2 }))}`, /version "2", and this Trobar reads 1/);
});

test("all mistakes of a token are told", () => {
  const fields = { version: 1, crawl: "x", password: "short", certificate: "?", key: 5 };
  assert.deepEqual(mistakesIn(armoured(fields)), [
    "its crawl is not the id of a crawl",
    "its password is not one that Trobar makes",
    "its certificate cannot be read",
    "its key cannot be read",
  ]);
  assert.deepEqual(mistakesIn(armoured({ version: 1, ...token, key: other.key })), [
    "its key is not that of its certificate",
  ]);
});

test("a file without a token is refused by its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-token-"));
  const path = join(folder, "join.token");
  const refusal = { code: "CLUSTER_TOKEN_INVALID" };
  assert.throws(() => readToken(path), { ...refusal, message: /join\.token".*does not exist/ });
  writeFileSync(path, "hello");
  assert.throws(() => readToken(path), { ...refusal, message: /trobar peers token/ });
  writeFileSync(path, `${"x\n".repeat(64 * 1024)}${printToken(token)}`);
  assert.throws(() => readToken(path), refusal, "far longer than any token");
  writeFileSync(path, printToken(token));
  assert.equal(readToken(path).password, token.password);
  rmSync(folder, { recursive: true });
});

test("a token for a crawl is for no other", () => {
  checkCrawl(token, CRAWL);
  checkCrawl(token, null);
  checkCrawl(other, CRAWL);
  assert.throws(() => checkCrawl(token, "f".repeat(32)), { code: "CLUSTER_TOKEN_INVALID" });
});
