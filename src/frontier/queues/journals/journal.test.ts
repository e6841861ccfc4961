import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LogMachine } from "../../../../test/support/base/log/log-machine.ts";
import { isCrawlError } from "../../../base/errors/index.ts";
import type { Log } from "../../../base/log/index.ts";
import { Journal } from "./journal.ts";
import { openJournal } from "./open-journal.ts";

/** A log that takes little before it wants a commit. */
const SMALL = { pendingBytesMax: 40_000, chunkBytes: 4000, segmentBytesMax: 50_000 };

function write(journal: Journal, entry: Uint8Array): void {
  const at = journal.reserve(entry.length);
  journal.bytes.set(entry, at);
}

/** The bytes of all entries in the log up to a position. */
function readAll(machine: LogMachine, log: Log, to: number): Buffer {
  const parts: Uint8Array[] = [];
  const reader = log.reader();
  while (reader.position < to) {
    const batch = machine.result<Parameters<Parameters<typeof reader.read>[0]>[1]>((done) =>
      reader.read(done),
    );
    assert(batch !== undefined);
    for (let index = 0; index < batch.count; index += 1) {
      if (batch.endOf(index) <= to) parts.push(batch.payloadOf(index));
    }
  }
  return Buffer.concat(parts);
}

const entry = fc
  .tuple(fc.integer({ min: 1, max: 30_000 }), fc.nat(255))
  .map(([bytes, value]) => new Uint8Array(bytes).fill(value));
const step = fc.oneof(
  { weight: 10, arbitrary: entry },
  { weight: 2, arbitrary: fc.constantFrom("settle" as const, "seal" as const) },
  { weight: 2, arbitrary: fc.nat(6) },
);

test("a journal takes every entry, and settles with the position behind it", () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(step, { minLength: 1, maxLength: 60 }), (seed, plan) => {
      const machine = new LogMachine(seed);
      const { log } = machine.open(SMALL);
      const journal = new Journal(log);
      const written: Uint8Array[] = [];
      const settled: { position: number; bytes: Buffer }[] = [];
      for (const each of plan) {
        if (each === "seal") journal.seal();
        else if (each === "settle") {
          const bytes = Buffer.concat(written);
          journal.settle((error, position) => {
            assert.equal(error, null);
            settled.push({ position: position ?? 0, bytes });
          });
        } else if (typeof each === "number") {
          for (let events = 0; events < each; events += 1) machine.time.step();
        } else {
          write(journal, each);
          written.push(each);
        }
      }
      machine.result((done) => journal.settle(done));
      assert.ok(!journal.isBehind);
      assert.deepEqual(readAll(machine, log, log.end), Buffer.concat(written));
      for (const { position, bytes } of settled) {
        assert.deepEqual(readAll(machine, log, position), bytes);
      }
    }),
    { numRuns: 40 },
  );
});

test("while the disk is full entries wait, and settling fails", () => {
  const machine = new LogMachine("full");
  const { log } = machine.open(SMALL);
  const journal = new Journal(log);
  machine.disk.capacityBytes = 20_000;
  const written = Array.from({ length: 8 }, (_, index) => new Uint8Array(15_000).fill(index));
  for (const each of written) write(journal, each);
  assert.ok(journal.isBehind, "the log takes no more");
  for (let tries = 0; tries < 3; tries += 1) {
    assert.equal(
      machine.code((done) => journal.settle(done)),
      "STORAGE_FULL",
    );
  }
  machine.disk.capacityBytes = 2 ** 40;
  const position = machine.result<number>((done) => journal.settle(done));
  assert.ok(!journal.isBehind);
  assert.equal(position, log.end);
  assert.deepEqual(readAll(machine, log, position), Buffer.concat(written));
});

test("a journal whose log is broken answers with its error, and goes on refusing", () => {
  const machine = new LogMachine("broken");
  const { log } = machine.open(SMALL);
  const journal = new Journal(log);
  machine.disk.failWhen = (call) => call.kind === "append";
  for (let index = 0; index < 9; index += 1) write(journal, new Uint8Array(30_000));
  for (let tries = 0; tries < 2; tries += 1) {
    const { error } = machine.outcome<number>((done) => journal.settle(done));
    assert.ok(isCrawlError(error) && error.code === "LOG_BROKEN");
  }
  machine.result((done) => journal.close(done));
});

test("a journal that no checkpoint knows is emptied, also where its beginning was dropped", () => {
  const machine = new LogMachine("emptied");
  const { log } = machine.open(SMALL);
  const journal = new Journal(log);
  for (let index = 0; index < 9; index += 1) write(journal, new Uint8Array(30_000));
  const end = machine.result<number>((done) => journal.settle(done));
  machine.result((done) => journal.dropBefore(end, done));
  assert.ok(log.begin > 0);
  machine.result((done) => journal.close(done));
  const { storage, random } = machine;
  const known = { storage, random, name: "a/log", end: null };
  const options = { ...known, segmentBytesMax: undefined, pendingBytesMax: 40_000 };
  const emptied = machine.result<Log>((done) => openJournal(options, done));
  assert.equal(emptied.end, emptied.begin);
  const anew = new Journal(emptied);
  write(anew, Uint8Array.of(1, 2, 3));
  const settled = machine.result<number>((done) => anew.settle(done));
  assert.deepEqual(readAll(machine, emptied, settled), Buffer.of(1, 2, 3));
});
