/**
 * Claim: committing page rows through `SqliteDatabase` costs little beside SQLite's own work. Ten
 * thousand rows per batch, against the same statements called directly; rounds are interleaved on
 * two files that grow alike, and medians are compared. `node bench/database-commit.ts [rounds]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Schema } from "../src/base/database/index.ts";
import { SqliteDatabase } from "../src/base/database/index.ts";
import { SeededRandom } from "../src/base/random/index.ts";
import type { Row } from "../src/base/seams/index.ts";
import { SystemClock } from "../src/base/time/index.ts";

const ROWS = 10_000;
const rounds = Number(process.argv[2] ?? 12);
const random = new SeededRandom("pages");
const schema: Schema = {
  pages: {
    key: "url",
    columns: {
      url: "text",
      host: "text",
      depth: "integer",
      status: "integer",
      mime: "text",
      bytes: "integer",
      digest: "blob",
      title: "text",
      fetched_at: "integer",
      warc: "text",
      offset: "integer",
      length: "integer",
    },
  },
};
const columns = Object.keys(schema["pages"]?.columns ?? {});

function pages(): Row[] {
  return Array.from({ length: ROWS }, () => {
    const host = `www${random.below(300)}.example.org`;
    const id = random.u32().toString(36) + random.u32().toString(36);
    const digest = Uint8Array.from({ length: 20 }, () => random.below(256));
    return {
      ...{ url: `https://${host}/section/${id}/page.html`, host, depth: random.below(9) },
      ...{ status: 200, mime: "text/html", bytes: random.below(100_000), digest },
      ...{ title: `The page with the number ${id}`, fetched_at: 1.8e12 + random.below(1e9) },
      ...{ warc: "crawl-20300101-00001.warc.gz", offset: random.u32(), length: random.below(9e4) },
    };
  });
}

const folder = mkdtempSync(join(tmpdir(), "trobar-bench-"));
const bare = new DatabaseSync(join(folder, "bare.db"));
bare.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
const types = Object.entries(schema["pages"]?.columns ?? {});
const declarations = types.map(([name, type]) => `"${name}" ${type}`).join(", ");
bare.exec(`CREATE TABLE pages (${declarations}, PRIMARY KEY ("url")) STRICT`);
const marks = columns.map(() => "?").join(", ");
const insert = bare.prepare(`INSERT OR REPLACE INTO pages VALUES (${marks})`);

function bareMs(rows: readonly Row[]): number {
  const startedAtMs = performance.now();
  bare.exec("BEGIN IMMEDIATE");
  for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  bare.exec("COMMIT");
  return performance.now() - startedAtMs;
}

function oursMs(database: SqliteDatabase, rows: readonly Row[]): Promise<number> {
  const startedAtMs = performance.now();
  const put = rows.map((row) => ({ table: "pages", row }));
  return new Promise((resolve, reject) => {
    database.commit({ put }, (error) => {
      if (error === null) resolve(performance.now() - startedAtMs);
      else reject(error);
    });
  });
}

const options = { path: join(folder, "ours.db"), schema, clock: new SystemClock() };
const database = await new Promise<SqliteDatabase>((resolve, reject) => {
  SqliteDatabase.open(options, (error, opened) => {
    if (error === null) resolve(opened);
    else reject(error);
  });
});
const times: { readonly bare: number; readonly ours: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const rows = pages();
  // Who goes second finds the rows in the processor's cache, so they take turns.
  const early = round % 2 === 0 ? bareMs(rows) : 0;
  const ours = await oursMs(database, rows);
  times.push({ bare: round % 2 === 0 ? early : bareMs(rows), ours });
}
const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
const rate = (ms: number) => `${Math.round(ROWS / ms)} thousand rows/s`;
console.log(`bare SQLite:    ${rate(median(times.map((time) => time.bare)))}`);
console.log(`SqliteDatabase: ${rate(median(times.map((time) => time.ours)))}`);
const ratio = median(times.map((time) => time.bare / time.ours));
console.log(`ratio:          ${ratio.toFixed(2)} of the bare rate (median of ${rounds} rounds)`);
await new Promise<void>((resolve) => database.close(() => resolve()));
bare.close();
rmSync(folder, { recursive: true });
