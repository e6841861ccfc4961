/**
 * A crawl directory with any number of pages, made without a crawl: rows of the page index that lead
 * to a thousand records of an archive, and beside the directory a bare SQLite table with an index on
 * the keys, which leads to the same records. It is made once and used again when it is complete.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ThreadBackground } from "../../src/base/background/index.ts";
import { sqliteDatabases } from "../../src/base/database/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { answered, type Body } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { MIB } from "../../src/base/units/index.ts";
import { readConfiguration } from "../../src/rules/config/index.ts";
import {
  CrawlLogView,
  type FetchedPage,
  type LogStep,
  openPageStore,
  type PageStore,
} from "../../src/store/archive/index.ts";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import {
  type IndexedPage,
  type OpenedIndex,
  openPageIndexWriter,
  type PageIndexWriter,
  pageOfLine,
} from "../../src/store/index/index.ts";
import { CrawlKeys } from "../../src/store/query/crawl-parts.ts";
import { samplePages } from "./sample-pages.ts";

const RECORDS = 1000;
const COMMIT_PAGES = 4000;

export interface CrawlOfPages {
  /** The crawl directory. */
  readonly crawl: string;
  /** `SELECT place, length FROM pages WHERE key = ?` finds a page. */
  readonly bare: string;
}

export function urlOf(number: number): string {
  return `http://host${number % 1000}.example/section-${number % 77}/page-${number}.html`;
}

/** Makes it in a folder, unless it is there. */
export async function crawlOfPages(root: string, pages: number): Promise<CrawlOfPages> {
  const made = { crawl: join(root, "crawl"), bare: join(root, "bare.db") };
  const complete = join(root, `complete-${pages}`);
  if (existsSync(complete)) return made;
  mkdirSync(root, { recursive: true });
  rmSync(made.crawl, { recursive: true, force: true });
  rmSync(made.bare, { force: true });
  const reading = readConfiguration({});
  if (!reading.ok) throw new Error("the default configuration has mistakes");
  const { configuration } = reading;
  const directory = CrawlDirectory.create(made.crawl, {
    ...{ configuration, version: "bench", capacity: 1, createdAtMs: 0 },
    random: new SeededRandom(1),
  });
  const keys = new CrawlKeys(directory.identity, configuration);
  const storage = new DiskStorage(made.crawl);
  await fillArchive(storage);
  const logged = await loggedPages(storage);
  await fillIndex(made.crawl, keys, pages, logged);
  fillBare(made.bare, pages, logged.pages);
  directory.close();
  writeFileSync(complete, "");
  return made;
}

async function fillArchive(storage: DiskStorage): Promise<void> {
  const clock = new SystemClock();
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

interface LoggedPages {
  readonly pages: readonly IndexedPage[];
  /** Where the log ends. */
  readonly end: number;
}

async function loggedPages(storage: DiskStorage): Promise<LoggedPages> {
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

async function fillIndex(
  path: string,
  keys: CrawlKeys,
  count: number,
  { pages, end }: LoggedPages,
): Promise<void> {
  const clock = new SystemClock();
  const background = new ThreadBackground({ storageRoot: path, clock });
  const { writer } = await answered<OpenedIndex>((done) =>
    openPageIndexWriter(
      {
        ...{ clock, storage: new DiskStorage(path), background, memoryBytes: 16 * MIB },
        databases: sqliteDatabases({ root: path, clock }),
        revisits: false,
        fingerprintOf: (key) => keys.ofKey(key),
        due: () => {},
        failed: (error) => {
          throw error;
        },
        report: (error) => console.error(error.message),
      },
      done,
    ),
  );
  for (let from = 0; from < count; from += COMMIT_PAGES) {
    for (let number = from; number < Math.min(count, from + COMMIT_PAGES); number += 1) {
      addPage(writer, keys, pageAt(pages, number));
    }
    writer.commit(writer.seal(), { "crawl-log": end });
    if (!writer.hasRoom) await new Promise<void>((resolve) => writer.whenRoom(resolve));
  }
  await answered((done) => writer.close({ "crawl-log": end }, done));
  await new Promise<void>((resolve) => background.close(resolve));
}

function addPage(writer: PageIndexWriter, keys: CrawlKeys, page: IndexedPage): void {
  const batch = writer.expect();
  writer.reserve(keys.ofKey(page.key), page.url, (error, reserved) => {
    if (error !== null) throw error;
    writer.add(batch, reserved, page);
    writer.settle(batch);
  });
}

function fillBare(path: string, count: number, pages: readonly IndexedPage[]): void {
  const bare = new DatabaseSync(path);
  bare.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  bare.exec("CREATE TABLE pages (key TEXT, place INTEGER, length INTEGER); BEGIN");
  const insert = bare.prepare("INSERT INTO pages VALUES (?, ?, ?)");
  for (let number = 0; number < count; number += 1) {
    const { key, offset, length } = pageAt(pages, number);
    insert.run(key, offset, length);
  }
  bare.exec("COMMIT; CREATE UNIQUE INDEX by_key ON pages (key)");
  bare.close();
}

/** A page with one of the records. */
function pageAt(pages: readonly IndexedPage[], number: number): IndexedPage {
  const page = pages[number % pages.length] as IndexedPage;
  const url = urlOf(number);
  return number < pages.length ? page : { ...page, url, key: url, title: `Page ${number}` };
}
