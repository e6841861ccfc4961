/** What a log does in normal operation; what it survives is in `test/simulation`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, LogMachine } from "../../../test/support/base/log/log-machine.ts";
import type { FrameBatch } from "./index.ts";

test("frames are read in the order in which they were appended, from any of them on", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one", "two");
  const third = log.end;
  machine.append(log, "three", "four");
  machine.commit(log);
  assert.deepEqual(machine.read(log.reader()), ["one", "two", "three", "four"]);
  assert.deepEqual(machine.read(log.reader(third)), ["three", "four"]);
  assert.deepEqual(machine.read(log.reader(log.end)), []);
});

test("a reader sees committed frames only, and continues when there are more", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  const reader = log.reader();
  machine.append(log, "one");
  assert.deepEqual(machine.read(reader), []);
  machine.commit(log);
  machine.append(log, "two");
  assert.deepEqual(machine.read(reader), ["one"]);
  machine.commit(log);
  assert.deepEqual(machine.read(reader), ["two"]);
  machine.result((done) => reader.close(done));
});

test("commits requested while one is under way share the next sync", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  const syncs = machine.calls("sync", () => {
    const answered: number[] = [];
    for (let number = 0; number < 100; number += 1) {
      machine.append(log, `frame ${number}`);
      log.commit((error) => answered.push(error === null ? number : -1));
    }
    machine.time.settle();
    assert.deepEqual(answered, [...Array(100).keys()], "all are answered, in their order");
  });
  assert.equal(syncs, 2);
});

test("a commit with nothing to commit answers, and not inside the call", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.commit(log);
  machine.append(log, "one");
  machine.commit(log);
  machine.commit(log);
  assert.equal(log.committed, log.end);
});

test("a commit syncs nothing that is durable", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  machine.commit(log);
  assert.equal(
    machine.calls("sync", () => machine.commit(log)),
    0,
  );
  machine.append(log, "two");
  assert.equal(
    machine.calls("sync", () => machine.commit(log)),
    1,
  );
});

test("a log that is full takes frames from owners that cannot be refused, and says so", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ pendingBytesMax: 1000, chunkBytes: 400 });
  const positions: number[] = [];
  while (!log.isFull) positions.push(log.append(new Uint8Array(90)));
  positions.push(log.append(new Uint8Array(90)));
  assert.equal(log.tryAppend(new Uint8Array(90)), null);
  assert.deepEqual(
    positions,
    positions.map((_, frame) => 100 * frame),
  );
  machine.commit(log);
  assert.ok(!log.isFull);
  assert.equal(machine.read(log.reader()).length, positions.length);
  machine.disk.failWhen = (call) => call.kind === "append";
  log.append(new Uint8Array(90));
  assert.equal(
    machine.code((done) => log.commit(done)),
    "LOG_BROKEN",
  );
  assert.ok(log.isFull, "a broken log asks its owner to hold back");
  assert.equal(log.append(new Uint8Array(90)), log.end - 100);
});

test("appending is refused when too much is pending, and goes on after a commit", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ pendingBytesMax: 1000, chunkBytes: 300 });
  let appended = 0;
  while (log.tryAppend(new Uint8Array(90)) !== null) appended += 1;
  assert.equal(appended, 10);
  assert.equal(log.pendingBytes, 1000);
  machine.commit(log);
  assert.equal(log.pendingBytes, 0);
  assert.notEqual(log.tryAppend(new Uint8Array(90)), null);
  assert.ok(!log.fits(new Uint8Array(991)));
});

test("full chunks are written without being asked, so that few bytes wait", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ pendingBytesMax: 1000, chunkBytes: 300 });
  for (let number = 0; number < 100; number += 1) {
    assert.notEqual(log.tryAppend(new Uint8Array(90)), null);
    machine.time.settle();
  }
  assert.ok(log.pendingBytes <= 300);
  assert.equal(log.committed, 0);
  machine.commit(log);
  assert.equal(machine.read(log.reader()).length, 100);
});

test("segments are bounded, and positions go on from one to the next", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ segmentBytesMax: 250 });
  for (let number = 0; number < 20; number += 1) {
    assert.equal(log.tryAppend(new Uint8Array(40)), number * 50);
  }
  machine.commit(log);
  const sizes = machine.disk
    .fileNames()
    .filter((name) => name.endsWith(".log"))
    .map((name) => machine.disk.contentOf(name)?.length);
  assert.deepEqual(sizes, [250, 250, 250, 250]);
  assert.equal(machine.read(log.reader()).length, 20);
  assert.equal(machine.read(log.reader(450)).length, 11);
});

test("a log can be cut back to a recorded length, in this segment or an earlier one", () => {
  const machine = new LogMachine(1);
  const options = { segmentBytesMax: 100 };
  let { log } = machine.open(options);
  const ends: number[] = [];
  for (let number = 0; number < 12; number += 1) {
    machine.append(log, `frame number ${number}`);
    machine.commit(log);
    ends.push(log.end);
  }
  for (const kept of [11, 7, 2]) {
    machine.result((done) => log.cutTo(ends[kept - 1] ?? 0, done));
    assert.equal(log.end, ends[kept - 1]);
    machine.append(log, "and on");
    machine.commit(log);
    machine.crash();
    log = machine.open(options).log;
    const found = machine.read(log.reader());
    assert.equal(found.length, kept + 1);
    assert.equal(found.at(-1), "and on");
  }
  machine.append(log, "pending");
  machine.result((done) => log.cutTo(0, done));
  machine.commit(log);
  assert.deepEqual(machine.read(log.reader()), []);
});

test("what is pending is cut too, and nothing is appended meanwhile", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  const position = log.end;
  machine.append(log, "two");
  log.cutTo(position, () => undefined);
  assert.equal(log.tryAppend(bytesOf("three")), null);
  machine.time.settle();
  machine.append(log, "four");
  machine.commit(log);
  assert.deepEqual(machine.read(log.reader()), ["one", "four"]);
});

test("a commit requested during a cut does not wait for what is cut", () => {
  for (const isWritten of [false, true]) {
    const machine = new LogMachine(1);
    const { log } = machine.open();
    machine.append(log, "one", "two");
    if (isWritten) machine.commit(log);
    const answers: string[] = [];
    log.cutTo(0, (error) => answers.push(`cut ${error}`));
    log.commit((error) => answers.push(`commit ${error}`));
    machine.time.settle();
    assert.deepEqual(answers, ["cut null", "commit null"]);
    assert.equal(log.committed, 0);
  }
});

test("a cut to a position that the log does not have is refused", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ segmentBytesMax: 50 });
  machine.append(log, "one", "a longer second frame", "a longer third frame", "four");
  machine.commit(log);
  const second = machine.result<FrameBatch>((done) => log.reader().read(done)).endOf(0);
  machine.result((done) => log.dropBefore(log.end, done));
  assert.equal(
    machine.code((done) => log.cutTo(log.end + 1, done)),
    "LOG_OUT_OF_RANGE",
  );
  assert.equal(
    machine.code((done) => log.cutTo(second - 1, done)),
    "LOG_OUT_OF_RANGE",
  );
  machine.append(log, "five");
  machine.commit(log);
});

test("old segments are dropped whole, and readers begin behind them", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ segmentBytesMax: 100 });
  for (let number = 0; number < 10; number += 1) {
    machine.append(log, `frame number ${number}`);
    machine.commit(log);
  }
  const early = log.reader(0);
  machine.result((done) => log.dropBefore(130, done));
  assert.equal(log.begin, 96);
  assert.deepEqual(machine.read(log.reader())[0], "frame number 4");
  assert.deepEqual(machine.read(early)[0], "frame number 4");
  machine.result((done) => log.dropBefore(log.end, done));
  assert.ok(log.begin < log.end, "the last segment stays");
});

test("segments that a crash has left over are removed when the log is opened, and no other files", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  machine.commit(log);
  machine.result((done) => log.close(done));
  const left = ["a/log.7.log", "a/log.text", "a/logs.7.log"];
  for (const name of left) {
    machine.result((done) => machine.storage.replace(name, bytesOf("x"), done));
  }
  machine.open();
  const files = machine.result<readonly string[]>((done) => machine.storage.list("a", done));
  assert.deepEqual([...files].sort(), ["a/log.log", "a/log.manifest", ...left.slice(1)].sort());
});

test("a log that was closed continues where it ended", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  machine.commit(log);
  machine.append(log, "never committed");
  machine.result((done) => log.close(done));
  assert.throws(() => log.tryAppend(bytesOf("x")), assert.AssertionError);
  const again = machine.open();
  assert.deepEqual([again.cut, again.damage], [null, []]);
  machine.append(again.log, "two");
  machine.commit(again.log);
  assert.deepEqual(machine.read(again.log.reader()), ["one", "two"]);
});

test("after a failed sync the log is broken, and can be opened again", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  machine.commit(log);
  machine.append(log, "two");
  machine.disk.failWhen = (call) => call.kind === "sync";
  assert.equal(
    machine.code((done) => log.commit(done)),
    "LOG_BROKEN",
  );
  machine.disk.failWhen = () => false;
  assert.equal(log.tryAppend(bytesOf("three")), null);
  assert.equal(
    machine.code((done) => log.commit(done)),
    "LOG_BROKEN",
  );
  assert.equal(
    machine.code((done) => log.cutTo(0, done)),
    "LOG_BROKEN",
  );
  assert.equal(
    machine.code((done) => log.dropBefore(0, done)),
    "LOG_BROKEN",
  );
  machine.result((done) => log.close(done));
  const again = machine.open();
  assert.deepEqual(machine.read(again.log.reader()), ["one"]);
});

test("a cut that cannot be synced leaves no more than was committed", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open({ chunkBytes: 30 });
  machine.append(log, "one");
  machine.commit(log);
  const { committed } = log;
  machine.append(log, "written, not committed", "cut away", "so that a chunk is full");
  machine.time.settle();
  machine.disk.failWhen = (call) => call.kind === "sync";
  assert.equal(
    machine.code((done) => log.cutTo(committed + 32, done)),
    "LOG_BROKEN",
  );
  machine.disk.failWhen = () => false;
  machine.result((done) => log.close(done));
  assert.equal(machine.open().log.end, committed);
});

test("after a failed write the log is broken too", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  machine.disk.failWhen = (call) => call.kind === "append";
  const { error } = machine.outcome((done) => log.commit(done));
  assert.equal(error?.code, "LOG_BROKEN");
  assert.deepEqual(error?.facts, { log: "a/log", file: "a/log.log", systemCode: "EIO" });
});

test("when the disk is full frames stay pending, and are there once when there is room", () => {
  const machine = new LogMachine(1);
  const { log } = machine.open();
  machine.append(log, "one");
  machine.commit(log);
  machine.disk.capacityBytes -= machine.disk.freeBytes - 20;
  machine.append(log, "two", "three", "four");
  assert.equal(
    machine.code((done) => log.commit(done)),
    "STORAGE_FULL",
  );
  assert.equal(
    machine.code((done) => log.commit(done)),
    "STORAGE_FULL",
  );
  assert.deepEqual(machine.read(log.reader()), ["one"]);
  machine.append(log, "five");
  machine.disk.capacityBytes += 1000;
  machine.commit(log);
  assert.deepEqual(machine.read(log.reader()), ["one", "two", "three", "four", "five"]);
});
