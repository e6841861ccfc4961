import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { FileName, ReadableFile, Storage } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { RecordReader } from "./record-reader.ts";

/** A file of a chosen length; what is in it is not written out. */
async function inArchive(
  lengths: Readonly<Record<string, number>>,
  act: (storage: DiskStorage) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-reader-"));
  try {
    mkdirSync(join(folder, "warc"));
    for (const [name, lengthBytes] of Object.entries(lengths)) {
      writeFileSync(join(folder, "warc", name), "");
      truncateSync(join(folder, "warc", name), lengthBytes);
    }
    await act(new DiskStorage(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the length of a file is found to the byte, also while it is open", async () => {
  const mebibyte = 1024 * 1024;
  const lengths = [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 5 * mebibyte + 7];
  const named = lengths.map((length) => [`${length}.warc.gz`, length] as const);
  await inArchive({ ...Object.fromEntries(named), "x.warc.gz.open": 9 }, async (storage) => {
    const reader = new RecordReader(storage);
    for (const [name, length] of named) assert.equal(await reader.lengthOf(name), length);
    assert.equal(await reader.lengthOf("x.warc.gz"), 9);
    assert.equal(await reader.lengthOf("none.warc.gz"), null);
    assert.equal(await reader.lengthOf("../../x"), null);
    await reader.close();
  });
});

test("few files are open at once, and none after closing", async () => {
  const names = Array.from({ length: 40 }, (_, number) => `${number}.warc.gz`);
  await inArchive(Object.fromEntries(names.map((name) => [name, 1])), async (storage) => {
    let [open, most] = [0, 0];
    const counting: Pick<Storage, "openToRead"> = {
      openToRead: (name: FileName, done) =>
        storage.openToRead(name, (error, file) => {
          if (error !== null) return done(error, undefined);
          most = Math.max(most, ++open);
          const counted: ReadableFile = {
            name: file.name,
            read: (offset, lengthBytes, ended) => file.read(offset, lengthBytes, ended),
            close: (ended) => {
              open -= 1;
              file.close(ended);
            },
          };
          done(null, counted);
        }),
    };
    const reader = new RecordReader(counting as Storage);
    for (const name of [...names, ...names]) assert.equal(await reader.lengthOf(name), 1);
    assert.ok(most <= 20, `${most} files were open`);
    await reader.close();
    assert.equal(open, 0);
  });
});
