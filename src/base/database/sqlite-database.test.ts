import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { needsProgram, PROGRAM_MISSING } from "../../../test/support/requirement.ts";
import type { CrawlError } from "../errors/index.ts";
import type { Batch, Done, Row } from "../seams/index.ts";
import { SystemClock } from "../time/index.ts";
import type { Schema } from "./index.ts";
import { hasTables, SqliteDatabase } from "./index.ts";

const SCHEMA: Schema = {
  pages: { key: "url", columns: { url: "text", status: "integer", body: "blob" } },
};

type Marks = Readonly<Record<string, string | number>>;

const root = mkdtempSync(join(tmpdir(), "trobar-sqlite-"));
let folders = 0;
after(() => rmSync(root, { recursive: true }));

test("a file that is not a database is refused as corrupt, and left as it is", async () => {
  const path = freshPath();
  const garbage = "This is not a database. ".repeat(1000);
  writeFileSync(path, garbage);
  const error = await failure(path);
  assert.equal(error.code, "DATABASE_CORRUPT");
  assert.match(error.message, /not a database.*Move the file away/);
  assert.equal(readFileSync(path, "utf8"), garbage);
});

test("a folder in place of the file is refused with a remedy", async () => {
  const path = freshPath();
  mkdirSync(path);
  const error = await failure(path);
  assert.equal(error.code, "DATABASE_FAILED");
  assert.match(error.message, /must be a file/);
});

test("a pipe in place of the file is refused, and holds nothing up", async () => {
  const path = freshPath();
  execFileSync("mkfifo", [path]);
  const error = await failure(path);
  assert.equal(error.code, "DATABASE_FAILED");
  assert.match(error.message, /not a regular file/);
});

test("a missing folder is refused with a remedy", async () => {
  const error = await failure(join(freshPath(), "missing", "crawl.db"));
  assert.equal(error.code, "DATABASE_FAILED");
  assert.match(error.message, /a folder that exists/);
});

test("a path that no file can have is refused", async () => {
  const error = await failure("crawl\0.db");
  assert.equal(error.code, "DATABASE_FAILED");
});

test("a read-only file is refused with a remedy", () => {
  const path = freshPath();
  new DatabaseSync(path).close();
  chmodSync(path, 0o444);
  chmodSync(join(path, ".."), 0o555);
  chmodSync(root, 0o755);
  // Root may write anything, so the attempt is made as nobody.
  const script = `
    import { SqliteDatabase } from ${JSON.stringify(new URL("./index.ts", import.meta.url))};
    import { SystemClock } from ${JSON.stringify(new URL("../time/index.ts", import.meta.url))};
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    const options = { path: process.argv[1], schema: {}, clock: new SystemClock() };
    SqliteDatabase.open(options, (error) => console.log(error?.code, error?.message));
  `;
  const args = ["--input-type=module", "-e", script, path];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.match(stdout, /^DATABASE_FAILED .*permission to write/, stderr);
});

test("damage inside a file is reported as corrupt when it is read", async () => {
  const path = freshPath();
  const database = await opened(path);
  await committed(database, { put: pages(200) });
  await closed(database);
  const bytes = readFileSync(path);
  // The first page, with the schema, is spared: opening must work and reading must not.
  bytes.fill(0xa5, 4096);
  writeFileSync(path, bytes);
  const damaged = await opened(path);
  const error = await new Promise<CrawlError | null>((resolve) =>
    damaged.scan("pages", null, 1000, (...[failed]) => resolve(failed)),
  );
  assert.equal(error?.code, "DATABASE_CORRUPT");
  await closed(damaged);
});

test("a commit waits briefly for another process's write lock, then fails and can be repeated", async () => {
  const path = freshPath();
  const database = await opened(path);
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  const error = await commitError(database, { put: pages(1) });
  assert.equal(error?.code, "DATABASE_LOCKED");
  assert.equal(error?.retry, "later");
  other.exec("ROLLBACK");
  other.close();
  await committed(database, { put: pages(1) });
  await closed(database);
});

test("a reader in another program does not delay commits", async () => {
  const path = freshPath();
  const database = await opened(path);
  await committed(database, { put: pages(1) });
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN");
  assert.equal(reader.prepare("SELECT count(*) AS n FROM pages").get()?.["n"], 1);
  await committed(database, { put: pages(5), marks: { length: 5 } });
  assert.equal(reader.prepare("SELECT count(*) AS n FROM pages").get()?.["n"], 1);
  reader.exec("COMMIT");
  assert.equal(reader.prepare("SELECT value FROM marks").get()?.["value"], 5);
  reader.close();
  await closed(database);
});

test("the log grows while another program stays in a transaction, and is used again afterwards", async () => {
  const path = freshPath();
  const database = await opened(path);
  const logBytes = async (): Promise<number> =>
    await new Promise((resolve, reject) => {
      database.logBytes((error, bytes) => (error === null ? resolve(bytes) : reject(error)));
    });
  await committed(database, { put: pages(1) });
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN");
  assert.equal(reader.prepare("SELECT count(*) AS n FROM pages").get()?.["n"], 1);
  // More than SQLite leaves in the log by itself, which is a thousand pages of 4 KiB.
  const body = new Uint8Array(4 * 1024 * 1024);
  const large = (at: number): Batch => ({
    put: [{ table: "pages", row: { url: `large ${at}`, status: 200, body } }],
  });
  let before = await logBytes();
  for (let at = 0; at < 4; at += 1) {
    await committed(database, large(at));
    const now = await logBytes();
    assert.ok(now >= before + body.length, `${now} after ${before} bytes`);
    before = now;
  }
  assert.equal(reader.prepare("SELECT count(*) AS n FROM pages").get()?.["n"], 1, "as it began");
  reader.exec("COMMIT");
  reader.close();
  for (let at = 4; at < 8; at += 1) await committed(database, large(at));
  const after = await logBytes();
  assert.ok(after <= before + body.length + 1024 * 1024, `${after} after ${before} bytes`);
  await closed(database);
});

test("marks are read again only when someone has committed", async () => {
  const path = freshPath();
  const database = await opened(path);
  const reader = await opened(path);
  const seen = async (): Promise<Marks> =>
    await new Promise((resolve, reject) => {
      reader.marks((error, marks) => (error === null ? resolve(marks) : reject(error)));
    });
  await committed(database, { marks: { length: 1 } });
  const first = await seen();
  assert.deepEqual(first, { length: 1 });
  assert.equal(await seen(), first, "nothing was committed");
  await committed(database, { put: pages(1) });
  assert.notEqual(await seen(), first, "a row was committed");
  await committed(database, { marks: { length: 2 } });
  assert.deepEqual(await seen(), { length: 2 });
  await committed(reader, { marks: { length: 3 } });
  assert.deepEqual(await seen(), { length: 3 }, "its own commit");
  await closed(reader);
  await closed(database);
});

test("commits are durable by SQLite's own account: write-ahead log, synchronous, strict tables", async () => {
  const path = freshPath();
  const database = await opened(path);
  await committed(database, { put: pages(1), marks: { count: 5 } });
  const other = new DatabaseSync(path);
  assert.equal(other.prepare("PRAGMA journal_mode").get()?.["journal_mode"], "wal");
  const tables = other.prepare("SELECT name, strict FROM pragma_table_list").all();
  const strict = tables.filter((table) => table["strict"] === 1).map((table) => table["name"]);
  assert.deepEqual(strict.sort(), ["marks", "pages"]);
  assert.equal(other.prepare("SELECT typeof(value) AS type FROM marks").get()?.["type"], "integer");
  other.close();
  await closed(database);
});

test("every difference between the file and the declaration is named at once", async () => {
  const path = freshPath();
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE pages (url TEXT, status TEXT, title TEXT)");
  other.exec("CREATE TABLE marks (name TEXT PRIMARY KEY)");
  other.exec("CREATE TABLE people_may_add_tables (a)");
  other.close();
  const error = await failure(path);
  assert.equal(error.code, "DATABASE_SCHEMA");
  for (const misfit of [
    "pages.status is text, not integer",
    "pages.body is missing",
    "pages.title is not known",
    "the key of pages is nothing, not url",
    "marks.value is missing",
  ]) {
    assert.ok(error.message.includes(misfit), `${misfit} in: ${error.message}`);
  }
  assert.equal(error.facts["misfits"], 5);
});

test("an integer that another program made too large is an error, not a wrong number", async () => {
  const path = freshPath();
  const database = await opened(path);
  const other = new DatabaseSync(path);
  other.exec("INSERT INTO pages VALUES ('u', 9007199254740993, NULL)");
  other.close();
  const error = await new Promise<CrawlError | null>((resolve) =>
    database.get("pages", "u", (...[failed]) => resolve(failed)),
  );
  assert.equal(error?.code, "DATABASE_FAILED");
  await closed(database);
});

test("on a disk that is really full nothing of a commit is left, and it succeeds when there is room", async (t) => {
  const path = freshPath();
  const folder = join(path, "..");
  const reason = needsProgram("mount") || mountSmallDisk(folder);
  if (reason !== false) return t.skip(reason);
  t.after(() => spawnSync("umount", ["--lazy", folder]));
  const database = await opened(path);
  await committed(database, { put: pages(3) });
  writeFileSync(join(folder, "filler"), new Uint8Array(1536 * 1024));
  const batch = { put: pages(60), marks: { state: "whole" } };
  assert.equal((await commitError(database, batch))?.code, "DATABASE_FULL");
  assert.equal((await allPages(database)).length, 3);
  rmSync(join(folder, "filler"));
  await committed(database, batch);
  assert.equal((await allPages(database)).length, 60);
  await closed(database);
});

function mountSmallDisk(folder: string): string | false {
  const args = ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder];
  const isMounted = spawnSync("mount", args).status === 0;
  return isMounted ? false : `${PROGRAM_MISSING}mount (the right to use it)`;
}

/** A path for a database in a new folder of its own. */
function freshPath(): string {
  folders += 1;
  const folder = join(root, String(folders));
  mkdirSync(folder);
  return join(folder, "crawl.db");
}

function openOutcome(path: string): Promise<Parameters<Done<SqliteDatabase>>> {
  const options = { path, schema: SCHEMA, clock: new SystemClock(), busyTimeoutMs: 20 };
  return new Promise((resolve) => SqliteDatabase.open(options, (...outcome) => resolve(outcome)));
}

async function opened(path: string): Promise<SqliteDatabase> {
  const [error, database] = await openOutcome(path);
  assert(database !== undefined, error?.message);
  return database;
}

async function failure(path: string): Promise<CrawlError> {
  const [error] = await openOutcome(path);
  assert(error !== null, "opening should have failed");
  assert.ok(error.facts["path"] === path && error.message.includes(path));
  return error;
}

function commitError(database: SqliteDatabase, batch: Batch): Promise<CrawlError | null> {
  return new Promise((resolve) => database.commit(batch, resolve));
}

async function committed(database: SqliteDatabase, batch: Batch): Promise<void> {
  assert.equal(await commitError(database, batch), null);
}

test("a database without a file, or without tables, was never made", () => {
  const path = freshPath();
  assert.equal(hasTables(path), false);
  const connection = new DatabaseSync(path);
  connection.exec("PRAGMA journal_mode = WAL");
  assert.equal(hasTables(path), false);
  connection.exec("CREATE TABLE marks (name TEXT)");
  assert.equal(hasTables(path), true);
  connection.close();
  writeFileSync(path, "something else");
  assert.equal(hasTables(path), true, "opening it says what is wrong");
});

async function closed(database: SqliteDatabase): Promise<void> {
  const error = await new Promise((resolve) => database.close(resolve));
  assert.equal(error, null);
}

function allPages(database: SqliteDatabase): Promise<readonly Row[]> {
  return new Promise((resolve, reject) =>
    database.scan("pages", null, 1000, (error, rows) => {
      if (error === null) resolve(rows);
      else reject(error);
    }),
  );
}

function pages(count: number): { table: string; row: Row }[] {
  return Array.from({ length: count }, (_, index) => ({
    table: "pages",
    row: { url: `page ${index}`, status: 200, body: new Uint8Array(10_000).fill(index) },
  }));
}
