/** What the receiving side finds in its log when it is opened. The logs are written by hand here. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { openReceiver } from "../../../test/support/topology/remote-rig.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { type OpenedLog, openLog } from "../../base/log/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Done } from "../../base/seams/index.ts";
import { InProcessHub, InProcessTransport } from "../../base/transport/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import { ByteWriter } from "../items/index.ts";
import { encodeArrival, encodeMark } from "./inbound-record.ts";
import type { ReceivingConnector } from "./index.ts";
import { PIECE, type Piece } from "./remote-frame.ts";

const NAME = "connectors/numbers/in";
const SEGMENT_BYTES = 200;

class Bench {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly disk: SimDisk = new SimDisk(new SeededRandom("disk"));
  readonly reports: CrawlError[] = [];
  readonly #hub = new InProcessHub(this.time);
  #lives = 0;

  /** Puts records behind those that are there. */
  write(...records: readonly Uint8Array[]): void {
    const storage = this.disk.mount(this.time);
    const options = { storage, random: new SeededRandom("log"), name: NAME };
    const { log } = this.answer<OpenedLog>((done) =>
      openLog({ ...options, framing: "binary", segmentBytesMax: SEGMENT_BYTES }, done),
    );
    for (const record of records) assert.notEqual(log.tryAppend(record), null);
    log.commit((error) => assert.equal(error, null));
    log.close((error) => assert.equal(error, null));
    this.time.settle();
  }

  open(): ReceivingConnector<number> {
    this.#lives += 1;
    const side = {
      ...{ clock: this.time, random: new SeededRandom("side") },
      storage: this.disk.mount(this.time),
      transport: new InProcessTransport(this.#hub, `receiver ${this.#lives}`),
      report: (error: CrawlError) => void this.reports.push(error),
    };
    const options = { capacity: 100, segmentBytesMax: SEGMENT_BYTES };
    return this.answer((done) => openReceiver(side, options, done));
  }

  /** The items that are there to be taken. */
  found(): number[] {
    const receiver = this.open();
    const items: number[] = [];
    receiver.openOutlet("reader").takeInto(items, 1000);
    return items;
  }

  answer<Value>(start: (done: Done<Value>) => void): Value {
    const answers: Parameters<Done<Value>>[] = [];
    start((...given) => void answers.push(given));
    while (answers.length === 0) assert.ok(this.time.step());
    const [error, value] = answers[0] ?? assert.fail();
    if (error !== null) throw error;
    return value;
  }
}

/** Some numbers below 128 as a batch, or as the part of one that the flags say. */
function arrival(end: number, number: number, items: number[], piece: Partial<Piece> = {}) {
  const writer = new ByteWriter();
  const flags = { isFirst: true, isLast: true, isClose: false };
  const batch = { first: number, count: items.length, bytes: Uint8Array.from(items) };
  PIECE.write({ ...flags, ...batch, ...piece }, writer);
  return encodeArrival({ stream: "one", end, number, piece: writer.copy() });
}

function mark(taken: number, at: number, isClosed = false, isOver = false): Uint8Array {
  return encodeMark({ taken, isOver, streams: [{ name: "one", at, isClosed }] });
}

test("a log that is not there is a beginning", () => {
  const bench = new Bench();
  const receiver = bench.open();
  assert.deepEqual([receiver.length, receiver.marked, receiver.isClosed], [0, 0, false]);
});

test("what arrived and was not taken is there again, in order", () => {
  const bench = new Bench();
  bench.write(arrival(10, 0, [1, 2, 3]), arrival(20, 3, [4, 5]));
  assert.deepEqual(bench.found(), [1, 2, 3, 4, 5]);
});

test("what was taken by the last mark is not there, to the item", () => {
  for (const [taken, left] of [
    [0, [1, 2, 3, 4, 5]],
    [2, [3, 4, 5]],
    [3, [4, 5]],
    [4, [5]],
    [5, []],
  ] as const) {
    const bench = new Bench();
    bench.write(arrival(10, 0, [1, 2, 3]), mark(0, 10), arrival(20, 3, [4, 5]), mark(taken, 20));
    assert.deepEqual(bench.found(), left, `${taken} were taken`);
    assert.equal(bench.open().marked, taken);
  }
});

test("items that came after the mark are there, and are numbered after those before", () => {
  const bench = new Bench();
  // The arrivals of the first forty items were dropped with the beginning of the log.
  bench.write(mark(40, 10), arrival(20, 40, [7, 8]), mark(41, 20), arrival(30, 42, [9]));
  assert.deepEqual(bench.found(), [8, 9]);
});

test("a batch in pieces is there when its last piece is", () => {
  const bench = new Bench();
  const pieces = [
    arrival(10, 0, [1], { isLast: false, count: 3 }),
    arrival(20, 0, [2], { isFirst: false, isLast: false, count: 3 }),
  ];
  bench.write(...pieces);
  assert.deepEqual(bench.found(), []);
  bench.write(arrival(30, 0, [3], { isFirst: false, count: 3 }));
  assert.deepEqual(bench.found(), [1, 2, 3]);
});

test("the rest of a taken batch whose beginning was dropped is no fault; one not taken is", () => {
  const rest = arrival(30, 0, [3], { isFirst: false, count: 3 });
  const taken = new Bench();
  taken.write(rest, mark(3, 30), arrival(40, 3, [4]));
  assert.deepEqual(taken.found(), [4]);
  const lost = new Bench();
  lost.write(rest, mark(2, 30));
  assert.throws(() => lost.open(), { code: "TOPOLOGY_ITEM_MALFORMED" });
});

test("a stream that was closed is closed again; after the end of all it begins anew", () => {
  const bench = new Bench();
  const close = arrival(20, 1, [], { isClose: true });
  bench.write(arrival(10, 0, [1]), close, mark(1, 20, true));
  const receiver = bench.open();
  assert.equal(receiver.isClosed, true);
  bench.write(mark(1, 20, true, true));
  assert.equal(bench.open().isClosed, false);
});

test("entries that are not of this connector keep it from opening, and the log stays", () => {
  const strange = [
    new Uint8Array([9, 9, 9]),
    arrival(10, 0, [1], { count: 2 }),
    encodeArrival({ stream: "one", end: 10, number: 0, piece: new Uint8Array([1]) }),
  ];
  for (const record of strange) {
    const bench = new Bench();
    bench.write(record, arrival(20, 2, [3]));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      assert.throws(() => bench.open(), {
        code: "TOPOLOGY_ITEM_MALFORMED",
        message: /^1 entries .* as items of type test\/count.* another id\./,
      });
    }
  }
});

test("damage is told with its size, and what is around it is there", () => {
  const bench = new Bench();
  for (let at = 0; at < 20; at += 1) bench.write(arrival(10 * (at + 1), at, [at]));
  const name = bench.disk.fileNames().find((file) => file.endsWith("/in.2.log")) ?? "";
  bench.disk.flipBit(name, 4 * (bench.disk.contentOf(name)?.length ?? 0));
  const items = bench.found();
  assert.ok(items.length < 20 && items.includes(0) && items.includes(19), items.join());
  const [report] = bench.reports;
  assert.equal(report?.code, "TOPOLOGY_ITEM_LOST");
  assert.match(report?.message ?? "", /may be lost: \d+ bytes of the log are damaged/);
});

test("a disk that cannot be read keeps it from opening, until it can", () => {
  const bench = new Bench();
  bench.write(arrival(10, 0, [1, 2, 3]));
  bench.disk.failWhen = ({ kind }) => kind === "read" || kind === "readWhole";
  assert.throws(
    () => bench.open(),
    ({ code }: CrawlError) => code.startsWith("STORAGE_"),
  );
  bench.disk.failWhen = () => false;
  assert.deepEqual(bench.found(), [1, 2, 3]);
});
