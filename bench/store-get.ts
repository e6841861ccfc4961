/**
 * Claim, not reached yet: to find a page of ten million and read its record takes at most four
 * times the processor time of the bare minimum: a look-up in a SQLite table that has an index on the
 * keys, and one read and one decompression of the same bytes. Both are measured in one process, in
 * turn, sixteen pages at a time as for a list of URLs; printed are microseconds a page, their ratio,
 * and how long it takes until the first page is found by a process that has just begun.
 * `node bench/store-get.ts [pages]`
 */
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { ThreadBackground } from "../src/base/background/index.ts";
import { sqliteDatabases } from "../src/base/database/index.ts";
import { SeededRandom } from "../src/base/random/index.ts";
import { answered, type Body } from "../src/base/seams/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { MIB } from "../src/base/units/index.ts";
import { readConfiguration } from "../src/rules/config/index.ts";
import {
  CrawlLogView,
  type FetchedPage,
  type LogStep,
  openPageStore,
  type PageStore,
} from "../src/store/archive/index.ts";
import { CrawlDirectory } from "../src/store/directory/index.ts";
import {
  type IndexedPage,
  type OpenedIndex,
  openPageIndexWriter,
  pageOfLine,
} from "../src/store/index/index.ts";
import { CrawlKeys } from "../src/store/query/crawl-parts.ts";
import { openCrawlView } from "../src/store/query/index.ts";
import { samplePages } from "./support/sample-pages.ts";

const PAGES = Number(process.argv[2] ?? 10_000_000);
const RECORDS = 1000;
const LOOKED_UP = 2000;
/** As `store get -i` does. */
const AT_ONCE = 16;
const COMMIT_PAGES = 4000;
const root = mkdtempSync(join(tmpdir(), "trobar-get-bench-"));
const path = join(root, "crawl");
const clock = new SystemClock();
const storage = new DiskStorage(path);

const reading = readConfiguration({});
if (!reading.ok) throw new Error("the default configuration has mistakes");
const { configuration } = reading;
const directory = CrawlDirectory.create(path, {
  ...{ configuration, version: "bench", capacity: 1, createdAtMs: 0, random: new SeededRandom(1) },
});
const keys = new CrawlKeys(directory.identity, configuration);

function urlOf(number: number): string {
  return `http://host${number % 1000}.example/section-${number % 77}/page-${number}.html`;
}

async function fillArchive(): Promise<void> {
  const store = await answered<PageStore>((done) =>
    openPageStore(
      {
        ...{ storage, clock, random: new SeededRandom(1), name: "bench", agent: "bench" },
        ...{ encoding: { compression: "gzip", level: null }, about: [] },
        ...{ warcBytesMax: 1024 * MIB, payloadBytesMax: MIB },
      },
      done,
    ),
  );
  const samples = samplePages(100, 25_000);
  for (let number = 0; number < RECORDS; number += 1) {
    const sample = samples[number % samples.length] as Uint8Array;
    const page = fetched(number, Buffer.concat([sample, Buffer.from(`<p>${number}`)]));
    while (store.tryStore(page) === null) {
      await new Promise<void>((resolve) => store.whenRoom(resolve));
    }
  }
  await answered((done) => store.close(done));
}

function fetched(number: number, bytes: Uint8Array): FetchedPage {
  const body: Body = { bytes, lengthBytes: bytes.length, read: () => {}, release: () => {} };
  return {
    ...{ url: urlOf(number), fetchedAtMs: 1_700_000_000_000 + number, address: "192.0.2.1" },
    request: { head: "GET / HTTP/1.1\r\n\r\n", protocol: "http/1.1" },
    response: { status: 200, reason: "OK", headers: [["Content-Type", "text/html"]] },
    ...{ body, sha1: null, truncatedBy: null, keep: "whole" },
    crawl: { depth: 1, via: null, mime: "text/html", durationMs: 9, attempt: 1, notes: [] },
  };
}

/** The pages of the log, and where it ends. */
async function loggedPages(): Promise<{ pages: IndexedPage[]; end: number }> {
  const view = await answered<CrawlLogView>((done) => CrawlLogView.open(storage, 0, done));
  const pages: IndexedPage[] = [];
  let end = 0;
  for (;;) {
    const step = await answered<LogStep | null>((done) => view.next(done));
    if (step === null) break;
    for (const line of step.lines) {
      const page = pageOfLine(line, (url) => url);
      if (page !== null) pages.push(page);
    }
    end = step.end;
  }
  await answered((done) => view.close(done));
  return { pages, end };
}

/** Both indexes: ours, and a table as bare as can be. */
async function fillIndexes(): Promise<DatabaseSync> {
  const { pages, end } = await loggedPages();
  const bare = new DatabaseSync(join(root, "bare.db"));
  bare.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  bare.exec(
    "CREATE TABLE pages (key TEXT PRIMARY KEY, place INTEGER, length INTEGER) WITHOUT ROWID",
  );
  const insert = bare.prepare("INSERT INTO pages VALUES (?, ?, ?)");
  const background = new ThreadBackground({ storageRoot: path, clock });
  const databases = sqliteDatabases({ root: path, clock });
  const { writer } = await answered<OpenedIndex>((done) =>
    openPageIndexWriter(
      {
        ...{ clock, storage, background, databases, memoryBytes: 16 * MIB, revisits: false },
        fingerprintOf: (key) => keys.ofKey(key),
        due: () => {},
        failed: (error) => {
          throw error;
        },
      },
      done,
    ),
  );
  for (let from = 0; from < PAGES; from += COMMIT_PAGES) {
    bare.exec("BEGIN");
    for (let number = from; number < Math.min(PAGES, from + COMMIT_PAGES); number += 1) {
      const page = pageAt(pages, number);
      insert.run(page.key, page.offset, page.length);
      const batch = writer.expect();
      writer.reserve(keys.ofKey(page.key), page.url, (error, reserved) => {
        if (error !== null) throw error;
        writer.add(batch, reserved, page);
        writer.settle(batch);
      });
    }
    bare.exec("COMMIT");
    writer.commit(writer.seal(), { "crawl-log": end });
    if (!writer.hasRoom) await new Promise<void>((resolve) => writer.whenRoom(resolve));
  }
  await answered((done) => writer.close({ "crawl-log": end }, done));
  await new Promise<void>((resolve) => background.close(resolve));
  return bare;
}

/** A page with one of the records. */
function pageAt(pages: readonly IndexedPage[], number: number): IndexedPage {
  const page = pages[number % pages.length] as IndexedPage;
  const url = urlOf(number);
  return number < pages.length ? page : { ...page, url, key: url, title: `Page ${number}` };
}

function processorMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function measure(bare: DatabaseSync): Promise<void> {
  const folder = join(path, "warc");
  const descriptor = openSync(join(folder, readdirSync(folder)[0] ?? ""), "r");
  const select = bare.prepare("SELECT place, length FROM pages WHERE key = ?");
  const openedAt = process.hrtime.bigint();
  const view = await openCrawlView(path);
  if ((await view.find(urlOf(PAGES - 1))) === null) throw new Error("a page is not found");
  const firstMs = Number(process.hrtime.bigint() - openedAt) / 1e6;
  const random = new SeededRandom(3);
  let bareMicros = 0;
  let own = 0;
  for (let count = 0; count < LOOKED_UP; count += AT_ONCE) {
    const urls = Array.from({ length: AT_ONCE }, () => urlOf(random.u32() % PAGES));
    const started = processorMicros();
    const wanted = urls.map((url) => {
      const { place, length } = select.get(url) as { place: number; length: number };
      const bytes = Buffer.allocUnsafe(length);
      readSync(descriptor, bytes, 0, length, place);
      return gunzipSync(bytes).length;
    });
    const between = processorMicros();
    const found = await Promise.all(
      urls.map(async (url) => {
        const page = await view.find(url);
        return page === null ? null : await view.record(page);
      }),
    );
    own += processorMicros() - between;
    bareMicros += between - started;
    for (const [at, outcome] of found.entries()) {
      if (outcome?.kind !== "record" || outcome.record.payload.length > (wanted[at] ?? 0)) {
        throw new Error(`${urls[at]} is not found`);
      }
    }
  }
  closeSync(descriptor);
  await view.close();
  console.log(`${PAGES} pages, ${LOOKED_UP} looked up`);
  console.log(`bare   ${(bareMicros / LOOKED_UP).toFixed(0)} µs a page`);
  console.log(`store  ${(own / LOOKED_UP).toFixed(0)} µs a page`);
  console.log(`ratio  ${(own / bareMicros).toFixed(2)}`);
  console.log(`first  ${firstMs.toFixed(0)} ms until a new process has found a page`);
}

try {
  await fillArchive();
  const bare = await fillIndexes();
  await measure(bare);
  bare.close();
} finally {
  directory.close();
  rmSync(root, { recursive: true, force: true });
}
