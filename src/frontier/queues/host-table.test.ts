import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { type HostTable, type HostTableMarks, openHostTable } from "./index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

function open(machine: SimulatedMachine, marks: HostTableMarks | null): HostTable {
  const { storage, random } = machine;
  const options = { storage, random, folder: "frontier/hosts", marks, segmentBytesMax: 300 };
  return machine.result<HostTable>((done) => openHostTable(options, done));
}

function checkpoint(machine: SimulatedMachine, table: HostTable): HostTableMarks {
  return machine.result<HostTableMarks>((done) => table.checkpoint(done));
}

/** Everything that a table says about these names. */
function compare(table: HostTable, names: readonly string[]): void {
  assert.equal(table.count, names.length);
  for (const [number, name] of names.entries()) {
    assert.equal(table.numberOf(name), number);
    assert.equal(table.nameOf(number), name);
  }
}

const name = fc.oneof(
  fc.domain(),
  fc.nat(300).map((number) => `host-${number}.example`),
  fc.integer({ min: 1, max: 400 }).map((length) => "x".repeat(length)),
);
const step = fc.oneof(
  { weight: 20, arbitrary: fc.record({ do: fc.constant("number"), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("checkpoint"), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("crash", "kill", "reopen"), name }) },
);

test("hosts are numbered in the order in which they come, and keep their numbers", () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.nat(), steps, (seed, plan) => {
      const machine = new SimulatedMachine(seed);
      let recorded: { marks: HostTableMarks | null; names: string[] } = { marks: null, names: [] };
      let names: string[] = [];
      let table = open(machine, null);
      for (const each of plan) {
        if (each.do === "number") {
          const known = names.indexOf(each.name);
          assert.equal(table.numberOf(each.name), known === -1 ? names.length : known);
          if (known === -1) names.push(each.name);
        } else if (each.do === "checkpoint") {
          recorded = { marks: checkpoint(machine, table), names: [...names] };
        } else {
          if (each.do === "crash" || each.do === "kill") machine[each.do]();
          else machine.result((done) => table.close(done));
          names = [...recorded.names];
          table = open(machine, recorded.marks);
        }
      }
      compare(table, names);
    }),
    { numRuns: isFull ? 1000 : 60 },
  );
});

test("many hosts take little memory, and no name is lost when the table grows", () => {
  const machine = new SimulatedMachine("many");
  const table = open(machine, null);
  const nameAt = (number: number): string => `www.site-${String(number).padStart(6, "0")}.org`;
  const count = 60_000;
  for (let number = 0; number < count; number += 1) {
    assert.equal(table.numberOf(nameAt(number)), number);
  }
  for (let number = 0; number < count; number += 1) {
    assert.equal(table.numberOf(nameAt(number)), number);
  }
  assert.equal(table.count, count);
  assert.ok(table.memoryBytes / count < 60, `${table.memoryBytes / count} bytes per host`);
  const marks = checkpoint(machine, table);
  machine.crash();
  const again = open(machine, marks);
  assert.equal(again.count, count);
  assert.equal(again.nameOf(count - 1), nameAt(count - 1));
});

test("a flipped bit in the log of names is reported", () => {
  const closed = (): { machine: SimulatedMachine; marks: HostTableMarks } => {
    const machine = new SimulatedMachine("bits");
    const table = open(machine, null);
    for (let number = 0; number < 20; number += 1) table.numberOf(`host-${number}.example`);
    const marks = checkpoint(machine, table);
    machine.result((done) => table.close(done));
    return { machine, marks };
  };
  const log = "frontier/hosts/names.log";
  const bits = (closed().machine.disk.contentOf(log)?.length ?? 0) * 8;
  assert.ok(bits > 1000);
  for (let bit = 0; bit < bits; bit += isFull ? 1 : 61) {
    const { machine, marks } = closed();
    machine.disk.flipBit(log, bit);
    assert.throws(
      () => open(machine, marks),
      (error) => isCrawlError(error) && /^(QUEUES_DAMAGED|LOG_OUT_OF_RANGE)$/.test(error.code),
      `bit ${bit}`,
    );
  }
});
