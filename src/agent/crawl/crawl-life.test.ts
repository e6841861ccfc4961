import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Storage } from "../../base/seams/index.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { CrawlChanges, SavedCrawl } from "../saving/saved-crawl.ts";
import type { CrawlSummary } from "./counting/crawl-summary.ts";
import { GRACE_MS } from "./crawl-ending.ts";
import { CrawlLife, type CrawlLifeOptions, type Living } from "./crawl-life.ts";

const SAVED = { elapsedMs: 5000 } as SavedCrawl;
const FULL = new CrawlError("STORAGE_FULL", "planted");
const BROKEN = new CrawlError("STORAGE_FAILED", "planted");

/** A life whose crawl only notes what it is told. */
class Told {
  readonly kernel = new Kernel({ seed: "life" });
  readonly steps: string[] = [];
  readonly reports: string[] = [];
  readonly life: CrawlLife;
  isQuiet = true;
  /** What commits, and the writing of the checkpoint, meet. */
  commitError: CrawlError | null = null;
  writeError: CrawlError | null = null;
  trouble: CrawlError | null = null;
  /** The state and reason of the last summary; null before the end. */
  ended: readonly string[] | null = null;

  constructor(options: Partial<CrawlLifeOptions> = {}) {
    const { clock } = this.kernel;
    const note = (step: string) => (): void => void this.steps.push(step);
    const written = (_: CrawlChanges, isLast: boolean, done: Acknowledge): void => {
      if (isLast) this.steps.push("write");
      done(isLast ? this.writeError : null);
    };
    const life = new CrawlLife(
      {
        ...{ clock, storage: {} as Storage, saved: null, recovery: null, closed: note("closed") },
        configuration: configured("limits.minFreeDisk=0", "store.checkpoint=10s"),
        checkpoints: { write: written } as unknown as CheckpointKeeper,
        report: ({ code }) => void this.reports.push(code),
        ...options,
      },
      this.#living(note),
    );
    this.life = life;
  }

  #living(note: (step: string) => () => void): Living {
    const told = this;
    const commit = (done: Acknowledge): void => done(this.commitError);
    const rows = { hasRoom: true, abandon: note("abandon"), flushKeepers: commit, writer: null };
    return {
      get taking() {
        const store = { commit, flush: (done: Acknowledge) => done(null), trouble: told.trouble };
        const duplicates = { retry: () => {} };
        const parts = {
          store,
          index: null,
          rows,
          duplicates,
          links: { memory: null, graph: null },
        };
        return parts as unknown as Living["taking"];
      },
      get isQuiet() {
        return told.isQuiet;
      },
      isReplaying: false,
      hold: (quiet) => quiet(),
      letGo: () => {},
      recorded: () => {},
      offer: () => {},
      start: note("start"),
      mayBeginChanged: note("may begin?"),
      stopBeginning: note("stop"),
      cancel: note("cancel"),
      committed: () => {},
      save: (elapsedMs, done) => done(null, { elapsedMs } as CrawlChanges),
      close: async () => note("close")(),
      summary: () => this.life.summarized() as unknown as CrawlSummary,
    };
  }

  run(): this {
    void this.life.run().then(({ state, reason }) => {
      this.ended = [state, reason];
    });
    this.kernel.pass(0);
    return this;
  }

  /** Lets time pass, and promises settle. */
  async pass(ms: number): Promise<void> {
    this.kernel.pass(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a crawl that ends makes all durable, writes its checkpoint and closes, in this order", async () => {
  const told = new Told().run();
  told.isQuiet = false;
  told.life.end("exhausted");
  told.life.quiet();
  assert.deepEqual(told.steps, ["start", "stop"], "something is under way");
  told.isQuiet = true;
  told.life.quiet();
  told.life.quiet();
  await told.pass(0);
  assert.deepEqual(told.steps, ["start", "stop", "write", "close", "closed"]);
  assert.deepEqual(told.ended, ["finished", "exhausted"]);
});

test("the first reason counts", async () => {
  const told = new Told().run();
  told.isQuiet = false;
  told.life.endAt("pages");
  told.life.endAt("time");
  told.life.stop();
  const { state, reason, limit } = told.life.summarized();
  assert.deepEqual([state, reason, limit], ["finished", "limit", "pages"]);
});

test("what is under way gets some time; an immediate stop gives none", async () => {
  for (const isImmediate of [false, true]) {
    const told = new Told().run();
    told.isQuiet = false;
    told.life.stop(isImmediate);
    const given = ["start", "stop", ...(isImmediate ? ["cancel", "abandon"] : [])];
    assert.deepEqual(told.steps, given);
    await told.pass(GRACE_MS);
    assert.deepEqual(told.steps, [...given, "cancel", "abandon"]);
  }
});

test("a pause begins nothing and does not count; an end cannot be paused", async () => {
  const told = new Told().run();
  await told.pass(1000);
  told.life.pause();
  assert.equal(told.life.mayBegin, false);
  await told.pass(1000);
  assert.deepEqual([told.life.elapsedMs, told.life.summarized().state], [1000, "paused"]);
  told.life.resume();
  await told.pass(1000);
  assert.deepEqual([told.life.elapsedMs, told.life.mayBegin], [2000, true]);
  assert.deepEqual(told.steps, ["start", "may begin?", "may begin?"]);
  told.isQuiet = false;
  told.life.end("exhausted");
  told.life.pause();
  assert.equal(told.life.summarized().state, "finished");
});

test("the limit on time holds over all runs", async () => {
  const opened: CheckpointKeeper = {
    open: (done: Acknowledge) => done(null),
    write: (_: CrawlChanges, _isLast: boolean, done: Acknowledge) => done(null),
  } as unknown as CheckpointKeeper;
  const told = new Told({ saved: SAVED, checkpoints: opened }).run();
  told.life.limitTime(6000);
  await told.pass(999);
  assert.equal(told.life.isRunning, true);
  await told.pass(1);
  const { reason, limit } = told.life.summarized();
  assert.deepEqual([reason, limit, told.ended], ["limit", "time", ["finished", "limit"]]);
});

test("nothing starts if the checkpoint cannot be opened", async () => {
  const checkpoints = {
    open: (done: Acknowledge) => done(BROKEN),
    write: (_: CrawlChanges, _isLast: boolean, done: Acknowledge) => done(null),
  } as unknown as CheckpointKeeper;
  const told = new Told({ saved: SAVED, checkpoints }).run();
  await told.pass(0);
  assert.equal(told.steps.includes("start"), false);
  assert.deepEqual([told.ended, told.life.failure], [["stopped", "disk"], BROKEN]);
});

test("a crawl whose disk is full when it starts ends, and says what to do", async () => {
  for (const where of ["open", "write"] as const) {
    const checkpoints = {
      open: (done: Acknowledge) => done(where === "open" ? FULL : null),
      write: (_: CrawlChanges, _isLast: boolean, done: Acknowledge) => done(FULL),
    } as unknown as CheckpointKeeper;
    const told = new Told({ saved: SAVED, checkpoints }).run();
    await told.pass(0);
    assert.equal(told.steps.includes("start"), false);
    assert.deepEqual([told.ended, told.life.failure?.code], [["stopped", "disk"], "STORAGE_FULL"]);
    assert.match(String(told.life.failure?.message), /Free some space and give the same command/);
  }
});

test("nothing starts if it cannot be recorded with what", async () => {
  const recordStart = (): void => {
    throw BROKEN;
  };
  const checkpoints = {
    open: () => assert.fail("the crawl does not go on"),
    write: (_: CrawlChanges, _isLast: boolean, done: Acknowledge) => done(null),
  } as unknown as CheckpointKeeper;
  const told = new Told({ saved: SAVED, checkpoints, recordStart }).run();
  await told.pass(0);
  assert.deepEqual(told.steps, ["stop", "close", "cancel", "closed"]);
  assert.deepEqual([told.ended, told.life.failure], [["stopped", "disk"], BROKEN]);
});

test("what fails while a crawl is opened ends it when it runs", async () => {
  const told = new Told();
  told.life.report(FULL);
  told.life.failed(BROKEN);
  assert.equal(told.steps.length, 0, "nothing is there to be ended");
  told.run();
  await told.pass(0);
  assert.equal(told.steps.includes("start"), false);
  assert.deepEqual([told.ended, told.life.failure], [["stopped", "disk"], BROKEN]);
});

test("a full disk that many parts meet is told once, and nothing is begun until it has room", async () => {
  const told = new Told().run();
  const broken = new CrawlError("NEAR_RUN_DAMAGED", "planted");
  for (const error of [FULL, broken, FULL]) told.life.report(error);
  told.commitError = FULL;
  await told.pass(30_000);
  assert.deepEqual(told.reports, ["STORAGE_FULL", "NEAR_RUN_DAMAGED"]);
  assert.equal(told.life.mayBegin, false);
  told.commitError = null;
  await told.pass(20_000);
  assert.equal(told.life.mayBegin, true);
  assert.deepEqual(told.steps, ["start", "may begin?", "may begin?"]);
});

test("the end waits for a full disk, and commits try again; a user who stops does not", async () => {
  for (const where of ["commitError", "writeError"] as const) {
    const told = new Told().run();
    told[where] = FULL;
    told.life.end("exhausted");
    await told.pass(25_000);
    assert.deepEqual([told.ended, told.reports], [null, ["STORAGE_FULL"]]);
    told[where] = null;
    await told.pass(10_000);
    assert.deepEqual(told.ended, ["finished", "exhausted"]);
  }
  const stopped = new Told().run();
  stopped.writeError = FULL;
  stopped.life.stop();
  await stopped.pass(0);
  assert.deepEqual([stopped.ended, stopped.life.failure], [["stopped", "disk"], FULL]);
});

test("a full disk while it runs is said, waited for, and named if the user stops meanwhile", async () => {
  const told = new Told().run();
  told.life.failed(FULL);
  told.life.failed(FULL);
  assert.deepEqual([told.life.isRunning, told.reports], [true, ["STORAGE_FULL"]]);
  assert.deepEqual(told.life.summarized().idle, { disk: 1 });
  told.trouble = FULL;
  told.life.stop();
  await told.pass(0);
  assert.deepEqual(told.ended, ["stopped", "disk"]);
  assert.equal(told.steps.includes("cancel"), true, "fetches would wait for the disk");
});

test("a failure ends the crawl and what is under way; the first one is kept", async () => {
  const told = new Told().run();
  told.life.failed(new CrawlError("INTERNAL_UNIT", "planted"));
  told.life.closeFailed(BROKEN);
  await told.pass(0);
  assert.deepEqual(
    [told.ended, told.life.failure?.code],
    [["stopped", "failure"], "INTERNAL_UNIT"],
  );
  assert.equal(told.steps.includes("cancel"), true);
});

test("a crawl of which a part has failed keeps its last checkpoint, and the next run goes on from that", async () => {
  const told = new Told().run();
  told.life.failed(new CrawlError("QUEUES_DAMAGED", "planted"));
  await told.pass(30_000);
  assert.deepEqual(told.ended, ["stopped", "disk"]);
  assert.equal(told.steps.includes("write"), false, told.steps.join());
});

test("a file that turns out to be damaged while it runs is told with what helps", async () => {
  const told = new Told().run();
  const damaged = new CrawlError("LOG_DAMAGED", "planted");
  told.life.failed(new CrawlError("STORE_FAILED", "stopped", {}, damaged));
  await told.pass(0);
  assert.equal(told.life.failure?.code, "STORE_FAILED");
  assert.match(told.life.failure.message, /^stopped.*store verify --rebuild/);
});

test("a reader of the pages that has gone ends the crawl without a failure", async () => {
  const told = new Told().run();
  const gone = new CrawlError("PAGES_READER_GONE", "planted");
  told.life.failed(gone);
  told.life.failed(gone);
  told.life.closeFailed(gone);
  await told.pass(0);
  assert.deepEqual([told.ended, told.life.failure], [["stopped", "reader"], null]);
  assert.deepEqual(told.reports, ["PAGES_READER_GONE"]);
});
