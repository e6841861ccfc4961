import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { RoomyStore } from "../../../test/support/agent/visit-rig.ts";
import { MemorySpool } from "../../../test/support/fetch/memory-spool.ts";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryBody } from "../../../test/support/store/store-rig.ts";
import type { Body, Fetcher, FetchLimits, FetchOutcome, Header } from "../../base/seams/index.ts";
import { TurnBudget } from "../../base/time/index.ts";
import { ContentDecoder, DECODING_LIMITS } from "../../fetch/body/index.ts";
import type { RobotsEnd, RobotsErrand } from "../../frontier/front/index.ts";
import type { PageStore } from "../../store/archive/index.ts";
import { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { SeedWatch } from "../seeds/seed-watch.ts";
import { AnswerGate } from "./answer-gate.ts";
import { AnswerReading } from "./answer-reading.ts";
import { RobotsTurns } from "./robots-turns.ts";
import { RobotsVisit, robotsLimits } from "./robots-visit.ts";

const RULES = Buffer.from("User-agent: *\nDisallow: /no\n");

const ERRAND = {
  ...{ kind: "robots", url: "http://a.test/robots.txt", origin: "http://a.test" },
  ...{ host: "a.test", address: "192.0.2.1" },
} as RobotsErrand;

/** A body that tells whether its memory was given back. */
class WatchedBody extends MemoryBody {
  releases = 0;

  override release(): void {
    this.releases += 1;
  }
}

/** Keeps the decoded bodies, so that a test can look at them afterwards. */
class WatchedSpool extends MemorySpool {
  readonly bodies: WatchedBody[] = [];

  override open(): ReturnType<MemorySpool["open"]> {
    const sink = super.open();
    return {
      ...sink,
      end: (done) =>
        sink.end((error, body) => {
          if (error !== null) return done(error, undefined);
          const watched = new WatchedBody(body.bytes ?? assert.fail("it is in memory"));
          this.bodies.push(watched);
          done(null, watched);
        }),
    };
  }
}

/**
 * Visits a robots.txt that has this answer; `null` for a fetch that cannot be begun. One that is replayed
 * was answered in this way at an earlier instant.
 */
function visiting(
  body: Body | null,
  headers: readonly Header[] = [],
  errand: Partial<RobotsErrand> & { readonly replayedAtMs?: number } = {},
) {
  const time = new SimulatedTime();
  const store = new RoomyStore();
  const spool = new WatchedSpool();
  const counts = new CrawlCounts();
  const ends: RobotsEnd[] = [];
  const faults: string[] = [];
  const gate = new AnswerGate(time);
  const marked: [end: RobotsEnd, wallMs: number][] = [];
  const rig = { time, store, spool, counts, ends, faults, gate, marked, overs: 0 };
  const outcome = {
    ...{ kind: "fetched", request: null, status: 200, reason: "OK", headers, body },
    ...{ truncatedBy: null, answerMs: 1 },
  } as unknown as FetchOutcome;
  const fetcher = {
    fetch: (_request: unknown, fetched: (outcome: FetchOutcome) => void) => {
      if (body === null) assert.fail("planted");
      time.after(1, () => fetched(outcome));
      return { cancel: () => {} };
    },
  } as unknown as Fetcher;
  const decoder = new ContentDecoder({ clock: time, spool, limits: DECODING_LIMITS });
  const turns = new RobotsTurns(time, new TurnBudget(time));
  const visit = new RobotsVisit(
    {
      ...{ clock: time, fetcher, counts, headers: [], sitemaps: null, turns },
      ...{ limits: {} as FetchLimits, store: store as unknown as PageStore },
      answers: new AnswerReading({ clock: time, decoder, urlLengthMax: 2048 }),
      frontier: {
        robotsFetched: (_errand, end) => {
          ends.push(end);
          return { kind: "final" };
        },
        markRobots: (_robots, end, wallMs) => {
          marked.push([end, wallMs]);
          return { kind: "final" };
        },
      },
      gate,
      seeds: new SeedWatch({ tell: () => {} }),
      faults: { note: ({ code }) => faults.push(code) },
    },
    { ...ERRAND, ...errand },
    () => {
      rig.overs += 1;
    },
    errand.replayedAtMs === undefined ? null : { atMs: errand.replayedAtMs, outcome },
  );
  return { rig, visit, turns };
}

function bytesOf([end]: readonly RobotsEnd[]): string {
  return end?.kind === "ended" ? Buffer.from(end.bytes ?? []).toString() : "";
}

test("the memory of a robots.txt is given back, its decoded form included", () => {
  const body = new WatchedBody(gzipSync(RULES));
  const { rig } = visiting(body, [["Content-Encoding", "gzip"]]);
  rig.time.settle();
  assert.equal(bytesOf(rig.ends), RULES.toString());
  assert.deepEqual(
    [body, ...rig.spool.bodies].map(({ releases }) => releases),
    [1, 1],
  );
  assert.equal(rig.overs, 1);
});

test("the frontier is told of a robots.txt at once, and its record waits while the disk is full", () => {
  const { rig } = visiting(new MemoryBody(RULES));
  rig.store.hasRoom = false;
  rig.time.settle();
  assert.deepEqual([rig.ends.length, rig.overs], [1, 0]);
  rig.store.makeRoom();
  assert.deepEqual([rig.ends.length, rig.overs, rig.store.pages.length], [1, 1, 1]);
});

test("a record that waits for room can be given up, once", () => {
  const { rig, visit } = visiting(new MemoryBody(RULES));
  rig.store.hasRoom = false;
  rig.time.settle();
  visit.cancel();
  assert.equal(rig.overs, 1);
  visit.cancel();
  rig.store.makeRoom();
  assert.deepEqual([rig.overs, rig.store.pages.length], [1, 0]);
});

test("a fault during a visit to a robots.txt fails the attempt and is counted", () => {
  const { rig } = visiting(null);
  rig.time.settle();
  assert.deepEqual(
    rig.ends.map((end) => end.kind === "ended" && [end.attempt.kind, end.code]),
    [["failed", "INTERNAL_ROBOTS"]],
  );
  assert.deepEqual(rig.counts.errors.toObject(), { INTERNAL_ROBOTS: 1 });
  assert.deepEqual([rig.faults, rig.overs], [["INTERNAL_ROBOTS"], 1]);
});

test("a robots.txt of which the disk gives back only a part gives no permission", () => {
  const { rig } = visiting({
    ...{ bytes: null, lengthBytes: RULES.length, release: () => {} },
    read: (_offset, _length, done) => done(null, RULES.subarray(0, 14)),
  });
  rig.time.settle();
  assert.deepEqual(
    rig.ends.map((end) => end.kind === "ended" && [end.attempt.kind, end.bytes, end.code]),
    [["failed", null, "FETCH_ROBOTS_INCOMPLETE"]],
  );
});

test("the limit on the bodies of pages does not apply to a robots.txt", () => {
  const small = { bodyBytesMax: 10, headerBytesMax: 20 } as FetchLimits;
  const { bodyBytesMax, headerBytesMax } = robotsLimits(small);
  assert.ok(bodyBytesMax > 500 * 1024, "one byte more than counts");
  assert.equal(headerBytesMax, 20);
});

test("when the crawl ends, a robots.txt is logged but no longer read", () => {
  for (const length of [RULES.length, 100_000]) {
    const body = new WatchedBody(Buffer.alloc(length, RULES));
    const { rig, turns } = visiting(body);
    turns.stop();
    rig.time.settle();
    assert.deepEqual(rig.ends, [{ kind: "cancelled" }]);
    assert.deepEqual([rig.overs, body.releases, rig.store.pages.length], [1, 1, 1]);
  }
});

test("a large robots.txt that waits for its turn ends at once when it is given up", () => {
  const body = new WatchedBody(Buffer.alloc(100_000, RULES));
  const { rig, visit, turns } = visiting(body);
  // Another file has the turn and keeps it.
  turns.take(100_000, () => {});
  rig.time.settle();
  assert.deepEqual([rig.ends.length, body.releases], [0, 0]);
  visit.cancel();
  rig.time.settle();
  assert.deepEqual(rig.ends, [{ kind: "cancelled" }]);
  assert.deepEqual([rig.overs, body.releases], [1, 1]);
});

test("a large robots.txt is read when its turn comes", () => {
  const body = new WatchedBody(Buffer.alloc(100_000, RULES));
  const { rig, turns } = visiting(body);
  const other = turns.take(100_000, () => {});
  rig.time.settle();
  assert.equal(rig.ends.length, 0);
  turns.end(other ?? assert.fail("it is large"), 10);
  rig.time.settle();
  assert.equal(bytesOf(rig.ends).length, 100_000);
  assert.equal(body.releases, 1);
});

test("a robots.txt that is replayed is read without a request, and gets no record", () => {
  const body = new WatchedBody(gzipSync(RULES));
  const { rig } = visiting(body, [["Content-Encoding", "gzip"]], { replayedAtMs: 7 });
  rig.time.settle();
  const [[end, wallMs] = assert.fail("it is told of")] = rig.marked;
  assert.deepEqual([bytesOf([end]), wallMs], [RULES.toString(), 7]);
  assert.deepEqual([rig.ends, rig.store.pages, rig.overs, body.releases], [[], [], 1, 1]);
});

test("a robots.txt that is replayed while the crawl is stopped tells nothing", () => {
  const { rig, visit } = visiting(new MemoryBody(Buffer.alloc(100_000, RULES)), [], {
    replayedAtMs: 7,
  });
  visit.cancel();
  rig.time.settle();
  assert.deepEqual([rig.marked, rig.overs, rig.gate.worked], [[], 1, 0]);
});

test("a checkpoint knows a robots.txt only together with its line", () => {
  const { rig } = visiting(new MemoryBody(RULES));
  let isQuiet = false;
  rig.gate.close(() => {
    isQuiet = true;
  });
  rig.time.settle();
  assert.deepEqual([isQuiet, rig.ends.length], [true, 0], "it waits outside");
  rig.store.hasRoom = false;
  rig.gate.open();
  assert.deepEqual([rig.ends.length, rig.gate.worked], [1, 1], "it is worked on without a line");
  rig.store.makeRoom();
  assert.deepEqual([rig.store.pages.length, rig.gate.worked], [1, 0]);
});

test("the line of a file behind redirects says for which robots.txt it was fetched", () => {
  const url = "http://b.test/rules" as RobotsErrand["url"];
  const { rig } = visiting(new MemoryBody(RULES), [], { url, redirects: 2 });
  rig.time.settle();
  const [page] = rig.store.pages;
  assert.deepEqual([page?.url, page?.crawl.via], [url, "http://a.test/robots.txt"]);
  assert.deepEqual(page?.crawl.notes, [["robots"], ["redirects", "2"]]);
});
