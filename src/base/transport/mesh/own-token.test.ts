import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeToken, printToken } from "./join-token.ts";
import { ownToken, stateFolder, tokenExposure } from "./own-token.ts";

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
  const refused = { code: "CLUSTER_TOKEN_INVALID", message: /Remove it/ };
  chmodSync(join(state, "join.token"), 0o640);
  assert.throws(() => ownToken(state), refused);
  chmodSync(join(state, "join.token"), 0o600);
  if (process.getuid?.() === 0) {
    chownSync(join(state, "join.token"), 65_534, 65_534);
    assert.throws(() => ownToken(state), refused, "it is another user's");
  }
  rmSync(folder, { recursive: true });
});

const NOT_FILES: readonly (readonly [what: string, make: (path: string) => unknown])[] = [
  ["a link that leads nowhere", (path) => symlinkSync("/nowhere", path)],
  ["not a file", (path) => mkdirSync(path, { mode: 0o700 })],
  ["not a file", (path) => execFileSync("mkfifo", ["-m", "600", path])],
];

test("what is in the place of the token and is no file is refused, and not waited for", {
  skip: process.platform === "win32",
}, () => {
  for (const [what, make] of NOT_FILES) {
    const folder = mkdtempSync(join(tmpdir(), "trobar-state-"));
    make(join(folder, "join.token"));
    assert.throws(() => ownToken(folder), {
      code: "CLUSTER_TOKEN_INVALID",
      message: new RegExp(`join\\.token".* is ${what}\\. Remove it`),
    });
    rmSync(folder, { recursive: true });
  }
});

test("a token that anybody can read, or others can change, is told of with the remedy", {
  skip: process.platform === "win32",
}, () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-token-"));
  const path = join(folder, "join.token");
  writeFileSync(path, printToken(makeToken(null)));
  const exposures = [0o644, 0o664, 0o660, 0o640, 0o600, 0o440, 0o400].map((mode) => {
    chmodSync(path, mode);
    return tokenExposure(path);
  });
  const said = exposures.map(
    (one) => /any user|others can change it/.exec(one?.message ?? "")?.[0],
  );
  assert.deepEqual(said, [
    ...["any user", "any user", "others can change it"],
    ...Array(4).fill(undefined),
  ]);
  assert.equal(exposures[0]?.code, "CLUSTER_TOKEN_READABLE");
  assert.match(exposures[0]?.message ?? "", /join\.token".*`chmod 600`/);
  rmSync(folder, { recursive: true });
});
