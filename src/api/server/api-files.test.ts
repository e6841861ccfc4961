import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { announce, withdraw } from "./api-files.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-api-"));
after(() => rmSync(folder, { recursive: true }));

function settings(...given: readonly string[]) {
  return configured(...given).api;
}

function place(): unknown {
  return JSON.parse(readFileSync(join(folder, "api.json"), "utf8"));
}

test("a made token is in a file of its own, for its owner only, and both go in the end", () => {
  const files = announce(folder, { settings: settings(), port: 80, token: "made" });
  assert.deepEqual(place(), { url: "http://127.0.0.1:80", token: "api.token", certificate: null });
  assert.equal(readFileSync(join(folder, "api.token"), "utf8"), "made\n");
  for (const name of ["api.json", "api.token"]) {
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  }
  withdraw(files);
  assert.deepEqual(readdirSync(folder), []);
});

test("the user's own token is named where it is, and an address to connect to is given", () => {
  const own = settings("api.host=0.0.0.0", "api.token=/my.token", "api.tls={cert: /c, key: /k}");
  const files = announce(folder, { settings: own, port: 81, token: null });
  assert.deepEqual(place(), { url: "https://127.0.0.1:81", token: "/my.token", certificate: "/c" });
  assert.deepEqual(readdirSync(folder), ["api.json"]);
  withdraw(files);
  withdraw(files);
  assert.deepEqual(readdirSync(folder), []);
});

test("files of a process that came later stay", () => {
  const before = announce(folder, { settings: settings(), port: 82, token: "old" });
  const now = announce(folder, { settings: settings(), port: 83, token: "new" });
  withdraw(before);
  assert.equal((place() as { url: string }).url, "http://127.0.0.1:83");
  assert.equal(readFileSync(join(folder, "api.token"), "utf8"), "new\n");
  withdraw(now);
  assert.deepEqual(readdirSync(folder), []);
});
