import assert from "node:assert/strict";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PartFolder } from "./part-folder.ts";

function inFolder(use: (path: string) => void): void {
  const folder = fs.mkdtempSync(join(tmpdir(), "trobar-part-"));
  try {
    use(join(folder, "copy"));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

test("a folder has its name only when it is whole", () => {
  inFolder((path) => {
    const folder = PartFolder.open(path, "plan");
    folder.write("a/b/c.txt", Buffer.from("one"));
    folder.append("d.txt", Buffer.from("two "));
    folder.append("d.txt", Buffer.from("three"));
    folder.checkpoint({ cursor: 1, counts: {} });
    assert.equal(fs.existsSync(path), false);
    assert.deepEqual(
      [folder.has("a/b/c.txt"), folder.has("a/b"), folder.has("x")],
      [true, false, false],
    );
    folder.finish();
    assert.equal(fs.readFileSync(join(path, "a/b/c.txt"), "utf8"), "one");
    assert.equal(fs.readFileSync(join(path, "d.txt"), "utf8"), "two three");
    assert.deepEqual(fs.readdirSync(join(path, "..")), ["copy"]);
  });
});

test("a part with the same plan is continued, any other is begun anew", () => {
  inFolder((path) => {
    const first = PartFolder.open(path, "plan");
    first.write("a.txt", Buffer.from("kept"));
    first.checkpoint({ cursor: 7, counts: { pages: 3 } });
    const second = PartFolder.open(path, "plan");
    assert.equal(second.continued?.cursor, 7);
    assert.ok(second.has("a.txt"));
    const third = PartFolder.open(path, "another plan");
    assert.equal(third.continued, null);
    assert.equal(third.has("a.txt"), false);
  });
});

test("links in a part that is continued are replaced, not followed", () => {
  inFolder((path) => {
    const elsewhere = join(path, "..", "elsewhere");
    fs.mkdirSync(elsewhere);
    fs.writeFileSync(join(elsewhere, "mine.txt"), "mine");
    const first = PartFolder.open(path, "plan");
    first.write("deep/a.txt", Buffer.from("a"));
    first.checkpoint({ cursor: 1, counts: {} });
    fs.symlinkSync(elsewhere, `${path}.part/http`);
    fs.symlinkSync(elsewhere, `${path}.part/deep/down`);
    fs.symlinkSync(join(elsewhere, "mine.txt"), `${path}.part/deep/link.txt`);
    fs.linkSync(join(elsewhere, "mine.txt"), `${path}.part/deep/hard.txt`);
    const second = PartFolder.open(path, "plan");
    assert.ok(second.continued !== null);
    for (const name of ["http/x.txt", "deep/down/y/z.txt", "deep/link.txt", "deep/hard.txt"]) {
      second.write(name, Buffer.from("other"));
    }
    second.finish();
    assert.deepEqual(fs.readdirSync(elsewhere), ["mine.txt"]);
    assert.equal(fs.readFileSync(join(elsewhere, "mine.txt"), "utf8"), "mine");
    for (const name of ["http/x.txt", "deep/down/y/z.txt", "deep/link.txt", "deep/hard.txt"]) {
      assert.equal(fs.readFileSync(join(path, name), "utf8"), "other");
    }
  });
});
