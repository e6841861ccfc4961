import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { FOLDER_HOLDER } from "./folder-holder.fixture.ts";
import { FolderLock } from "./index.ts";

const path = mkdtempSync(join(tmpdir(), "trobar-lock-"));
after(() => rmSync(path, { recursive: true }));
const FOLDER = { path, lockFile: "test.lock", meaning: "folder", wayOut: "name another" };

test("a folder is locked once, and again after it was released", () => {
  for (let round = 0; round < 2; round += 1) {
    const lock = FolderLock.take(FOLDER);
    assert.throws(() => FolderLock.take(FOLDER), {
      code: "DIRECTORY_IN_USE",
      message: new RegExp(
        `^The folder ${path} is in use by process ${process.pid} on .*or name another\\.$`,
      ),
    });
    assert.equal(FolderLock.isHeld(FOLDER), true);
    lock.release();
    assert.equal(FolderLock.isHeld(FOLDER), false);
  }
  assert.deepEqual(readdirSync(path), ["test.lock"]);
});

test("another process is named, and its lock ends with it, however it ends", async (context) => {
  const holder = spawn(process.execPath, [FOLDER_HOLDER, path]);
  context.after(() => holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  assert.throws(() => FolderLock.take(FOLDER), {
    code: "DIRECTORY_IN_USE",
    facts: { path, pid: holder.pid },
  });
  assert.equal(FolderLock.isHeld(FOLDER), true);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  assert.equal(FolderLock.isHeld(FOLDER), false);
  FolderLock.take(FOLDER).release();
});

test("a lock that cannot be taken for other reasons is not told of as in use", () => {
  const folder = (name: string): typeof FOLDER => ({ ...FOLDER, path: join(path, name) });
  const refused = (name: string, message: RegExp): void => {
    assert.throws(() => FolderLock.take(folder(name)), { code: "DIRECTORY_FAILED", message });
    assert.equal(FolderLock.isHeld(folder(name)), false);
  };
  refused("missing", /^Could not open .*missing\/test\.lock: /);
  mkdirSync(join(path, "folder", "test.lock"), { recursive: true });
  refused("folder", /^Could not (?:open|lock) .*folder\/test\.lock: /);
  mkdirSync(join(path, "foreign"));
  writeFileSync(join(path, "foreign", "test.lock"), "not a lock\n".repeat(1000));
  refused("foreign", /foreign\/test\.lock is not a lock of Trobar's.* remove it/);
});

test("whoever cannot say that it has the lock does not keep it", () => {
  const unsaid = { ...FOLDER, path: join(path, "unsaid") };
  mkdirSync(join(unsaid.path, "test.lock.json"), { recursive: true });
  assert.throws(() => FolderLock.take(unsaid), { code: "DIRECTORY_FAILED" });
  assert.equal(FolderLock.isHeld(unsaid), false);
  rmSync(join(unsaid.path, "test.lock.json"), { recursive: true });
  FolderLock.take(unsaid).release();
});
