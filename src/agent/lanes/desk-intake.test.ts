import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { carry } from "../../base/background/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Guard } from "../visit/duplicates.ts";
import { DeskIntake, type DeskIntakeParts } from "./desk-intake.ts";
import type { LaneItem, ToLane } from "./lane-messages.ts";
import { LanePostWriter } from "./lane-posts.ts";
import type { LaneProxy } from "./lane-proxy.ts";

type Answering = (found: { kind: "none" }, number: number | null) => void;

class Rig {
  readonly time = new SimulatedTime();
  readonly journal: string[] = [];
  readonly posted: ToLane[] = [];
  hasRoom = true;
  freed: (() => void)[] = [];
  readonly lane = { number: 0, post: (one: ToLane) => this.posted.push(one) } as never as LaneProxy;
  readonly intake: DeskIntake;
  #batches = 0;

  constructor() {
    const tell = (line: string): void => void this.journal.push(line);
    const room = { hasRoom: true, whenRoom: () => assert.fail("there is room") };
    const rig = this;
    const parts = {
      clock: this.time,
      store: {
        get hasRoom() {
          return rig.hasRoom;
        },
        whenRoom: (callback: () => void) => this.freed.push(callback),
        records: {
          append: (bytes: Uint8Array) => tell(`line ${bytes.length}`),
          claim: () => ({ url: "http://first.example/", dateMs: 1 }),
        },
        settleLog: (isDurable: boolean, done: (error: CrawlError | null) => void) => {
          tell(isDurable ? "commit" : "flush");
          done(null);
        },
      },
      index: {
        expect: () => {
          this.#batches += 1;
          tell(`expect ${this.#batches}`);
          return { batch: this.#batches };
        },
        settle: (batch: { batch: number } | null, number: number | null) =>
          tell(`settle ${batch?.batch ?? "none"} ${number}`),
        addLogged: (
          page: { ticket: { url: string } },
          batch: { batch: number },
          _guard: Guard,
          added: () => void,
        ) => {
          tell(`row ${page.ticket.url} in ${batch.batch}`);
          added();
        },
        improve: () => tell("improve"),
        begin: ({ url }: { url: string }) => tell(`begin ${url}`),
        over: ({ url }: { url: string }, { batch }: { batch: number }) =>
          tell(`over ${url} in ${batch}`),
        writer: { ...room, hold: ({ batch }: { batch: number }) => tell(`hold ${batch}`) },
        texts: null,
      },
      duplicates: {
        seek: (_compared: unknown, page: { url: string }, _guard: Guard, answered: Answering) => {
          if (page.url.endsWith("bad")) throw new Error("broken table");
          answered({ kind: "none" }, 7);
        },
      },
      graph: null,
      rows: null,
      ledger: {
        faults: { note: ({ code }: CrawlError, url: string) => tell(`fault ${code} ${url}`) },
        seeds: { turnedAway: (url: string, why: string) => tell(`turned away ${url} ${why}`) },
        refusals: {
          note: (reason: string, url: string, via: string | null, rule: () => string | null) =>
            tell(`refused ${reason} ${url} ${via} ${rule()}`),
          dropped: (reason: string, count: number) => tell(`dropped ${count} ${reason}`),
        },
      },
      told: (_lane: LaneProxy, { kind }: LaneItem) => tell(`told ${kind}`),
    };
    this.intake = new DeskIntake(parts as never as DeskIntakeParts);
  }

  take(...items: readonly LaneItem[]): readonly string[] {
    const writer = new LanePostWriter();
    for (const item of items) writer.add(item);
    this.intake.take(this.lane, writer.take());
    while (this.time.step());
    return this.journal.splice(0);
  }
}

const LINE: LaneItem = { kind: "line", bytes: Buffer.from("abc") };
const CLAIM: LaneItem = {
  ...{ kind: "claim", id: 2 },
  claim: {
    sha1: Buffer.alloc(20, "x"),
    ...{ original: { url: "http://b/", dateMs: 2 }, isOriginal: true },
  },
};

function row(line: number, url: string): LaneItem {
  return { kind: "row", line, page: { ticket: { url }, text: null } as never };
}

test("a row waits for its line, and is in the batch of that moment", () => {
  const rig = new Rig();
  // The records of both lines are not yet in their file when the rows come.
  assert.deepEqual(rig.take({ kind: "expect", line: 0 }, row(0, "http://a/")), ["begin http://a/"]);
  assert.deepEqual(rig.take({ kind: "ended", line: 0, number: 5 }), []);
  assert.deepEqual(rig.take(LINE), [
    ...["line 3", "expect 1", "hold 1", "row http://a/ in 1", "over http://a/ in 1"],
    ...["settle 1 null", "settle 1 5"],
  ]);
});

test("a line without a row is not waited for; one that was announced is, until it has ended", () => {
  const rig = new Rig();
  assert.deepEqual(rig.take(LINE), ["line 3"]);
  assert.deepEqual(rig.take(LINE, { kind: "expect", line: 1 }), ["line 3", "expect 1"]);
  assert.deepEqual(rig.take({ kind: "ended", line: 1, number: null }), ["settle 1 null"]);
  assert.deepEqual(rig.take({ kind: "ended", line: null, number: 4 }), ["settle none 4"]);
});

test("a lane is told of room for more only while everything has room", () => {
  const rig = new Rig();
  const many = Array.from({ length: 500 }, () => LINE);
  rig.take(...many);
  assert.deepEqual(rig.posted.splice(0), [{ kind: "taken", items: 500 }]);
  rig.hasRoom = false;
  rig.take(LINE);
  rig.take(...many);
  assert.equal(rig.posted.length, 0);
  rig.take(CLAIM);
  const [answers] = rig.posted.splice(0);
  assert.equal(
    answers?.kind === "answers" && answers.taken,
    0,
    "an answer tells of no room either",
  );
  rig.hasRoom = true;
  for (const callback of rig.freed.splice(0)) callback();
  assert.deepEqual(rig.posted, [{ kind: "taken", items: 502 }]);
});

test("a few items are acknowledged with the next answers, each once", () => {
  const rig = new Rig();
  rig.take(LINE, LINE);
  assert.equal(rig.posted.length, 0);
  rig.take(LINE, CLAIM);
  rig.take(CLAIM);
  const taken = rig.posted.map((one) => (one.kind === "answers" ? one.taken : one.kind));
  assert.deepEqual(taken, [4, 1]);
});

test("a lane that was full before there was no room hears of room for all that it posted", () => {
  const rig = new Rig();
  rig.hasRoom = false;
  rig.take(LINE);
  rig.hasRoom = true;
  for (const callback of rig.freed.splice(0)) callback();
  assert.deepEqual(rig.posted, [{ kind: "taken", items: 1 }]);
});

test("questions of one turn are answered together, and a fault answers only its own", () => {
  const rig = new Rig();
  const compared = { payloadSha1: Buffer.alloc(20, "x"), stripped: null, near: null };
  const seek = (id: number, url: string): LaneItem => {
    return { kind: "seek", id, compared, page: { url, high: 0, low: 0 } as never };
  };
  rig.take(seek(1, "http://a/"), CLAIM, seek(3, "http://a/bad"));
  const [answers] = rig.posted;
  assert(answers?.kind === "answers", "the answers come with the acknowledgement");
  assert.deepEqual([rig.posted.length, answers.taken], [1, 3]);
  assert.deepEqual(
    answers.answers.map(({ id, kind }) => [id, kind]),
    [
      [1, "found"],
      [2, "claimed"],
      [3, "fault"],
    ],
  );
});

test("what is not about pages goes where it belongs", () => {
  const rig = new Rig();
  const error = carry(new CrawlError("INTERNAL_PARSE", "It broke."));
  assert.deepEqual(
    rig.take(
      { kind: "log", id: 9, isDurable: true },
      { kind: "fault", error, url: "http://a/" },
      { kind: "seed", call: { what: "turnedAway", url: "x", reason: "scheme" } },
      { kind: "refusal", reason: "robots", url: "http://b/", via: "http://a/", rule: "line 3" },
      { kind: "dropped", reason: "host-limit", count: 40 },
      { kind: "idle" },
      { kind: "limit", limit: "bytes" },
    ),
    [
      ...["commit", "fault INTERNAL_PARSE http://a/", "turned away x scheme"],
      ...["refused robots http://b/ http://a/ line 3", "dropped 40 host-limit"],
      ...["told idle", "told limit"],
    ],
  );
  assert.deepEqual(rig.posted[0], { kind: "logged", id: 9, error: null });
});
