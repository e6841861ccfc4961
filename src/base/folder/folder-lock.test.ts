import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
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
    lock.release();
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
  holder.kill("SIGKILL");
  await once(holder, "exit");
  FolderLock.take(FOLDER).release();
});
