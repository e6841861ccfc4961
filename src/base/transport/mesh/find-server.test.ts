import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { findServer, isNewEnough, neededServer } from "./find-server.ts";

/** A program that says this when it is asked for its version. */
function withProgram(said: string, use: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-program-"));
  const path = join(folder, "nats-server");
  writeFileSync(path, `#!/bin/sh\necho '${said}'\n`);
  chmodSync(path, 0o700);
  return use(path).finally(() => rmSync(folder, { recursive: true }));
}

test("the server of the system is found", { skip: needsProgram("nats-server") }, async () => {
  const found = await findServer();
  assert.match(found?.version ?? "", /^\d+\.\d+\.\d+/);
  assert.ok(isNewEnough(found?.version ?? ""));
});

test("versions are compared by their numbers", () => {
  for (const version of ["2.9.10", "2.9.23", "2.10.0", "3.0", "2.12.1-beta.2", "10.0.0"]) {
    assert.ok(isNewEnough(version), version);
  }
  for (const version of ["2.9.9", "2.8.40", "1.10.11", "2.9", "none", ""]) {
    assert.ok(!isNewEnough(version), version);
  }
});

test("a server that was named is used, and no other", async () => {
  await withProgram("nats-server: v2.11.4", async (program) => {
    assert.deepEqual(await neededServer(program), { program, version: "2.11.4" });
  });
  await assert.rejects(neededServer("/nowhere/nats-server"), {
    code: "CLUSTER_SERVER_MISSING",
    message: /2\.9\.10 or newer.*no \/nowhere\/nats-server.*apt install nats-server/,
  });
});

test("a server that is too old is refused, with what to install", async () => {
  await withProgram("nats-server: v2.8.4", async (program) => {
    await assert.rejects(neededServer(program), {
      code: "CLUSTER_SERVER_MISSING",
      message: /has version 2\.8\.4.*brew install/,
    });
  });
});
