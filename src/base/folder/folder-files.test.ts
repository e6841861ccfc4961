import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeFolder, readText, removeFile, writePrivate } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-folder-"));
after(() => rmSync(root, { recursive: true }));

test("a file is written for its owner only, in place of the old one, and leaves nothing beside it", () => {
  const folder = join(root, "private");
  makeFolder(folder);
  const path = join(folder, "file");
  // Left by a process that was killed, and readable by all.
  writeFileSync(join(folder, ".file.tmp"), "half", { mode: 0o644 });
  for (const text of ["one", "two"]) writePrivate(path, text);
  assert.equal(readText(path), "two");
  writePrivate(path, "three", false);
  assert.equal(readText(path), "three");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ["file"]);
});

test("a file that is missing has no text, and what is not a file is refused", () => {
  assert.equal(readText(join(root, "nothing")), null);
  mkdirSync(join(root, "folder"));
  assert.throws(() => readText(join(root, "folder")), {
    code: "DIRECTORY_FAILED",
    message: /Could not read .*folder/,
  });
});

test("folders are made with those above them, and not below a file", () => {
  makeFolder(join(root, "a/b/c"));
  makeFolder(join(root, "a/b/c"));
  assert.ok(statSync(join(root, "a/b/c")).isDirectory());
  writeFileSync(join(root, "file"), "");
  assert.throws(() => makeFolder(join(root, "file/below")), { code: "DIRECTORY_FAILED" });
});

test("a file that is not there is removed without complaint", () => {
  removeFile(join(root, "nothing"));
  assert.throws(() => removeFile(join(root, "a")), { code: "DIRECTORY_FAILED" });
});
