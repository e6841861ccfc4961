import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ownToken, stateFolder } from "./own-token.ts";

test("the folder is the user's, or the one that the environment names", () => {
  assert.equal(stateFolder({}), join(homedir(), ".local/state/trobar"));
  assert.equal(stateFolder({ XDG_STATE_HOME: "/var/x" }), "/var/x/trobar");
  // A relative path is to be ignored, says the specification of these folders.
  assert.equal(stateFolder({ XDG_STATE_HOME: "x" }), join(homedir(), ".local/state/trobar"));
});

test("agents of a user find the same token, which nobody else can read", () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-state-"));
  const state = join(folder, "deep", "state");
  const made = ownToken(state);
  assert.deepEqual(ownToken(state), made);
  assert.equal(made.crawl, null);
  assert.deepEqual(readdirSync(state), ["join.token"]);
  assert.equal(statSync(join(state, "join.token")).mode & 0o777, 0o600);
  chmodSync(join(state, "join.token"), 0o640);
  assert.throws(() => ownToken(state), { code: "CLUSTER_TOKEN_INVALID", message: /Remove it/ });
  rmSync(folder, { recursive: true });
});
