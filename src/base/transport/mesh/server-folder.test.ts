import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeToken } from "./join-token.ts";
import { ServerFolder } from "./server-folder.ts";

const token = makeToken(null);

test("only its owner can look into the folder, and logs that were put aside are not kept", (context) => {
  const path = mkdtempSync(join(tmpdir(), "trobar-server-"));
  context.after(() => rmSync(path, { recursive: true }));
  chmodSync(path, 0o755);
  for (const name of ["server.log", "server.log.2026.01.02"]) writeFileSync(join(path, name), "");
  const folder = new ServerFolder(path, token);
  assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(path).sort(), ["certificate.pem", "key.pem", "server.log"]);
  for (const file of [folder.files.key, folder.files.certificate]) {
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }
});

test("the last port is known at the next start, whatever was known before", (context) => {
  const path = mkdtempSync(join(tmpdir(), "trobar-server-"));
  context.after(() => rmSync(path, { recursive: true }));
  const folder = new ServerFolder(path, token);
  assert.equal(folder.lastRoutesPort(), null);
  for (const port of [7001, 7001, 7002]) {
    folder.keepRoutesPort(port);
    assert.equal(new ServerFolder(path, token).lastRoutesPort(), port);
  }
});
