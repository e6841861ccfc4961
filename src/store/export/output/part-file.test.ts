import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PartFile } from "./part-file.ts";

async function inFolder(use: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-part-"));
  try {
    await use(join(folder, "file"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a file has its name only when it is whole", async () => {
  await inFolder(async (path) => {
    const part = PartFile.open(path, "plan");
    await part.write(Buffer.from("one "));
    await part.checkpoint({ cursor: 1, counts: { pages: 1 } });
    await part.write(Buffer.from("two"));
    assert.equal(existsSync(path), false);
    part.finish();
    assert.equal(readFileSync(path, "utf8"), "one two");
    assert.equal(existsSync(`${path}.part`) || existsSync(`${path}.part.json`), false);
  });
});

test("an interrupted file is continued from its last checkpoint, if it has the same plan", async () => {
  await inFolder(async (path) => {
    const first = PartFile.open(path, "plan");
    await first.write(Buffer.from("kept "));
    await first.checkpoint({ cursor: 7, counts: { pages: 3 } });
    await first.write(Buffer.from("lost"));
    first.close();
    const second = PartFile.open(path, "plan");
    assert.deepEqual([second.continued?.cursor, second.continued?.counts], [7, { pages: 3 }]);
    assert.equal(second.writtenBytes, 5);
    await second.write(Buffer.from("more"));
    second.close();
    const third = PartFile.open(path, "another plan");
    assert.equal(third.continued, null);
    await third.write(Buffer.from("new"));
    third.finish();
    assert.equal(readFileSync(path, "utf8"), "new");
  });
});

test("a checkpoint that does not fit its part is not believed", async () => {
  await inFolder(async (path) => {
    const part = PartFile.open(path, "plan");
    await part.write(Buffer.from("12345"));
    await part.checkpoint({ cursor: 1, counts: {} });
    part.close();
    writeFileSync(`${path}.part`, "12");
    const again = PartFile.open(path, "plan");
    assert.equal(again.continued, null);
    again.close();
    writeFileSync(`${path}.part.json`, "{");
    const damaged = PartFile.open(path, "plan");
    assert.equal(damaged.continued, null);
    damaged.close();
  });
});

test("a link under the temporary name is not followed", async () => {
  await inFolder(async (path) => {
    writeFileSync(`${path}.victim`, "mine");
    symlinkSync(`${path}.victim`, `${path}.part`);
    const part = PartFile.open(path, null);
    await part.write(Buffer.from("other"));
    part.finish();
    assert.equal(readFileSync(`${path}.victim`, "utf8"), "mine");
    assert.equal(readFileSync(path, "utf8"), "other");
  });
});

test("a folder that does not exist is explained", async () => {
  await inFolder(async (path) => {
    assert.throws(() => PartFile.open(join(path, "x", "y"), null), { code: "EXPORT_FAILED" });
  });
});

test("what was written can be overwritten", async () => {
  await inFolder(async (path) => {
    const part = PartFile.open(path, null);
    await part.write(Buffer.from("____ rest"));
    await part.writeAt(Buffer.from("head"), 0);
    part.finish();
    assert.equal(readFileSync(path, "utf8"), "head rest");
  });
});
