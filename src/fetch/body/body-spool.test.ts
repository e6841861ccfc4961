import assert from "node:assert/strict";
import { test } from "node:test";
import type { Body } from "../../base/seams/index.ts";
import { patterned, SpoolRig } from "./spool-rig.fixture.ts";

const KIB = 1024;
const MIB = 2 ** 20;

test("a small body is in memory as one piece and is given inside the call", () => {
  const rig = new SpoolRig();
  const bytes = patterned(25_000);
  const sink = rig.open(25_000);
  const buffer = bytes.slice();
  assert.equal(sink.write(buffer, 0, 10_000), true);
  buffer.fill(0, 0, 10_000);
  assert.equal(sink.write(buffer, 10_000, 25_000), true);
  let body: Body | undefined;
  sink.end((error, ended) => {
    assert.equal(error, null);
    body = ended;
  });
  assert.ok(body !== undefined);
  assert.deepEqual(Buffer.from(body.bytes ?? []), Buffer.from(bytes));
  assert.equal(body.bytes, body.bytes, "the view is made once");
  body.release();
  assert.equal(rig.spool.usedBytes, 0);
  assert.equal(rig.disk.calls, 1, "the disk was asked for leftovers and nothing else");
});

test("an empty body is a body", () => {
  const rig = new SpoolRig();
  const body = rig.body(new Uint8Array(0));
  assert.equal(body.lengthBytes, 0);
  assert.equal(body.bytes?.length, 0);
  assert.equal(rig.wait<Uint8Array>((done) => body.read(0, 10, done)).length, 0);
  body.release();
});

for (const announced of [null, 0, 10, 100_000, 5 * MIB, 2 ** 53]) {
  test(`a body of 60 kB is whole when ${announced} bytes were announced`, () => {
    const rig = new SpoolRig();
    const bytes = patterned(60_000);
    const body = rig.body(bytes, announced);
    assert.ok(Buffer.compare(rig.content(body), bytes) === 0);
    body.release();
    assert.equal(rig.spool.usedBytes, 0);
  });
}

test("an incredible announced length alone takes no memory", () => {
  const rig = new SpoolRig();
  const sinks = Array.from({ length: 100 }, () => rig.open(10 * MIB));
  assert.equal(rig.spool.usedBytes, 0);
  for (const sink of sinks) sink.abandon();
});

test("a large body goes to a file, is read from there, and the file goes with it", () => {
  const rig = new SpoolRig();
  const bytes = patterned(2 * MIB);
  const body = rig.body(bytes);
  assert.equal(body.bytes, null);
  assert.equal(body.lengthBytes, bytes.length);
  assert.equal(rig.spool.usedBytes, 0, "a body on disk needs no memory");
  assert.equal(rig.spool.bodiesSpilled, 1);
  assert.ok(Buffer.compare(rig.content(body), bytes) === 0);
  assert.equal(rig.disk.fileNames().length, 1);
  body.release();
  rig.time.settle();
  assert.deepEqual(rig.disk.fileNames(), []);
});

test("drops that come one by one are gathered before they go to disk", () => {
  const rig = new SpoolRig();
  const bytes = patterned(600_000);
  const sink = rig.open(5 * MIB);
  const before = rig.disk.calls;
  rig.write(sink, bytes, 1000);
  const body = rig.wait<Body>((done) => sink.end(done));
  assert.ok(rig.disk.calls - before < 60, `${rig.disk.calls - before} calls`);
  assert.ok(Buffer.compare(rig.content(body), bytes) === 0);
  body.release();
});

test("several readers read one body at once, in memory and on disk", () => {
  for (const length of [20_000, 1_500_000]) {
    const rig = new SpoolRig();
    const bytes = patterned(length);
    const body = rig.body(bytes);
    const got: Buffer[] = [];
    for (const [from, to] of [
      [0, 100],
      [length - 50, length + 50],
      [7, 19_000],
      [length, length + 1],
    ]) {
      assert.ok(from !== undefined && to !== undefined);
      body.read(from, to - from, (error, piece) => {
        assert.equal(error, null);
        assert.deepEqual(Buffer.from(piece ?? []), Buffer.from(bytes.subarray(from, to)));
        got.push(Buffer.from(piece ?? []));
      });
    }
    assert.equal(got.length, 0, "no read answers inside the call");
    rig.time.settle();
    assert.equal(got.length, 4);
    body.release();
  }
});

test("after its release a body is neither read nor released", () => {
  for (const length of [100, 1_500_000]) {
    const rig = new SpoolRig();
    const body = rig.body(patterned(length));
    body.release();
    assert.throws(() => body.bytes, /between its end and its release/);
    assert.throws(() => body.read(0, 1, () => undefined), /between its end and its release/);
    assert.throws(() => body.release(), /released once/);
  }
});

test("a body is not released under the eyes of a reader", () => {
  const rig = new SpoolRig();
  const body = rig.body(patterned(100));
  body.read(0, 10, () => undefined);
  assert.throws(() => body.release(), /no reader is left/);
});

test("a sink that is behind is not written to", () => {
  const rig = new SpoolRig();
  const sink = rig.open(5 * MIB);
  assert.equal(sink.write(patterned(20_000), 0, 20_000), false);
  assert.throws(() => sink.write(patterned(1), 0, 1), /behind/);
});

test("an abandoned body leaves nothing, whenever it is abandoned", () => {
  for (let events = 0; events < 8; events += 1) {
    for (const ends of [false, true]) {
      const rig = new SpoolRig();
      const sink = rig.open(5 * MIB);
      sink.write(patterned(20_000), 0, 20_000);
      if (ends) sink.end(() => assert.fail("an abandoned sink does not answer"));
      let isOver = false;
      for (let event = 0; event < events && !isOver; event += 1) isOver = ends || !rig.time.step();
      sink.abandon();
      rig.time.settle();
      assert.equal(rig.spool.usedBytes, 0);
      assert.deepEqual(rig.disk.fileNames(), []);
    }
  }
});

test("files left by a killed process are removed when the spool is opened", () => {
  const rig = new SpoolRig();
  rig.body(patterned(1_500_000));
  rig.open(5 * MIB).write(patterned(20_000), 0, 20_000);
  rig.time.settle();
  assert.equal(rig.disk.fileNames().length, 2);
  rig.reopen();
  assert.deepEqual(rig.disk.fileNames(), []);
});

test("a folder that cannot be cleared is an error of the opening", () => {
  for (const kind of ["list", "remove"]) {
    const rig = new SpoolRig();
    rig.body(patterned(1_500_000));
    rig.disk.failWhen = (call) => call.kind === kind;
    assert.throws(() => rig.reopen(), { code: "STORAGE_FAILED" });
  }
});

for (const kind of ["open", "append"] as const) {
  test(`when the disk fails to ${kind}, the body ends with an error and nothing waits or stays`, () => {
    for (const failing of [1, 2, 5]) {
      const rig = new SpoolRig();
      let calls = 0;
      rig.disk.failWhen = (call) => {
        if (call.kind === kind) calls += 1;
        return call.kind === kind && (calls === failing || kind === "open");
      };
      const sink = rig.open(5 * MIB);
      rig.write(sink, patterned(300_000));
      const error = rig.failure((done) => sink.end(done));
      assert.equal(error.code, "FETCH_BODY_NOT_KEPT");
      assert.equal(error.facts["storageCode"], "STORAGE_FAILED");
      assert.equal(error.retry, "later");
      rig.disk.failWhen = () => false;
      rig.time.settle();
      assert.equal(rig.spool.usedBytes, 0);
      assert.deepEqual(rig.disk.fileNames(), []);
    }
  });
}

test("when the disk is full, bodies end with an error and pages in memory go on", () => {
  const rig = new SpoolRig();
  rig.disk.capacityBytes = 100_000;
  const sink = rig.open();
  rig.write(sink, patterned(2 * MIB));
  const page = rig.body(patterned(25_000));
  const error = rig.failure((done) => sink.end(done));
  assert.equal(error.code, "FETCH_BODY_NO_ROOM");
  assert.equal(error.facts["storageCode"], "STORAGE_FULL");
  assert.equal(page.bytes?.length, 25_000);
  page.release();
  rig.time.settle();
  assert.equal(rig.spool.usedBytes, 0);
  assert.deepEqual(rig.disk.fileNames(), []);
});

test("a failing read is an error of the read", () => {
  const rig = new SpoolRig();
  const body = rig.body(patterned(1_500_000));
  rig.disk.failWhen = (call) => call.kind === "read";
  assert.throws(() => rig.content(body), { code: "FETCH_BODY_NOT_KEPT" });
  rig.disk.failWhen = () => false;
  body.release();
});

test("when too many bodies are on their way to the disk, the next one ends with an error", () => {
  const rig = new SpoolRig();
  const sinks = Array.from({ length: 30 }, () => rig.open(5 * MIB));
  const behind = sinks.map((sink) => !sink.write(patterned(64 * KIB), 0, 64 * KIB));
  assert.ok(rig.spool.memoryBytes <= MIB);
  assert.ok(behind.filter(Boolean).length >= 12, "a quarter of the budget and what bodies leave");
  const refused = sinks[behind.indexOf(false)];
  assert.ok(refused !== undefined);
  assert.equal(refused.write(patterned(10), 0, 10), true, "it does not make anybody wait");
  const error = rig.failure((done) => refused.end(done));
  assert.equal(error.code, "FETCH_BODY_NO_ROOM");
});
