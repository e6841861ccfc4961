import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { fingerprintOf, pageAt } from "../../../test/support/store/indexed-pages.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { SimBackground, SimDatabases } from "../../lab/simulator/index.ts";
import type { IndexedPage, NumberedPage } from "./indexed-page.ts";
import { type OpenedIndex, openPageIndex, openPageIndexWriter } from "./open-page-index.ts";
import type { PageIndex } from "./page-index.ts";
import type { PageIndexWriter } from "./page-index-writer.ts";
import { INDEX_FILE } from "./page-table.ts";
import type { Tally } from "./tally.ts";

/** Few keys in memory, so that most are in runs. */
const MEMORY_BYTES = 4096;

class Rig {
  readonly machine = new SimulatedMachine("index");
  readonly failures: CrawlError[] = [];
  readonly reports: CrawlError[] = [];
  dueCalls = 0;
  textsEnd = 0;
  writer: PageIndexWriter;
  readonly background: SimBackground;
  readonly #revisits: boolean;
  readonly #memoryBytes: number;

  constructor({ revisits = false, memoryBytes = MEMORY_BYTES } = {}) {
    this.#revisits = revisits;
    this.#memoryBytes = memoryBytes;
    const { time: clock, random, disk } = this.machine;
    this.background = new SimBackground({ clock, random, disk });
    this.writer = this.open().writer;
  }

  get databases(): SimDatabases {
    const { time: clock, random, disk } = this.machine;
    return new SimDatabases({ clock, random, disk });
  }

  open(): OpenedIndex {
    const { background, databases, machine } = this;
    const opened = machine.result<OpenedIndex>((done) =>
      openPageIndexWriter(
        {
          ...{ clock: machine.time, storage: machine.storage, background, databases },
          ...{ fingerprintOf, memoryBytes: this.#memoryBytes, revisits: this.#revisits },
          texts: () => this.textsEnd,
          due: () => {
            this.dueCalls += 1;
          },
          failed: (error) => this.failures.push(error),
          report: (error) => this.reports.push(error),
        },
        done,
      ),
    );
    this.writer = opened.writer;
    return opened;
  }

  add(page: IndexedPage): number {
    let number = 0;
    const batch = this.writer.expect();
    this.writer.reserve(fingerprintOf(page.key), page.url, (error, reserved) => {
      assert.equal(error, null);
      number = reserved ?? 0;
      this.writer.add(batch, number, page);
      this.writer.settle(batch);
    });
    this.machine.time.settle();
    return number;
  }

  commit(position: number): void {
    this.writer.commit(this.writer.seal(), { "crawl-log": position });
    this.machine.time.settle();
  }

  close(position: number): string {
    return this.machine.code((done) => this.writer.close({ "crawl-log": position }, done));
  }

  reader(): PageIndex {
    const { databases, machine } = this;
    const { storage } = machine;
    return machine.result((done) => openPageIndex({ storage, databases, fingerprintOf }, done));
  }

  rows(): readonly NumberedPage[] {
    const reader = this.reader();
    return this.machine.result((done) => reader.pages({ after: null, limit: 100_000 }, done));
  }

  get(key: string): NumberedPage | null {
    const reader = this.reader();
    return this.machine.result((done) => reader.get(key, done));
  }

  tally(): Tally {
    const reader = this.reader();
    return this.machine.result((done) => reader.stats(done));
  }
}

test("a batch waits for the places of its texts, and knows the length of their log", () => {
  const rig = new Rig();
  const page = pageAt("text");
  const batch = rig.writer.expect();
  rig.writer.reserve(fingerprintOf(page.key), page.url, (_error, number = 0) => {
    const row = rig.writer.add(batch, number, page) ?? assert.fail("it is written");
    rig.writer.hold(batch);
    rig.writer.settle(batch);
    rig.commit(1000);
    assert.deepEqual(rig.rows(), [], "the place of its text is not known");
    rig.writer.placeText(row, { block: 5000, entry: 3 });
    rig.textsEnd = 6000;
    rig.writer.settle(batch);
    rig.machine.time.settle();
  });
  assert.deepEqual(rig.rows(), [{ ...page, textBlock: 5000, textEntry: 3, number: 1 }]);
  assert.equal(rig.close(1000), "good");
  assert.equal(rig.open().texts, 6000);
});

test("pages come back as they were, by key and in the order of their numbers", () => {
  const rig = new Rig();
  const pages = Array.from({ length: 300 }, (_, path) => pageAt(`${path}`, { depth: path % 7 }));
  for (const page of pages) rig.add(page);
  assert.deepEqual(rig.rows(), [], "nothing is there before the log is durable");
  rig.commit(1000);
  assert.deepEqual(
    rig.rows(),
    pages.map((page, at) => ({ ...page, number: at + 1 })),
  );
  for (const page of pages.filter((_, at) => at % 29 === 0)) {
    assert.deepEqual(rig.get(page.key)?.url, page.url);
  }
  assert.equal(rig.get("https://a.example/unknown"), null);
});

test("a reader goes on from the number at which it stopped", () => {
  const rig = new Rig();
  for (let path = 0; path < 10; path += 1) rig.add(pageAt(`${path}`));
  rig.commit(1);
  const reader = rig.reader();
  const from = (after: number | null): string[] =>
    rig.machine
      .result<readonly NumberedPage[]>((done) => reader.pages({ after, limit: 4 }, done))
      .map(({ url }) => url.slice("https://a.example/".length));
  assert.deepEqual(
    [from(null), from(4), from(8)],
    [
      ["0", "1", "2", "3"],
      ["4", "5", "6", "7"],
      ["8", "9"],
    ],
  );
  rig.add(pageAt("10"));
  rig.commit(2);
  assert.deepEqual(from(10), ["10"], "pages that came later are seen");
});

test("a batch is written when all of its pages have come", () => {
  const rig = new Rig();
  const { writer } = rig;
  const late = writer.expect();
  rig.add(pageAt("early"));
  rig.commit(5);
  rig.add(pageAt("next"));
  rig.commit(6);
  assert.equal(rig.rows().length, 0);
  writer.add(late, 7, pageAt("late"));
  writer.settle(late);
  rig.machine.time.settle();
  assert.deepEqual(
    rig.rows().map(({ title }) => title),
    ["Page early", "Page next", "Page late"],
  );
  const reader = rig.reader();
  assert.equal(
    rig.machine.result((done) => reader.logged(done)),
    6,
  );
});

test("a batch whose log could not be made durable is written with the next one", () => {
  const rig = new Rig();
  rig.add(pageAt("one"));
  rig.writer.seal();
  rig.add(pageAt("two"));
  rig.commit(9);
  assert.equal(rig.rows().length, 2);
});

test("a page that comes again replaces its row, and the tally follows", () => {
  const rig = new Rig({ revisits: true });
  const numbers: number[] = [];
  for (let path = 0; path < 100; path += 1) numbers.push(rig.add(pageAt(`${path}`)));
  rig.commit(1);
  for (let path = 0; path < 100; path += 3) {
    const again = rig.add(pageAt(`${path}`, { status: 404, bytes: 10 }));
    assert.equal(again, numbers[path]);
  }
  rig.commit(2);
  assert.equal(rig.rows().length, 100);
  const { pages, bytes, status } = rig.tally();
  assert.deepEqual(
    { pages, bytes, status },
    { pages: 100, bytes: 66_340, status: { 200: 66, 404: 34 } },
  );
});

test("a page that comes again in a later run replaces its row once that is expected", () => {
  const rig = new Rig();
  const number = rig.add(pageAt("failed", { status: 0, bytes: 0 }));
  rig.close(1);
  rig.open();
  rig.writer.expectRevisits();
  assert.equal(rig.add(pageAt("failed", { status: 200, bytes: 10 })), number);
  rig.commit(2);
  assert.equal(rig.rows().length, 1);
  const { pages, bytes, status } = rig.tally();
  assert.deepEqual({ pages, bytes, status }, { pages: 1, bytes: 10, status: { 200: 1 } });
});

test("a shorter path and a requisite that is a page change the row", () => {
  const rig = new Rig();
  rig.add(pageAt("far", { depth: 5 }));
  rig.add(pageAt("image", { requisite: true, depth: 3 }));
  rig.commit(1);
  rig.writer.improve(fingerprintOf(pageAt("far").key), { depth: 2, requisite: false });
  rig.writer.improve(fingerprintOf(pageAt("image").key), { depth: 4, requisite: false });
  rig.writer.improve(fingerprintOf("never"), { depth: 0, requisite: false });
  rig.commit(2);
  assert.deepEqual(
    rig.rows().map(({ depth, requisite }) => [depth, requisite]),
    [
      [2, false],
      [3, false],
    ],
  );
  assert.deepEqual(rig.tally().depth, { 2: 1, 3: 1 });
});

test("the URL of a page is known from its number on, before and after it is written", () => {
  const rig = new Rig();
  const number = rig.add(pageAt("first"));
  const urlOf = (wanted: number): string | null | undefined => {
    let answer: string | null | undefined;
    rig.writer.urlOf(wanted, (_error, url) => {
      answer = url;
    });
    rig.machine.time.settle();
    return answer;
  };
  assert.equal(urlOf(number), "https://a.example/first");
  rig.commit(1);
  assert.equal(urlOf(number), "https://a.example/first");
  assert.equal(urlOf(99), null);
});

test("while the disk is full nothing is lost and nothing more should be begun", () => {
  const rig = new Rig();
  rig.add(pageAt("one"));
  rig.machine.disk.database(INDEX_FILE).isFull = true;
  rig.writer.commit(rig.writer.seal(), { "crawl-log": 1 });
  for (let steps = 0; steps < 200; steps += 1) rig.machine.time.step();
  assert.equal(rig.writer.hasRoom, false);
  assert.deepEqual(
    rig.failures.map(({ code }) => code),
    ["DATABASE_FULL"],
  );
  let hasRoom = false;
  rig.writer.whenRoom(() => {
    hasRoom = true;
  });
  rig.machine.disk.database(INDEX_FILE).isFull = false;
  rig.machine.time.settle();
  assert.ok(hasRoom);
  assert.equal(rig.rows().length, 1);
  assert.equal(rig.tally().pages, 1);
});

test("when the background thread dies the pages are written again, and counted once", () => {
  const rig = new Rig();
  for (let path = 0; path < 50; path += 1) rig.add(pageAt(`${path}`));
  rig.writer.commit(rig.writer.seal(), { "crawl-log": 1 });
  for (let deaths = 0; deaths < 3; deaths += 1) {
    for (let steps = 0; steps < 4 + deaths; steps += 1) rig.machine.time.step();
    rig.background.die();
  }
  rig.machine.time.settle();
  assert.equal(rig.rows().length, 50);
  assert.equal(rig.tally().pages, 50);
});

test("a damaged file ends the index for good", () => {
  const rig = new Rig();
  rig.add(pageAt("one"));
  const disk = rig.machine.disk.database(INDEX_FILE);
  for (let call = 1; call < 20; call += 1) disk.failCall(call, "DATABASE_CORRUPT");
  rig.commit(1);
  assert.deepEqual(
    rig.failures.map(({ code }) => code),
    ["DATABASE_CORRUPT"],
  );
  assert.equal(rig.writer.hasRoom, true, "nobody waits for it");
});

test("a page whose key cannot be looked for has no number, and the owner is told", () => {
  const rig = new Rig();
  rig.add(pageAt("one"));
  rig.close(1);
  rig.open();
  rig.writer.expectRevisits();
  rig.machine.disk.flipBit("index/run-1", 8);
  const page = pageAt("one");
  const told: (string | undefined)[] = [];
  rig.writer.reserve(
    fingerprintOf(page.key),
    page.url,
    (...[error]) => void told.push(error?.code),
  );
  rig.machine.time.settle();
  assert.deepEqual(told, ["RUN_DAMAGED"]);
  assert.deepEqual(
    rig.failures.map(({ code }) => code),
    ["RUN_DAMAGED"],
  );
});

test("a closed index has all its keys in runs, and is opened again with all its pages", () => {
  const rig = new Rig();
  for (let path = 0; path < 200; path += 1) rig.add(pageAt(`${path}`));
  assert.equal(rig.close(77), "good");
  const { logged, keys } = rig.open();
  assert.equal(logged, 77);
  assert.ok(keys.runs > 0);
  assert.equal(rig.add(pageAt("next")), 201);
  for (const path of ["0", "100", "199"])
    assert.equal(rig.get(pageAt(path).key)?.url, pageAt(path).url);
});

test("keys that were only in memory when the process ended are read from the rows", () => {
  const rig = new Rig({ revisits: true, memoryBytes: 1024 * 1024 });
  const pages = Array.from({ length: 2500 }, (_, path) => pageAt(`${path}`));
  const numbers = pages.map((page) => rig.add(page));
  rig.commit(1);
  assert.equal(rig.open().keys.runs, 0, "no run has a key");
  assert.deepEqual(
    pages.map((page) => rig.add(page)),
    numbers,
  );
});

test("a page is not found by another key that has its fingerprint", () => {
  const rig = new Rig();
  const page = pageAt("here");
  rig.add(page);
  rig.commit(1);
  const { databases, machine } = rig;
  const options = {
    ...{ storage: machine.storage, databases },
    fingerprintOf: () => fingerprintOf(page.key),
  };
  const reader = machine.result<PageIndex>((done) => openPageIndex(options, done));
  const urlOf = (key: string): string | undefined =>
    machine.result<NumberedPage | null>((done) => reader.get(key, done))?.url;
  assert.deepEqual([urlOf(page.key), urlOf(pageAt("there").key)], [page.url, undefined]);
});

test("a write-ahead log that another program keeps from being emptied is told of once", () => {
  const rig = new Rig();
  const disk = rig.machine.disk.database(INDEX_FILE);
  for (const [at, mebibytes] of [1, 256, 257, 400].entries()) {
    disk.logBytes = mebibytes * 1024 * 1024;
    rig.add(pageAt(`${at}`));
    rig.commit(at);
    assert.equal(rig.reports.length, mebibytes > 256 ? 1 : 0, `${mebibytes} MiB`);
  }
  const [told] = rig.reports;
  assert.equal(told?.code, "DATABASE_LOG_LARGE");
  assert.match(told.message, /crawl\.db-wal has 257 MiB .*End that transaction/);
  assert.deepEqual(rig.failures, [], "the crawl goes on");
  assert.equal(rig.rows().length, 4);
});

test("much to write asks for a commit, once", () => {
  const rig = new Rig();
  const { writer } = rig;
  for (let path = 0; path < 9000; path += 1) {
    const batch = writer.expect();
    writer.add(batch, path + 1, pageAt(`${path}`));
    writer.settle(batch);
  }
  rig.machine.time.settle();
  assert.equal(rig.dueCalls, 1);
});

test("what is committed while a flush waits does not hold it up", () => {
  const rig = new Rig();
  const { time } = rig.machine;
  rig.add(pageAt("first"));
  rig.writer.commit(rig.writer.seal(), { "crawl-log": 1 });
  let answer: string | null = null;
  rig.writer.flush((error) => {
    answer = error?.code ?? "written";
  });
  // A page comes with each event, so that there is always something to write.
  for (let step = 2; step < 1000 && answer === null; step += 1) {
    const page = pageAt(`page ${step}`);
    const batch = rig.writer.expect();
    rig.writer.reserve(fingerprintOf(page.key), page.url, (_error, number = 0) =>
      rig.writer.add(batch, number, page),
    );
    rig.writer.settle(batch);
    rig.writer.commit(rig.writer.seal(), { "crawl-log": step });
    time.step();
  }
  assert.equal(answer, "written");
  time.settle();
});

test("a commit without news writes nothing", () => {
  const rig = new Rig();
  const database = rig.machine.disk.database(INDEX_FILE);
  rig.add(pageAt("only"));
  rig.commit(1);
  const { calls } = database;
  rig.commit(1);
  assert.equal(database.calls, calls);
  rig.commit(2);
  assert.ok(database.calls > calls, "the log is longer");
});

test("a row is found by its page when it is written, and it is known what is not", () => {
  const rig = new Rig();
  const { machine } = rig;
  const found = (name: string): string | null => {
    const page = fingerprintOf(pageAt(name).key);
    let row: NumberedPage | null = null;
    rig.writer.find(page, (...[, written]) => {
      row = written ?? null;
    });
    machine.time.settle();
    return (row as NumberedPage | null)?.url ?? null;
  };
  assert.deepEqual([rig.writer.firstUnwritten, rig.writer.nextNumber], [null, 1]);
  const reserve = (name: string): number => {
    const { key, url } = pageAt(name);
    let reserved = 0;
    rig.writer.reserve(fingerprintOf(key), url, (_error, number = 0) => {
      reserved = number;
    });
    return reserved;
  };
  const early = reserve("early");
  const never = reserve("never");
  rig.add(pageAt("late"));
  rig.commit(1);
  assert.equal(found("late"), pageAt("late").url);
  assert.deepEqual([found("early"), found("other")], [null, null]);
  assert.deepEqual([rig.writer.firstUnwritten, rig.writer.nextNumber], [early, 4]);
  rig.add(pageAt("early"));
  assert.equal(rig.writer.firstUnwritten, early, "it has a row that is not in the file");
  rig.commit(2);
  assert.equal(found("early"), pageAt("early").url);
  assert.equal(rig.writer.firstUnwritten, never);
  rig.writer.drop(never);
  assert.equal(rig.writer.firstUnwritten, null);
});
