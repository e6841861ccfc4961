/**
 * The page index when power fails or the process dies after any single event: what it has agrees with
 * its mark in the crawl log, and the log's tail gives the rest.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Position } from "../../src/base/log/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { SimBackground, SimDatabases } from "../../src/lab/simulator/index.ts";
import {
  CRAWL_LOG_MARK,
  catchUp,
  type NumberedPage,
  type OpenedIndex,
  openPageIndex,
  openPageIndexWriter,
  type PageIndex,
  type PageIndexWriter,
  pageOfLine,
  type Tally,
} from "../../src/store/index/index.ts";
import { MortalClock } from "../support/lab/simulated-world.ts";
import { fingerprintOf, pageAt } from "../support/store/indexed-pages.ts";
import { pageOf, StoreRig } from "../support/store/store-rig.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const seeds = isFull ? 20 : 2;
const PAGES = 24;
const SMALL = { warcBytesMax: 5000, chunkBytes: 1500, pendingBytesMax: 5000 };
const keyOf = (url: string): string => url;

/** A store and its index, in one process after the other. */
class IndexRig {
  readonly store: StoreRig;
  #clock: MortalClock;
  #opened: OpenedIndex | null = null;

  constructor(seed: number) {
    this.store = new StoreRig(seed, SMALL);
    this.#clock = new MortalClock(this.store.machine.time);
  }

  open(): void {
    this.store.open();
    const { storage, random, disk } = this.store.machine;
    const clock = this.#clock;
    this.#opened = this.store.machine.result<OpenedIndex>((done) =>
      openPageIndexWriter(
        {
          ...{ clock, storage, fingerprintOf, memoryBytes: 2048, revisits: true },
          background: new SimBackground({ clock, random, disk }),
          databases: this.#databases(),
          due: () => {},
          failed: (error) => assert.fail(error),
          report: (error) => assert.fail(error),
        },
        done,
      ),
    );
  }

  get writer(): PageIndexWriter {
    assert(this.#opened !== null, "the index is open");
    return this.#opened.writer;
  }

  get logged(): Position {
    return this.#opened?.logged ?? 0;
  }

  add(number: number): void {
    const page = pageOf(number);
    this.store.put(page);
    const { writer } = this;
    const batch = writer.expect();
    const { url } = page;
    writer.reserve(fingerprintOf(url), url, (error, reserved) => {
      assert.equal(error, null);
      writer.add(batch, reserved ?? 0, pageAt("", { url, key: url }));
      writer.settle(batch);
    });
  }

  /** Not waited for: the next pages come meanwhile. */
  commit(): void {
    const { writer } = this;
    const sealed = writer.seal();
    const position = this.store.machine.result<Position>((done) =>
      this.store.store.commitLines(done),
    );
    writer.commit(sealed, { [CRAWL_LOG_MARK]: position });
  }

  close(): void {
    const { machine, store } = this.store;
    const position = machine.result<Position>((done) => store.commitLines(done));
    machine.result((done) => this.writer.close({ [CRAWL_LOG_MARK]: position }, done));
    this.store.close();
  }

  die(how: "crash" | "kill"): void {
    this.#clock.die();
    this.store.machine[how]();
    this.#clock = new MortalClock(this.store.machine.time);
  }

  catchUp(): void {
    const { machine, store } = this.store;
    const { writer, logged: from } = this;
    const to = machine.result<Position>((done) => store.commitLines(done));
    const { storage } = machine;
    machine.result((done) => catchUp({ storage, writer, from, to, keyOf, fingerprintOf }, done));
  }

  read(): {
    readonly rows: readonly NumberedPage[];
    readonly tally: Tally;
    readonly index: PageIndex;
  } {
    const { machine } = this.store;
    const { storage } = machine;
    const databases = this.#databases();
    const index = machine.result<PageIndex>((done) =>
      openPageIndex({ storage, databases, fingerprintOf }, done),
    );
    const rows = machine.result<readonly NumberedPage[]>((done) =>
      index.pages({ after: null, limit: 1000 }, done),
    );
    return { rows, index, tally: machine.result<Tally>((done) => index.stats(done)) };
  }

  #databases(): SimDatabases {
    const { random, disk } = this.store.machine;
    return new SimDatabases({ disk, random, clock: this.#clock });
  }
}

function crawl(rig: IndexRig, seed: number): void {
  const random = new SeededRandom(seed);
  rig.open();
  for (let number = 0; number < PAGES; number += 1) {
    rig.add(number);
    if (random.below(4) === 0) rig.commit();
  }
  rig.close();
}

function checkAfter(rig: IndexRig): void {
  rig.open();
  const lines = rig.store.lines().map(({ url }) => url);
  const before = rig.read();
  const has = before.rows.map(({ url }) => url).toSorted();
  assert.deepEqual(has, lines.slice(0, has.length).toSorted(), "the first lines have their rows");
  assert.equal(before.tally.pages, has.length);
  rig.catchUp();
  const { rows, tally, index } = rig.read();
  assert.deepEqual(rows.map(({ url }) => url).toSorted(), lines.toSorted());
  assert.equal(tally.pages, lines.length);
  for (const url of lines) {
    const found = rig.store.machine.result<NumberedPage | null>((done) => index.get(url, done));
    assert.equal(found?.url, url);
  }
  rig.add(lines.length);
  rig.close();
  assert.equal(rig.read().rows.length, lines.length + 1);
}

for (const death of ["crash", "kill"] as const) {
  const what = death === "crash" ? "power fails" : "the process dies";
  test(`index and log agree when ${what} after any single event`, (context) => {
    let runs = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
      for (let moment = 0, ended = false; !ended; moment += 1) {
        const rig = new IndexRig(seed);
        ended = rig.store.machine.isDoneBefore(moment, () => crawl(rig, seed));
        rig.die(death);
        checkAfter(rig);
        runs += 1;
      }
    }
    context.diagnostic(`${runs} deaths`);
  });
}

test("a line becomes a row only if it is the last about a page", () => {
  const rig = new StoreRig("lines");
  rig.open();
  rig.put(pageOf(1));
  rig.commit();
  const [line] = rig.lines();
  assert(line !== undefined);
  assert.equal(pageOfLine(line, keyOf)?.url, line.url);
  assert.equal(pageOfLine({ ...line, notes: [["retry"]] }, keyOf), null);
  assert.equal(pageOfLine({ ...line, notes: [["robots"]] }, keyOf), null);
  const copy = pageOfLine({ ...line, notes: [["same-text", "http://b.example/"]] }, keyOf);
  assert.equal(copy?.duplicateOf, "http://b.example/");
  const failed = pageOfLine({ ...line, result: "DNS_TIMED_OUT", place: null }, keyOf);
  assert.deepEqual([failed?.status, failed?.error, failed?.warc], [0, "DNS_TIMED_OUT", null]);
});
