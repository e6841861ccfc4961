/** On a real disk with a quota, and on one without. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LoopDisk, needsLoopDisks } from "../../../test/support/base/loop-disk.ts";
import type { CrawlError } from "../errors/index.ts";
import { SystemClock } from "../time/index.ts";
import { isCopying, lacksRoom } from "./room-probe.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const SCHEMA = { pages: { key: "url", columns: { url: "text", body: "blob" } } } as const;

function opened(path: string): Promise<SqliteDatabase> {
  const options = { path, schema: SCHEMA, clock: new SystemClock() };
  return new Promise((resolve, reject) =>
    SqliteDatabase.open(options, (error, database) =>
      error === null ? resolve(database) : reject(error),
    ),
  );
}

function committed(database: SqliteDatabase, url: string): Promise<CrawlError | null> {
  const row = { url, body: new Uint8Array(50_000) };
  return new Promise((resolve) => database.commit({ put: [{ table: "pages", row }] }, resolve));
}

test("a disk with room has it, and where none can be asked there is no lack", () => {
  assert.equal(lacksRoom(join(tmpdir(), "x")), false);
  for (const path of ["/proc/x", "/no such folder/x"]) {
    assert.deepEqual([lacksRoom(path), isCopying(path)], [false, false]);
  }
});

// Without the probe the system would end this process.
test("on a disk whose quota is used up nothing is written to a database, and it says why", {
  skip: needsLoopDisks("btrfs"),
}, async () => {
  const disk = new LoopDisk("btrfs");
  const path = join(disk.root, "crawl.db");
  try {
    assert.deepEqual([isCopying(path), lacksRoom(path)], [true, false]);
    const database = await opened(path);
    assert.equal(await committed(database, "a"), null);
    disk.quotaBytes = 1;
    assert.equal(lacksRoom(path), true);
    assert.equal((await committed(database, "b"))?.code, "DATABASE_FULL");
    await assert.rejects(opened(path), { code: "DATABASE_FULL" });
    disk.quotaBytes = null;
    assert.equal(await committed(database, "c"), null);
    await new Promise((resolve) => database.close(resolve));
  } finally {
    disk.remove();
  }
});
