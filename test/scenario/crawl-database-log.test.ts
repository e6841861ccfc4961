/**
 * The write-ahead log of `crawl.db` while a real crawl commits again and again: it is begun anew, so that it
 * stays small. Somebody who stays in a transaction prevents that: the crawl says so once and goes on, and
 * the file is cut when the transaction has ended.
 */
import assert from "node:assert/strict";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const MIB = 1024 * 1024;
/** SQLite copies the log into the file after 1000 pages of 4 KiB; what is committed before comes on top. */
const COPIED_BYTES = 4 * MIB;
const USUAL_BYTES_MAX = 2 * COPIED_BYTES + MIB;
/** After a larger one it is cut to this. */
const KEPT_BYTES = 64 * MIB;
/** From here on a crawl says that it is large. */
const TOLD_BYTES = 256 * MIB;
const HOSTS = 4;

/** Hosts without end: each page leads to the next. */
const WEB: Hosts = () => {
  const pages = Array.from({ length: 3000 }, (_, page) => [
    `/${page || ""}`,
    linking(`/${page + 1}`),
  ]);
  const host = { pages: Object.fromEntries(pages) };
  return Object.fromEntries(Array.from({ length: HOSTS }, (_, at) => [`h${at}.test`, host]));
};

/** The write-ahead log of a database. */
class LogFile {
  readonly #path: string;
  bytesMax = 0;

  constructor(database: string) {
    this.#path = `${database}-wal`;
  }

  get bytes(): number {
    const bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    this.bytesMax = Math.max(this.bytesMax, bytes);
    return bytes;
  }

  /** A number in its head that is another one each time when it is begun anew. */
  get salt(): number {
    const head = Buffer.alloc(20);
    const file = openSync(this.#path, "r");
    readSync(file, head);
    closeSync(file);
    return head.readUInt32BE(16);
  }
}

/** Looks again after each page until it is so. */
async function until(web: CrawledWeb, isSo: () => boolean): Promise<void> {
  for (let at = web.entries.length; !isSo(); at += 1) await web.requests(at + 1);
}

/**
 * Makes the log larger than a crawl of a test can, in transactions that hold up nobody. Copying it into the
 * file is left to the crawl.
 */
function enlarge(path: string, bytes: number): void {
  const writer = new DatabaseSync(path, { timeout: 60_000 });
  writer.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
  writer.exec("CREATE TABLE IF NOT EXISTS other (bytes BLOB)");
  const add = writer.prepare(`INSERT INTO other VALUES (zeroblob(${4 * MIB}))`);
  for (let written = 0; written < bytes; written += 4 * MIB) add.run();
  writer.close();
}

test("the log of crawl.db stays small, and is cut after somebody has kept it", async () => {
  await withWeb(WEB, async (web) => {
    const out = join(web.folder, "out");
    const path = join(out, "crawl.db");
    const seeds = Array.from({ length: HOSTS }, (_, at) => web.url(`h${at}.test/`));
    const settings = ["store.checkpoint=20ms", "politeness.hostDelay=20ms"];
    const crawl = new TrobarProcess([
      ...["crawl", ...web.flags, "--scope", "any", "-o", out, "--json"],
      ...[...settings.flatMap((setting) => ["--set", setting]), "--", ...seeds],
    ]);
    const ended = crawl.end().then(() => assert.fail(`It ended early: ${crawl.stderr}`));
    try {
      const log = new LogFile(path);
      await Promise.race([ended, web.requests(2 * HOSTS)]);
      await Promise.race([ended, until(web, () => log.bytes > 0)]);
      for (let times = 0; times < 3; times += 1) {
        const { salt } = log;
        enlarge(path, COPIED_BYTES);
        await Promise.race([ended, until(web, () => log.bytes > 0 && log.salt !== salt)]);
      }
      assert.ok(log.bytesMax <= USUAL_BYTES_MAX, `it had ${log.bytesMax} bytes`);
      const reader = new DatabaseSync(path, { readOnly: true });
      reader.exec("BEGIN");
      reader.prepare("SELECT count(*) FROM pages").get();
      enlarge(path, TOLD_BYTES + 8 * MIB);
      await Promise.race([ended, crawl.said("DATABASE_LOG_LARGE")]);
      const asked = web.entries.length;
      await Promise.race([ended, web.requests(asked + 10 * HOSTS)]);
      assert.ok(log.bytes > TOLD_BYTES, "it is kept by the reader");
      reader.exec("COMMIT");
      reader.close();
      await Promise.race([ended, until(web, () => log.bytes <= KEPT_BYTES)]);
      assert.equal(crawl.stderr.split("DATABASE_LOG_LARGE").length, 2, "it is said once");
    } finally {
      crawl.kill("SIGKILL");
      await crawl.end();
    }
  });
});
