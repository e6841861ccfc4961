import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Done } from "../../base/seams/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import { ByteWriter } from "../items/index.ts";
import {
  type NumberedPiece,
  type OutboundFrame,
  type OutboundLog,
  openOutboundLog,
} from "./outbound-log.ts";
import { decodePiece, PIECE } from "./remote-frame.ts";

const FOLDER = "connectors/numbers";

class Bench {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly disk: SimDisk = new SimDisk(new SeededRandom("disk"));
  readonly reports: CrawlError[] = [];
  readonly failures: CrawlError[] = [];
  /** How often somebody was told that there is more. */
  changes = 0;

  open(seed = "log"): OutboundLog {
    const log = this.answer<OutboundLog>((done) =>
      openOutboundLog(
        {
          ...{ clock: this.time, storage: this.disk.mount(this.time), folder: FOLDER },
          ...{ random: new SeededRandom(seed), segmentBytesMax: 200 },
          report: (error) => this.reports.push(error),
          fail: (error) => this.failures.push(error),
        },
        done,
      ),
    );
    log.changed = () => {
      this.changes += 1;
    };
    return log;
  }

  answer<Value>(start: (done: Done<Value>) => void): Value {
    const answers: Parameters<Done<Value>>[] = [];
    start((...given) => void answers.push(given));
    while (answers.length === 0) assert.ok(this.time.step());
    const [error, value] = answers[0] ?? assert.fail();
    if (error !== null) throw error;
    return value;
  }

  close(log: OutboundLog): void {
    let isClosed = false;
    log.close(() => {
      isClosed = true;
    });
    while (!isClosed) assert.ok(this.time.step());
  }

  /** Files that hold frames. */
  segments(): string[] {
    const idOf = (name: string): number => Number(/\/out\.(?:(\d+)\.)?log$/.exec(name)?.[1] ?? 1);
    const names = this.disk.fileNames().filter((name) => /\/out\.(?:\d+\.)?log$/.test(name));
    return names.sort((one, other) => idOf(one) - idOf(other));
  }
}

/** A batch of one item, or a part of one. */
function piece(first: number, flags: { isFirst?: boolean; isLast?: boolean } = {}): NumberedPiece {
  const { isFirst = true, isLast = true } = flags;
  const bytes = new Uint8Array(20).fill(first);
  const writer = new ByteWriter();
  PIECE.write({ isFirst, isLast, isClose: false, first, count: 1, bytes }, writer);
  return { piece: writer.copy(), itemsFrom: first, itemsEnd: first + (isLast ? 1 : 0) };
}

function fill(log: OutboundLog, from: number, to: number): void {
  for (let first = from; first < to; first += 1) log.put(piece(first));
}

const numbersOf = (frames: readonly OutboundFrame[]): (number | undefined)[] =>
  frames.map((frame) => decodePiece(frame.piece)?.first);

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

test("pieces come out as frames when they are durable, each where the one before ends", () => {
  const bench = new Bench();
  const log = bench.open();
  fill(log, 0, 5);
  assert.deepEqual([log.isCommitted, log.itemsEnd, log.itemsCommitted], [false, 5, 0]);
  assert.deepEqual(log.inMemoryAfter(0, 10), []);
  bench.time.settle();
  assert.deepEqual([log.isCommitted, log.itemsEnd, log.itemsCommitted], [true, 5, 5]);
  assert.ok(bench.changes > 0);
  const frames = log.inMemoryAfter(0, 10) ?? [];
  assert.deepEqual(numbersOf(frames), range(0, 5));
  assert.deepEqual(
    frames.map(({ after }) => after),
    [0, ...frames.slice(0, -1).map(({ end }) => end)],
  );
  assert.equal(frames.at(-1)?.end, log.committed);
  assert.deepEqual(numbersOf(log.inMemoryAfter(frames[1]?.end ?? 0, 2) ?? []), [2, 3]);
  assert.deepEqual(log.inMemoryAfter(log.committed, 10), []);
});

test("a piece that does not end its batch makes no item durable", () => {
  const bench = new Bench();
  const log = bench.open();
  log.put(piece(0, { isLast: false }));
  bench.time.settle();
  assert.deepEqual([log.isCommitted, log.itemsCommitted], [true, 0]);
  log.put(piece(0, { isFirst: false }));
  bench.time.settle();
  assert.equal(log.itemsCommitted, 1);
});

test("the next life has the same stream, its frames and its count of items", () => {
  const bench = new Bench();
  const log = bench.open("one");
  fill(log, 0, 30);
  bench.time.settle();
  const frames = log.inMemoryAfter(0, 100) ?? [];
  bench.close(log);
  const next = bench.open("another");
  assert.equal(next.stream, log.stream);
  assert.match(next.stream, /^[0-9a-f]{24}$/);
  assert.deepEqual([next.itemsEnd, next.itemsCommitted, next.committed], [30, 30, log.committed]);
  assert.equal(next.inMemoryAfter(0, 100), null, "nothing is in memory");
  const read: OutboundFrame[] = [];
  while (read.length < 30) {
    read.push(
      ...bench.answer<readonly OutboundFrame[]>((done) => next.read(read.at(-1)?.end ?? 0, done)),
    );
  }
  const plain = ({ piece: bytes, ...rest }: OutboundFrame) => ({ ...rest, piece: [...bytes] });
  assert.deepEqual(read.map(plain), frames.map(plain));
  const middle = read[11]?.end ?? 0;
  const from = bench.answer<readonly OutboundFrame[]>((done) => next.read(middle, done));
  assert.equal(numbersOf(from)[0], 12, "reading can begin anywhere");
  fill(next, 30, 32);
  bench.time.settle();
  assert.deepEqual(numbersOf(next.inMemoryAfter(log.committed, 10) ?? []), [30, 31]);
  assert.equal(new Bench().open("another").stream === log.stream, false);
});

test("segments before what has arrived are removed, and the next life begins after them", () => {
  const bench = new Bench();
  const log = bench.open();
  fill(log, 0, 300);
  bench.time.settle();
  const before = bench.segments();
  assert.ok(before.length > 10, `${before.length} segments`);
  const frames = log.inMemoryAfter(0, 300) ?? [];
  log.dropBefore(frames[1]?.end ?? 0);
  bench.time.settle();
  assert.deepEqual(bench.segments(), before, "less than a segment is not worth it");
  const arrived = frames[150]?.end ?? 0;
  log.dropBefore(arrived);
  bench.time.settle();
  const after = bench.segments();
  assert.ok(after.length < before.length * 0.6, `${after.length} of ${before.length}`);
  assert.deepEqual(after, before.slice(before.length - after.length));
  assert.ok(log.begin > 0 && log.begin <= arrived);
  bench.close(log);
  const next = bench.open();
  assert.deepEqual([next.begin, next.itemsEnd], [log.begin, 300]);
  const read = bench.answer<readonly OutboundFrame[]>((done) => next.read(arrived, done));
  assert.equal(numbersOf(read)[0], 151);
});

test("a full disk is told once, takes nothing more, and goes on when it has room", () => {
  const bench = new Bench();
  const log = bench.open();
  fill(log, 0, 3);
  bench.time.settle();
  bench.disk.capacityBytes -= bench.disk.freeBytes;
  fill(log, 3, 6);
  for (let steps = 0; steps < 300; steps += 1) bench.time.step();
  assert.deepEqual([log.isOpen, log.isCommitted, log.itemsCommitted], [false, false, 3]);
  assert.deepEqual(
    bench.reports.map(({ code }) => code),
    ["STORAGE_FULL"],
  );
  bench.disk.capacityBytes = 2 ** 40;
  bench.time.settle();
  assert.deepEqual([log.isOpen, log.isCommitted, log.itemsCommitted], [true, true, 6]);
  assert.deepEqual(numbersOf(log.inMemoryAfter(0, 10) ?? []), range(0, 6));
  assert.deepEqual(bench.failures, []);
});

for (const kind of ["append", "sync"] as const) {
  test(`a disk that fails at ${kind} ends the log, and what was durable is there after it`, () => {
    const bench = new Bench();
    const log = bench.open();
    fill(log, 0, 3);
    bench.time.settle();
    bench.disk.failWhen = (call) => call.kind === kind;
    fill(log, 3, 6);
    bench.time.settle();
    assert.deepEqual([log.isOpen, log.itemsCommitted], [false, 3]);
    fill(log, 6, 7);
    bench.time.settle();
    assert.equal(bench.failures.length, 1, "told once");
    bench.close(log);
    bench.disk.failWhen = () => false;
    bench.disk.crash();
    const next = bench.open();
    assert.ok(next.itemsEnd >= 3 && next.itemsEnd <= 6, `${next.itemsEnd} items`);
    const read = bench.answer<readonly OutboundFrame[]>((done) => next.read(0, done));
    assert.deepEqual(numbersOf(read), range(0, next.itemsEnd));
  });
}

test("damage in the log is told with its size, and the frames around it are there", () => {
  const bench = new Bench();
  const log = bench.open();
  fill(log, 0, 20);
  bench.time.settle();
  bench.close(log);
  const [, name = ""] = bench.segments();
  bench.disk.flipBit(name, 8 * Math.round((bench.disk.contentOf(name)?.length ?? 0) / 2));
  const next = bench.open();
  assert.equal(next.itemsEnd, 20);
  assert.ok(bench.reports.length > 0);
  for (const { code, message } of bench.reports) {
    assert.equal(code, "TOPOLOGY_ITEM_LOST");
    assert.match(message, /connectors\/numbers .* \d+ bytes of its log are damaged/);
  }
});

test("a name of a stream that was cut is drawn again, and its frames are there", () => {
  const bench = new Bench();
  const log = bench.open("one");
  fill(log, 0, 3);
  bench.time.settle();
  bench.close(log);
  for (const lengthBytes of [10, 0]) {
    bench.disk.node(`${FOLDER}/stream`)?.cut(lengthBytes);
    const next = bench.open("another");
    assert.match(next.stream, /^[0-9a-f]{24}$/);
    assert.equal(next.itemsCommitted, 3);
    bench.close(next);
  }
});
