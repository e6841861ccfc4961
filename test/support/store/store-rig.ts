/**
 * A page store on a simulated machine, beside a list of what it was given. It makes pages of all
 * kinds from a seed, stores them, lets power fail, and reads archive and crawl log from the disk,
 * without the store, to compare them with the list.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import { SeededRandom } from "../../../src/base/random/index.ts";
import type { Body, Clock, Done, Random, Storage } from "../../../src/base/seams/index.ts";
import type { ReadRecord } from "../../../src/formats/warc/index.ts";
import {
  type CrawlLine,
  type FetchedPage,
  openPageStore,
  type PageStore,
  type PageStoreOptions,
  readCrawlLog,
  type StoredPage,
} from "../../../src/store/archive/index.ts";
import { damageOf, recordsOf, scanAll } from "../formats/warc-reading.ts";
import { SimulatedMachine } from "../lab/simulated-machine.ts";

/** A body that must be read in pieces. */
export class DiskBody implements Body {
  readonly bytes: null = null;
  readonly lengthBytes: number;
  readonly #content: Uint8Array;
  readonly #clock: Clock;
  /** The error with which reading ends, if it does. */
  failure: CrawlError | null = null;
  mostBytesAsked = 0;

  constructor(content: Uint8Array, clock: Clock) {
    this.#content = content;
    this.lengthBytes = content.length;
    this.#clock = clock;
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    this.mostBytesAsked = Math.max(this.mostBytesAsked, lengthBytes);
    const piece = this.#content.slice(offset, offset + lengthBytes);
    this.#clock.after(1, () => {
      if (this.failure === null) done(null, piece);
      else done(this.failure, undefined);
    });
  }

  release(): void {}
}

export class MemoryBody implements Body {
  readonly bytes: Uint8Array;
  readonly lengthBytes: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.lengthBytes = bytes.length;
  }

  read(): void {
    assert.fail("a body in memory is not read in pieces");
  }

  release(): void {}
}

export const STORE_OPTIONS: Omit<PageStoreOptions, "storage" | "clock" | "random"> = {
  name: "crawl",
  agent: "agent-1",
  encoding: { compression: "gzip", level: null },
  warcBytesMax: 6000,
  about: [["software", "Trobar/test"]],
  payloadBytesMax: 4 * 1024 * 1024,
};

/** The lines of the crawl log on a real disk. */
export function loggedLines(storage: Storage): Promise<CrawlLine[]> {
  const lines: CrawlLine[] = [];
  return new Promise((resolve, reject) =>
    readCrawlLog(
      storage,
      (line) => lines.push(line) > 0,
      (...[error]) => (error === null ? resolve(lines) : reject(error)),
    ),
  );
}

/** A page; `number` makes its URL and date, `kind` what it is like. */
export function pageOf(number: number, more: Partial<FetchedPage> = {}): FetchedPage {
  const text = `<p>page ${number} ${"lorem ipsum ".repeat((number * 37) % 60)}`;
  return {
    url: `http://h${number % 3}.example/${number}`,
    fetchedAtMs: 1_700_000_000_000 + number,
    address: "192.0.2.1",
    request: {
      head: `GET /${number} HTTP/1.1\r\nHost: h${number % 3}.example\r\n\r\n`,
      protocol: "http/1.1",
    },
    response: { status: 200, reason: "OK", headers: [["Content-Type", "text/html"]] },
    body: new MemoryBody(Buffer.from(text)),
    sha1: null,
    truncatedBy: null,
    keep: "whole",
    crawl: {
      depth: number % 5,
      via: number === 0 ? null : "http://h0.example/",
      mime: "text/html",
      durationMs: 12,
      attempt: 1,
      notes: [["links", String(number)]],
    },
    ...more,
  };
}

/** A page of any kind: equal bodies, failures, redirects, cut, not to be archived, on disk. */
export function anyPage(number: number, random: Random, clock: Clock): FetchedPage {
  const text = Buffer.alloc(random.below(3) * random.below(4000), `${random.below(8)} text `);
  const body = random.below(8) === 0 ? new DiskBody(text, clock) : new MemoryBody(text);
  const status = [200, 200, 200, 200, 301, 404, 500, 204][random.below(8)] ?? 200;
  const truncatedBy = random.below(10) === 0 ? "length" : null;
  const keep = (["whole", "metadata", "nothing"] as const)[random.below(12)] ?? "whole";
  const response = { status, reason: "", headers: [] };
  return pageOf(number, { body, response, truncatedBy, keep });
}

export class StoreRig {
  readonly machine: SimulatedMachine;
  readonly #options: Partial<PageStoreOptions>;
  #store: PageStore | null = null;

  constructor(seed: number | string, options: Partial<PageStoreOptions> = {}) {
    this.machine = new SimulatedMachine(seed);
    this.#options = options;
  }

  get store(): PageStore {
    assert(this.#store !== null, "the store is open");
    return this.#store;
  }

  open(): void {
    this.#store = this.machine.result<PageStore>((done) => this.opening(done));
  }

  opening(done: Done<PageStore>): void {
    const { storage, time, random } = this.machine;
    const draws = new SeededRandom(random.u32());
    openPageStore(
      { ...STORE_OPTIONS, ...this.#options, storage, clock: time, random: draws },
      done,
    );
  }

  /** Stores a page of either kind, waiting where it must. */
  put(page: FetchedPage): StoredPage {
    if (page.body.bytes === null) {
      return this.machine.result<StoredPage>((done) => this.store.storeSpooled(page, done));
    }
    for (;;) {
      const stored = this.store.tryStore(page);
      if (stored !== null) return stored;
      this.machine.result((done) => this.store.whenRoom(() => done(null)));
    }
  }

  commit(): void {
    this.machine.result((done) => this.store.commit(done));
  }

  close(): void {
    this.machine.result((done) => this.store.close(done));
    this.#store = null;
  }

  /** Names of the archive's files, with `.open` where they are. */
  warcNames(): string[] {
    return this.machine.disk.fileNames().filter((name) => name.startsWith("warc/"));
  }

  /** Records of one file; none of its bytes may be anything else. */
  records(name: string): ReadRecord[] {
    const steps = scanAll(this.machine.disk.contentOf(name) ?? new Uint8Array(0), 10_000);
    assert.deepEqual(damageOf(steps), [], name);
    return recordsOf(steps);
  }

  allRecords(): ReadRecord[] {
    return this.warcNames().flatMap((name) => this.records(name));
  }

  lines(): CrawlLine[] {
    const lines: CrawlLine[] = [];
    this.machine.result((done) =>
      readCrawlLog(this.machine.storage, (line) => lines.push(line) > 0, done),
    );
    return lines;
  }

  /** Every record has its line, every line its record, and each is what its page was. */
  check(): CrawlLine[] {
    const lines = this.lines();
    const seen = new Set<string>();
    for (const line of lines) {
      if (line.place === null) continue;
      const { file, offset, lengthBytes } = line.place;
      const bytes =
        this.machine.disk.contentOf(file) ?? this.machine.disk.contentOf(`${file}.open`);
      assert.ok(bytes, `${file} is there`);
      const [record, ...more] = recordsOf(scanAll(bytes.subarray(offset, offset + lengthBytes)));
      assert.ok(record && more.length === 0, `there is one record at ${file} ${offset}`);
      assert.equal(record.targetUri, line.url);
      assert.equal(record.lengthBytes, lengthBytes);
      seen.add(record.fields.get("WARC-Record-ID") ?? "");
    }
    const answers = this.allRecords().filter(({ type }) => !/warcinfo|request/.test(type));
    assert.equal(answers.length, seen.size, "every record of an answer has its line");
    assert.equal(
      new Set(lines.map((line) => line.url)).size,
      lines.length,
      "nothing is there twice",
    );
    return lines;
  }
}
