import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { type RefusedLine, RefusedLog, readRefusedLog } from "./refused-log.ts";

const REFUSED = { reason: "scope", url: "http://b.test/", via: "http://a.test/", rule: null };

function opened({ time: clock, storage, random }: SimulatedMachine): RefusedLog {
  let log: RefusedLog | null = null;
  RefusedLog.open({ clock, storage, random }, (error, value) => {
    assert.equal(error, null);
    log = value ?? null;
  });
  while (log === null) (clock as SimulatedMachine["time"]).step();
  return log;
}

function linesOn(machine: SimulatedMachine): RefusedLine[] {
  const lines: RefusedLine[] = [];
  machine.result((done) => readRefusedLog(machine.storage, (line) => lines.push(line) > 0, done));
  return lines;
}

test("a line has reason, number, URL, page and rule, and nothing in it is a control character", () => {
  const machine = new SimulatedMachine("refused");
  const log = opened(machine);
  const rule = "robots.txt, line 3: Disallow: /100%\u001b[31m é";
  log.write({ ...REFUSED, url: "http://b.test/\u001b[2J\n", rule });
  log.write({ ...REFUSED, reason: "robots", via: null });
  machine.result((done) => log.close(done));
  const text = Buffer.from(machine.disk.contentOf("logs/refused.log") ?? []).toString("latin1");
  assert.match(text, /^[\t\n -~]*$/);
  assert.match(text, /^\S+ scope 1 http:\/\/b\.test\/%1B\[2J%0A http:\/\/a\.test\/ robots\.txt,/);
  const lines = linesOn(machine).map(({ atMs: _, ...line }) => line);
  assert.deepEqual(lines, [
    { ...REFUSED, url: "http://b.test/%1B[2J%0A", rule, number: 1 },
    { ...REFUSED, reason: "robots", via: null, number: 1 },
  ]);
});

test("of each reason the first thousand are written, then every hundredth", () => {
  const machine = new SimulatedMachine("sampled");
  const log = opened(machine);
  for (let index = 0; index < 1250; index += 1) {
    if (log.wants("scope")) log.write(REFUSED);
    else log.count("scope");
  }
  log.count("scope", 49);
  assert.ok(log.wants("scope"), "the next one is number 1300");
  assert.ok(log.wants("depth"));
  log.write({ ...REFUSED, reason: "depth" });
  machine.result((done) => log.close(done));
  const numbers = linesOn(machine).map(({ number }) => number);
  assert.deepEqual(
    numbers.slice(0, 1000),
    [...Array(1000).keys()].map((at) => at + 1),
  );
  assert.deepEqual(numbers.slice(1000), [1100, 1200, 1]);
});

test("lines can be read within a second, and a further run adds to them", () => {
  const machine = new SimulatedMachine("again");
  const first = opened(machine);
  first.write(REFUSED);
  machine.time.settle();
  assert.equal(linesOn(machine).length, 1);
  machine.result((done) => first.close(done));
  const second = opened(machine);
  second.write(REFUSED);
  machine.result((done) => second.close(done));
  assert.equal(linesOn(machine).length, 2);
});

test("reading ends when asked to, and finds nothing where there is no log", () => {
  const machine = new SimulatedMachine("none");
  assert.deepEqual(linesOn(machine), []);
  const log = opened(machine);
  log.write(REFUSED);
  log.write(REFUSED);
  machine.result((done) => log.close(done));
  let seen = 0;
  const take = (): boolean => {
    seen += 1;
    return false;
  };
  machine.result((done) => readRefusedLog(machine.storage, take, done));
  assert.equal(seen, 1);
});

test("a full disk holds nobody up", () => {
  const machine = new SimulatedMachine("full");
  const log = opened(machine);
  machine.disk.capacityBytes = 0;
  log.write(REFUSED);
  machine.time.settle();
  machine.result((done) => log.close(done));
});
