import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readGuarded } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-guarded-"));
after(() => rmSync(root, { recursive: true }));
const folder = join(root, "crawl");
mkdirSync(join(folder, "below"), { recursive: true });
writeFileSync(join(root, "secret"), "outside", { mode: 0o600 });

/** The text and what is told of it; null if it is not read. */
function read(path: string): readonly [text: string, isOwn: boolean, isWithin: boolean] | null {
  const file = readGuarded(path, folder, 10);
  return file === null ? null : [Buffer.from(file.bytes).toString(), file.isOwn, file.isWithin];
}

test("a file of this user in the folder is read, and told to be that", () => {
  for (const name of ["file", "below/file"]) {
    writeFileSync(join(folder, name), "0123456789", { mode: 0o600 });
    assert.deepEqual(read(join(folder, name)), ["0123456789", true, true]);
  }
  writeFileSync(join(folder, "empty"), "");
  assert.equal(read(join(folder, "empty"))?.[0], "");
});

test("what is outside is told to be outside, however it is named", () => {
  symlinkSync("../secret", join(folder, "link"));
  symlinkSync("..", join(folder, "up"));
  for (const name of ["link", "up/secret", "../secret"]) {
    assert.deepEqual(read(join(folder, name)), ["outside", true, false], name);
  }
  // A folder beside it whose name begins with the same letters.
  mkdirSync(join(root, "crawl-2"));
  writeFileSync(join(root, "crawl-2/file"), "beside");
  assert.equal(read(join(root, "crawl-2/file"))?.[2], false);
});

test("a file that others can write to is told to be that", () => {
  const path = join(folder, "shared");
  writeFileSync(path, "x");
  chmodSync(path, 0o666);
  assert.deepEqual(read(path), ["x", false, true]);
});

test("pipes, devices, folders and what is too long are not read, and hold nothing up", () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  symlinkSync("/dev/zero", join(folder, "zero"));
  symlinkSync("loop", join(folder, "loop"));
  writeFileSync(join(folder, "long"), "0123456789a");
  for (const name of ["pipe", "zero", "loop", "long", "below", "nothing"]) {
    assert.equal(read(join(folder, name)), null, name);
  }
});
