import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../../test/support/lab/simulated-machine.ts";
import { CrawlError } from "../../../base/errors/index.ts";
import { FaultLog } from "./fault-log.ts";

const NAME = "logs/faults.log";

function faultOf(message: string): CrawlError {
  return new CrawlError("INTERNAL_PARSE", message, {}, new Error("planted"));
}

function linesOn({ disk }: SimulatedMachine): string[] {
  const text = Buffer.from(disk.contentOf(NAME) ?? []).toString();
  return text === "" ? [] : text.trimEnd().split("\n");
}

test("what was written before closing is in the file when that is answered", () => {
  const machine = new SimulatedMachine("faults");
  const log = new FaultLog(machine.storage);
  for (const url of ["http://a.test/", "http://b.test/"]) log.write(faultOf("why"), url, 0);
  machine.result((done) => log.close(done));
  const [first = "", second = "", ...more] = linesOn(machine);
  assert.deepEqual(more, []);
  const { stack, ...fault } = JSON.parse(first);
  assert.deepEqual(fault, {
    ...{ at: "1970-01-01T00:00:00.000Z", code: "INTERNAL_PARSE" },
    ...{ url: "http://a.test/", message: "why" },
  });
  assert.match(stack, /planted/);
  assert.equal(JSON.parse(second).url, "http://b.test/");
});

test("a log that had nothing to write leaves no file", () => {
  const machine = new SimulatedMachine("no faults");
  let isClosed = false;
  new FaultLog(machine.storage).close((error) => {
    isClosed = error === null;
  });
  machine.time.settle();
  assert.deepEqual([isClosed, machine.disk.fileNames()], [true, []]);
});

test("a fault that comes a million times fills neither the disk nor a line", () => {
  const machine = new SimulatedMachine("many faults");
  const log = new FaultLog(machine.storage);
  const long = "x".repeat(100_000);
  for (let fault = 0; fault < 3000; fault += 1) {
    log.write(faultOf(long), `http://a.test/${long}`, 0);
    if (fault % 500 === 0) machine.time.settle();
  }
  machine.result((done) => log.close(done));
  const lines = linesOn(machine);
  assert.equal(lines.length, 1000);
  assert.ok(lines.every(({ length }) => length < 11_000));
});

test("a file that earlier runs have filled takes no more", () => {
  const machine = new SimulatedMachine("full of faults");
  const run = (): void => {
    const log = new FaultLog(machine.storage);
    for (let fault = 0; fault < 1000; fault += 1) log.write(faultOf("y".repeat(2000)), "u", 0);
    machine.result((done) => log.close(done));
  };
  for (let runs = 0; runs < 12; runs += 1) run();
  const bytes = machine.disk.contentOf(NAME)?.length ?? 0;
  assert.ok(bytes >= 8 * 2 ** 20 && bytes < 10 * 2 ** 20, `${bytes} bytes`);
});

test("when the disk refuses a line, the crawl is not affected", () => {
  const machine = new SimulatedMachine("broken");
  machine.disk.capacityBytes = 0;
  const log = new FaultLog(machine.storage);
  log.write(faultOf("why"), "http://a.test/", 0);
  machine.time.settle();
  log.write(faultOf("why"), "http://b.test/", 0);
  machine.result((done) => log.close(done));
  assert.deepEqual(linesOn(machine), []);
});
