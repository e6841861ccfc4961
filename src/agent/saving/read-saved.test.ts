import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readSavedCrawl } from "./read-saved.ts";

test("a crawl that was killed before it had a database has no checkpoint; a damaged one is told of", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-saved-"));
  try {
    assert.equal(await readSavedCrawl(folder), null);
    const database = join(folder, "crawl.db");
    // As SQLite makes it before its first transaction.
    writeFileSync(database, "");
    assert.equal(await readSavedCrawl(folder), null);
    writeFileSync(database, "not a database");
    await assert.rejects(readSavedCrawl(folder), { code: "DATABASE_CORRUPT" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
