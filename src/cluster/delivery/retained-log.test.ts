import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../base/errors/index.ts";
import { Kernel, SimDisk } from "../../lab/simulator/index.ts";
import { entryOf, numbersOf } from "./delivery.fixture.ts";
import { packBlock, writeEntries } from "./entry-blocks.ts";
import { openRetainedLog, type RetainedLog } from "./retained-log.ts";

const FOLDER = "outbox/b.1";

class Bench {
  readonly kernel: Kernel = new Kernel({ seed: "retained" });
  readonly disk: SimDisk = new SimDisk(this.kernel.random.fork("disk"));
  readonly damage: number[] = [];
  log: RetainedLog;

  constructor() {
    this.log = this.open();
  }

  open(): RetainedLog {
    const { kernel, disk } = this;
    return this.wait((done) =>
      openRetainedLog(
        {
          ...{ storage: disk.mount(kernel.clock), random: kernel.random, folder: FOLDER },
          segmentBytesMax: 500,
          report: () => undefined,
          damaged: (bytes) => {
            this.damage.push(bytes);
            return new CrawlError("OUTBOX_DAMAGED", "damaged", { place: "b.1", bytes });
          },
        },
        (error, log) => done(error, log as RetainedLog),
      ),
    );
  }

  wait<Value>(begin: (done: (error: Error | null, value: Value) => void) => void): Value {
    let got: { readonly value: Value } | null = null;
    begin((error, value) => {
      assert.ifError(error);
      got = { value };
    });
    this.kernel.runUntil(() => got !== null, { stepsMax: 100_000, virtualMsMax: 1_000_000 });
    assert.ok(got !== null, "it is answered");
    return (got as { readonly value: Value }).value;
  }

  keep(...numbers: readonly number[]): void {
    this.log.keep(blockOf(...numbers));
  }

  commit(): void {
    this.wait((done) => this.log.commit((error) => done(error, null)));
  }

  read(): readonly number[] {
    const found: number[] = [];
    this.wait((done) =>
      this.log.each(
        (entries, next) => {
          found.push(...numbersOf(entries));
          this.kernel.schedule(1, next);
        },
        (error) => done(error, null),
      ),
    );
    return found;
  }

  names(): readonly string[] {
    return [...this.disk.fileNames()].filter((name) => name.startsWith(FOLDER));
  }
}

function blockOf(...numbers: readonly number[]): Uint8Array {
  return packBlock(numbers.length, writeEntries(numbers.map(entryOf)));
}

test("D3: what was committed is read in its order, in this life and in the next one", () => {
  const bench = new Bench();
  const all = Array.from({ length: 40 }, (_none, number) => number);
  for (const number of all) bench.keep(number);
  bench.commit();
  assert.deepEqual(bench.read(), all);
  bench.keep(99);
  bench.disk.crash();
  bench.log = bench.open();
  assert.deepEqual(bench.read().slice(0, 40), all);
});

test("what replaces it is there as a whole, and the earlier files are gone", () => {
  const bench = new Bench();
  bench.keep(1, 2, 3);
  bench.commit();
  bench.wait((done) =>
    bench.log.replace(
      (log, written) => {
        log.append(blockOf(2));
        written(null);
      },
      (error) => done(error, null),
    ),
  );
  assert.deepEqual(bench.read(), [2]);
  bench.keep(4);
  bench.commit();
  bench.log = bench.open();
  assert.deepEqual(bench.read(), [2, 4]);
  assert.ok(!bench.names().some((name) => name.includes("kept-0")));
});

test("D3: what was not put in its place as a whole changes nothing, and is removed", () => {
  const bench = new Bench();
  bench.keep(1, 2, 3);
  bench.commit();
  bench.log.replace(
    (log) => {
      log.append(blockOf(2));
      log.commit((error) => assert.ifError(error));
    },
    () => assert.fail("it is not written to its end"),
  );
  bench.kernel.pass(1000);
  assert.ok(bench.names().some((name) => name.includes("kept-1")));
  bench.disk.crash();
  bench.log = bench.open();
  assert.deepEqual(bench.read(), [1, 2, 3]);
  assert.ok(!bench.names().some((name) => name.includes("kept-1")));
});

test("a block that cannot be read is told of, and the others are read", () => {
  const bench = new Bench();
  bench.keep(1);
  bench.log.keep(Uint8Array.of(1, 2, 3));
  bench.keep(2);
  bench.commit();
  assert.deepEqual(bench.read(), [1, 2]);
  assert.deepEqual(bench.damage, [3]);
});

/** A log that was compacted once, so that the number that counts is in its file. */
function compacted(): Bench {
  const bench = new Bench();
  bench.keep(1, 2, 3);
  bench.commit();
  bench.wait((done) =>
    bench.log.replace(
      (log, written) => {
        log.append(blockOf(2));
        log.commit(written);
      },
      (error) => done(error, null),
    ),
  );
  return bench;
}

test("D3: whatever happens to the file that says which log counts, that log is not removed", () => {
  const { length = 0 } = compacted().disk.contentOf(`${FOLDER}/current`) ?? [];
  assert.ok(length > 0);
  for (let bit = 0; bit < 8 * length; bit += 1) {
    const bench = compacted();
    bench.disk.flipBit(`${FOLDER}/current`, bit);
    bench.log = bench.open();
    assert.deepEqual(bench.read(), [2], `bit ${bit}`);
  }
  for (const lengthBytes of [0, 1, length - 2]) {
    const bench = compacted();
    bench.disk.node(`${FOLDER}/current`)?.cut(lengthBytes);
    bench.log = bench.open();
    assert.deepEqual(bench.read(), [2], `${lengthBytes} bytes`);
  }
});

test("D3: if it cannot be known which of two logs counts, neither is removed", () => {
  const bench = compacted();
  bench.log.replace(
    (log) => {
      log.append(blockOf(2));
      log.commit((error) => assert.ifError(error));
    },
    () => assert.fail("it is not written to its end"),
  );
  bench.kernel.pass(1000);
  bench.disk.flipBit(`${FOLDER}/current`, 20);
  const names = bench.names();
  assert.throws(() => bench.open(), /damaged/);
  assert.deepEqual(bench.names(), names);
});
