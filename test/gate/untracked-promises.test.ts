import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

const PRELOAD = resolve("scripts/untracked-promises.ts");

/** Runs the body of a test as a file of a whole run. */
function ran(body: string): { readonly status: number | null; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), "trobar-untracked-"));
  try {
    const file = join(folder, "body.mjs");
    const tick = "const tick = () => new Promise((done) => setImmediate(done));\n";
    writeFileSync(file, `import { test } from "node:test";\n${tick}test("it", ${body});\n`);
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const args = [`--import=${PRELOAD}`, "--test-reporter=tap", file];
    const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    return { status, said: stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a good test passes without its promises being followed", () => {
  const { status, said } = ran("async () => { await tick(); }");
  assert.equal(status, 0, said);
  assert.match(said, /^ok 1 - it$/m);
});

test("a rejection that nobody handles fails the file, and is told", () => {
  const lost = 'void (async () => { await tick(); throw new Error("nobody has me"); })();';
  const { status, said } = ran(`async () => { await tick(); ${lost} await tick(); await tick(); }`);
  assert.equal(status, 1, said);
  assert.match(said, /nobody has me/);
});

test("an error that a timer throws fails the file, and is told", () => {
  const { status, said } = ran(
    'async () => { await tick(); setTimeout(() => { throw new Error("late") }, 1); }',
  );
  assert.equal(status, 1, said);
  assert.match(said, /late/);
});
