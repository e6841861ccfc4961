/**
 * Claim: the page index costs the same for each page at twenty million pages as at one million, in
 * memory that does not grow. Three layouts are compared, each with the same rows in transactions of
 * ten thousand (docs/adr/0045):
 *
 * - `indexed`: one table with a unique index on the 64-bit fingerprint of the page
 * - `runs`: one table by number, and fingerprint -> number in sorted runs beside it (`base/runs`)
 * - `parts`: tables of a million rows, each with its own index, and a view over all of them
 *
 * SQLite has 256 MiB for its cache, and every 100,000 rows the files are dropped from the system's
 * cache, which would otherwise hide what a machine with 1 GiB has to read again.
 *
 * `nice node bench/page-index-layouts.ts [layout] [millions] [minutes]`
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { ThreadBackground } from "../src/base/background/index.ts";
import { SeededRandom } from "../src/base/random/index.ts";
import { openRunTable, type RunTable } from "../src/base/runs/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { MIB } from "../src/base/units/index.ts";

const BATCH = 10_000;
const DROP_EVERY = 100_000;
const PART_ROWS = 1_000_000;
const LOOK_UPS = 200;
const [only = "all", millions = "20", minutes = "10"] = process.argv.slice(2);

type Values = (string | number | bigint | null)[];

interface Page {
  readonly high: number;
  readonly low: number;
  /** The columns behind number and fingerprint. */
  readonly values: Values;
}

interface Layout {
  add(pages: readonly Page[]): void;
  /** The number of a page by its fingerprint. */
  find(high: number, low: number): Promise<number>;
  close(): Promise<void>;
}

const TEXTS = ["url", "key", "host", "via", "mime", "charset", "digest", "simhash", "title"];
const MORE_TEXTS = ["language", "fetched_at", "duplicate_of", "redirect_to", "error", "warc"];
const NUMBERS = ["status", "bytes", "depth", "requisite", "noindex", "offset", "length"];
const COLUMNS = [
  ...[...TEXTS, ...MORE_TEXTS].map((name) => `${name} TEXT`),
  ...NUMBERS.map((name) => `${name} INTEGER`),
].join(", ");
const PLACES = [...TEXTS, ...MORE_TEXTS, ...NUMBERS].map(() => "?").join(", ");

function pageMaker(): () => Page {
  const random = new SeededRandom("pages");
  return () => {
    const high = random.u32();
    const low = random.u32();
    const host = `www${high % 50_000}.example.org`;
    const id = high.toString(36) + low.toString(36);
    const url = `https://${host}/section/${id}/page.html`;
    const hash = `${id}${id}${id}`.padEnd(32, "A").slice(0, 32);
    const values: Values = [
      ...[url, url, host, `https://${host}/section/${low % 1000}/`, "text/html", "utf-8"],
      ...[`sha1:${hash}`, id.padStart(16, "0"), `The page with the number ${id}`, "en"],
      ...["2030-01-01T00:00:00.000Z", null, null, null, "crawl-20300101000000000-00001-a.warc.gz"],
      ...[200, low % 100_000, low % 9, 0, 0, low, high % 90_000],
    ];
    return { high, low, values };
  };
}

function openFile(folder: string): DatabaseSync {
  const connection = new DatabaseSync(join(folder, "pages.db"));
  connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  connection.exec("PRAGMA cache_size = -262144");
  return connection;
}

function inTransaction(connection: DatabaseSync, work: () => void): void {
  connection.exec("BEGIN IMMEDIATE");
  work();
  connection.exec("COMMIT");
}

/** As SQLite's integers are signed. */
function fingerprintOf(high: number, low: number): bigint {
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
}

function openIndexed(folder: string): Layout {
  const connection = openFile(folder);
  connection.exec(
    `CREATE TABLE pages (number INTEGER PRIMARY KEY, fingerprint INTEGER UNIQUE, ${COLUMNS}) STRICT`,
  );
  const insert = connection.prepare(`INSERT INTO pages VALUES (?, ?, ${PLACES})`);
  const find = connection.prepare("SELECT number FROM pages WHERE fingerprint = ?");
  let number = 0;
  return {
    add: (pages) =>
      inTransaction(connection, () => {
        for (const { high, low, values } of pages) {
          number += 1;
          insert.run(number, fingerprintOf(high, low), ...values);
        }
      }),
    find: async (high, low) => Number(find.get(fingerprintOf(high, low))?.["number"] ?? -1),
    close: async () => connection.close(),
  };
}

async function openWithRuns(folder: string): Promise<Layout> {
  const connection = openFile(folder);
  connection.exec(`CREATE TABLE pages (number INTEGER PRIMARY KEY, ${COLUMNS}) STRICT`);
  const insert = connection.prepare(`INSERT INTO pages VALUES (?, ${PLACES})`);
  const clock = new SystemClock();
  const storage = new DiskStorage(folder);
  await new Promise((resolve) => storage.prepare(resolve));
  const background = new ThreadBackground({ storageRoot: folder, clock });
  const report = (error: Error): void => console.error(error.message);
  const keys = await new Promise<RunTable>((resolve, reject) => {
    openRunTable(
      {
        ...{ storage, background, report, folder: "keys", valueBytes: 6 },
        memoryBytes: 16 * MIB,
      },
      (error, table) => (error === null ? resolve(table) : reject(error)),
    );
  });
  let number = 0;
  return {
    add: (pages) =>
      inTransaction(connection, () => {
        for (const { high, low, values } of pages) {
          number += 1;
          insert.run(number, ...values);
          keys.set(high, low, number);
        }
      }),
    find: (high, low) =>
      new Promise((resolve, reject) => {
        const known = keys.recall(high, low);
        if (known >= 0) resolve(known);
        else
          keys.find(high, low, (error, found) => (error === null ? resolve(found) : reject(error)));
      }),
    close: async () => {
      connection.close();
      await new Promise<void>((resolve) => background.close(resolve));
    },
  };
}

function openParts(folder: string): Layout {
  const connection = openFile(folder);
  let insert: StatementSync | null = null;
  let number = 0;
  const finds: StatementSync[] = [];
  const openPart = (): StatementSync => {
    const name = `pages_${finds.length}`;
    connection.exec(
      `CREATE TABLE ${name} (number INTEGER PRIMARY KEY, fingerprint INTEGER UNIQUE, ${COLUMNS}) STRICT`,
    );
    finds.push(connection.prepare(`SELECT number FROM ${name} WHERE fingerprint = ?`));
    const all = finds.map((_, part) => `SELECT * FROM pages_${part}`).join(" UNION ALL ");
    connection.exec(`DROP VIEW IF EXISTS pages; CREATE VIEW pages AS ${all}`);
    return connection.prepare(`INSERT INTO ${name} VALUES (?, ?, ${PLACES})`);
  };
  return {
    add: (pages) => {
      if (number % PART_ROWS === 0) insert = openPart();
      inTransaction(connection, () => {
        for (const { high, low, values } of pages) {
          number += 1;
          insert?.run(number, fingerprintOf(high, low), ...values);
        }
      });
    },
    find: async (high, low) => {
      const fingerprint = fingerprintOf(high, low);
      for (const find of finds) {
        const row = find.get(fingerprint);
        if (row !== undefined) return Number(row["number"]);
      }
      return -1;
    },
    close: async () => connection.close(),
  };
}

const LAYOUTS: Readonly<Record<string, (folder: string) => Layout | Promise<Layout>>> = {
  runs: openWithRuns,
  indexed: openIndexed,
  parts: openParts,
};

function dropFromCache(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    spawnSync("dd", [`if=${path}`, "iflag=nocache", "count=0"], { stdio: "ignore" });
  }
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile());
  return sizes.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
}

const microseconds = ({ user, system }: NodeJS.CpuUsage): number => user + system;

async function run(name: string, open: (folder: string) => Layout | Promise<Layout>) {
  const folder = mkdtempSync(join(tmpdir(), "trobar-bench-"));
  const layout = await open(folder);
  const make = pageMaker();
  const sample: [number, number][] = [];
  const rowsMax = Number(millions) * 1e6;
  const endsAtMs = performance.now() + Number(minutes) * 60_000;
  let rows = 0;
  let spent = { cpu: 0, wall: 0 };
  console.log(`${name}: millions, processor µs and wall µs per page, look-up µs, bytes, MiB held`);
  while (rows < rowsMax && performance.now() < endsAtMs) {
    const pages = Array.from({ length: BATCH }, make);
    if (rows % DROP_EVERY === 0) sample.push([pages[0]?.high ?? 0, pages[0]?.low ?? 0]);
    const started = { cpu: process.cpuUsage(), wall: performance.now() };
    layout.add(pages);
    // The background answers between batches.
    await new Promise((resolve) => setImmediate(resolve));
    spent = {
      cpu: spent.cpu + microseconds(process.cpuUsage(started.cpu)),
      wall: spent.wall + (performance.now() - started.wall) * 1000,
    };
    rows += BATCH;
    if (rows % DROP_EVERY === 0) dropFromCache(folder);
    if (rows % 1e6 !== 0) continue;
    const lookUpUs = await lookUp(layout, sample);
    const per = [spent.cpu, spent.wall].map((each) => (each / 1e6).toFixed(1));
    const held = Math.round(process.resourceUsage().maxRSS / 1024);
    const size = (sizeOf(folder) / rows).toFixed(0);
    console.log([rows / 1e6, ...per, lookUpUs.toFixed(0), size, held].join("\t"));
    spent = { cpu: 0, wall: 0 };
  }
  await layout.close();
  rmSync(folder, { recursive: true });
}

/** The mean of single look-ups of pages that were added long ago, none of which is cached. */
async function lookUp(layout: Layout, sample: readonly [number, number][]): Promise<number> {
  const wanted = sample.slice(-LOOK_UPS);
  const startedAtMs = performance.now();
  for (const [high, low] of wanted) {
    if ((await layout.find(high, low)) < 0) throw new Error("a page that was added is not found");
  }
  return ((performance.now() - startedAtMs) * 1000) / wanted.length;
}

for (const [name, open] of Object.entries(LAYOUTS)) {
  if (only === "all" || only === name) await run(name, open);
}
