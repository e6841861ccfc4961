import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { sha1 } from "../../formats/warc/index.ts";
import { type OpenedPayloads, openPayloadLog, type PayloadMarks } from "./payload-log.ts";

const FILE = "frontier/bodies/table.log";

function digestOf(number: number): Uint8Array {
  return sha1(Buffer.from(String(number)));
}

/** Long paths fill the table's chunks. */
function urlOf(number: number, pathLength: number): string {
  return `http://h${number % 7}.example/${number}/${"x".repeat(pathLength)}`;
}

function opened(machine: SimulatedMachine, marks: PayloadMarks | null): OpenedPayloads {
  const { storage } = machine;
  const options = { storage, random: new SeededRandom("payloads"), marks };
  return machine.result((done) => openPayloadLog(options, done));
}

/** Adds pages [from, to) and takes a checkpoint. */
function grown(
  machine: SimulatedMachine,
  { log, table }: OpenedPayloads,
  { from, to, pathLength = 30 }: { from: number; to: number; pathLength?: number },
): PayloadMarks {
  for (let number = from; number < to; number += 1) {
    table.add(digestOf(number), urlOf(number, pathLength), 1000 + number);
  }
  return machine.result((done) => log.checkpoint(done));
}

test("a table is read again as it was at a checkpoint, after any number of them", () => {
  const counts = fc.array(fc.nat(60), { maxLength: 5 });
  const lengths = fc.constantFrom(0, 30, 9000, 60_000);
  fc.assert(
    fc.property(counts, counts, lengths, (before, after, pathLength) => {
      const machine = new SimulatedMachine(1);
      let payloads = opened(machine, null);
      let marks: PayloadMarks | null = null;
      let to = 0;
      for (const stage of [before, after]) {
        for (const count of stage) {
          marks = grown(machine, payloads, { from: to, to: to + count, pathLength });
          to += count;
        }
        // What no checkpoint knows is gone.
        payloads.table.add(digestOf(-1), "http://late.example/", 1);
        machine.crash();
        if (marks === null) return;
        payloads = opened(machine, marks);
        assert.ok(payloads.isWhole);
      }
      const { table } = payloads;
      assert.equal(table.count, to);
      assert.equal(table.find(digestOf(-1)), null);
      for (let number = 0; number < to; number += 1) {
        const found = { url: urlOf(number, pathLength), dateMs: 1000 + number };
        assert.deepEqual(table.find(digestOf(number)), found);
      }
    }),
    { numRuns: 25 },
  );
});

test("what is not as a checkpoint knows it is not read at all, and written anew", () => {
  for (const damage of ["flip", "cut", "gone", "manifest"] as const) {
    const machine = new SimulatedMachine(2);
    const marks = grown(machine, opened(machine, null), { from: 0, to: 100 });
    machine.crash();
    const { disk } = machine;
    const manifest = "frontier/bodies/table.manifest";
    if (damage === "flip") disk.flipBit(FILE, 8 * 700);
    else if (damage === "manifest") {
      const { length = 0 } = disk.contentOf(manifest) ?? {};
      for (const at of [10, length - 20]) disk.flipBit(manifest, 8 * at);
    } else machine.code((done) => openAndCut(machine, damage === "gone" ? 0 : 900, done));
    const again = opened(machine, marks);
    assert.equal(again.isWhole, false, damage);
    assert.equal(again.table.count, 0, damage);
    const newer = grown(machine, again, { from: 0, to: 120 });
    machine.crash();
    const last = opened(machine, newer);
    assert.deepEqual([last.isWhole, last.table.count], [true, 120], damage);
  }
});

function openAndCut(
  { storage }: SimulatedMachine,
  lengthBytes: number,
  done: Parameters<Parameters<SimulatedMachine["code"]>[0]>[0],
): void {
  storage.open(FILE, (error, file) => {
    if (error !== null) return done(error, undefined);
    file.cut(lengthBytes, () => file.sync(() => file.close(() => done(null, undefined))));
  });
}
