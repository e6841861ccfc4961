/** What `npm ci` and the first `npx trobar` do with a clone. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../scripts/prepare.js", import.meta.url));

let clone = "";
let cache = "";

beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "trobar-prepare-")));
  clone = join(root, "clone");
  cache = join(root, "cache");
  mkdirSync(clone);
});
afterEach(() => rmSync(join(clone, ".."), { recursive: true }));

function prepare(command: "ci" | "exec"): void {
  const env = { ...process.env, npm_command: command, npm_config_cache: cache };
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd: clone, env });
  assert.equal(status, 0, String(stderr));
}

/** Packages and a build that only leaves a mark. */
function install(): void {
  mkdirSync(join(clone, "node_modules/typescript"), { recursive: true });
  mkdirSync(join(clone, "node_modules/.bin"));
  const scripts = { build: `node -e "fs.writeFileSync('built', '')"` };
  writeFileSync(join(clone, "package.json"), JSON.stringify({ name: "clone", scripts }));
}

/** Where npx links this clone. */
function npxFolder(): string {
  const name = createHash("sha512").update(clone).digest("hex").slice(0, 16);
  return join(cache, "_npx", name);
}

test("npx in a clone without packages builds nothing and fails nothing", () => {
  prepare("exec");
  assert.equal(existsSync(join(clone, "built")), false);
});

test("npm ci builds, links the command and removes what npx left half made", () => {
  install();
  mkdirSync(join(npxFolder(), "node_modules"), { recursive: true });
  prepare("ci");
  assert.ok(existsSync(join(clone, "built")));
  assert.equal(existsSync(npxFolder()), false);
});

test("a whole folder of npx is kept, and npx builds nothing that is built", () => {
  install();
  mkdirSync(npxFolder(), { recursive: true });
  writeFileSync(join(npxFolder(), "package.json"), "{}");
  prepare("ci");
  assert.ok(existsSync(npxFolder()));
  rmSync(join(clone, "built"));
  mkdirSync(join(clone, "dist/cli"), { recursive: true });
  writeFileSync(join(clone, "dist/cli/main.js"), "");
  prepare("exec");
  assert.equal(existsSync(join(clone, "built")), false);
});
