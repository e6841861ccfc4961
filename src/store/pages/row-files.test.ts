import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import type { RowMark } from "../export/index.ts";
import { openRowFiles, type RowFiles } from "./row-files.ts";

function opened(machine: SimulatedMachine, known: { mark?: RowMark } = {}): RowFiles {
  const naming = { name: "news", agent: "one", ending: ".jsonl" };
  const options = {
    storage: machine.storage,
    clock: machine.time,
    ...naming,
    bytesMax: 10,
    ...known,
  };
  return machine.result<RowFiles>((done) => openRowFiles(options, done));
}

/** How many bytes were taken. */
function written(machine: SimulatedMachine, files: RowFiles, text: string): number {
  return machine.result<number>((done) => files.write(Buffer.from(text), done));
}

function namesIn(machine: SimulatedMachine): string[] {
  const names = machine.result<readonly string[]>((done) => machine.storage.list("pages", done));
  return names.map((name) => name.replace(/\d{17}/, "TIME"));
}

function textOf(machine: SimulatedMachine, serial: string): string {
  const names = machine.result<readonly string[]>((done) => machine.storage.list("pages", done));
  const name = names.find((one) => one.includes(`-${serial}-`)) ?? "";
  const bytes = machine.result<Uint8Array>((done) => machine.storage.readWhole(name, done));
  return Buffer.from(bytes).toString();
}

test("a file that is full gets its name, and the next batch goes to another", () => {
  const machine = new SimulatedMachine("row files");
  const files = opened(machine);
  assert.equal(written(machine, files, "one two\n"), 8);
  assert.equal(written(machine, files, "three\n"), 6);
  assert.deepEqual(namesIn(machine), ["pages/news-TIME-00000-one.jsonl.open"]);
  written(machine, files, "four\n");
  assert.deepEqual(namesIn(machine), [
    "pages/news-TIME-00000-one.jsonl",
    "pages/news-TIME-00001-one.jsonl.open",
  ]);
  machine.result((done) => files.close(done));
  assert.deepEqual(namesIn(machine)[1], "pages/news-TIME-00001-one.jsonl");
  assert.equal(textOf(machine, "00000"), "one two\nthree\n");
  assert.equal(textOf(machine, "00001"), "four\n");
});

test("a serial is not used twice", () => {
  const machine = new SimulatedMachine("row serials");
  const first = opened(machine);
  written(machine, first, "one\n");
  machine.result((done) => first.close(done));
  const second = opened(machine);
  written(machine, second, "two\n");
  machine.result((done) => second.close(done));
  assert.deepEqual(namesIn(machine), [
    "pages/news-TIME-00000-one.jsonl",
    "pages/news-TIME-00001-one.jsonl",
  ]);
});

test("what was synced survives a power failure", () => {
  const machine = new SimulatedMachine("row power");
  const files = opened(machine);
  written(machine, files, "kept\n");
  machine.result((done) => files.sync(done));
  machine.crash();
  assert.equal(textOf(machine, "00000"), "kept\n");
});

test("lengths to cut to count all files", () => {
  const machine = new SimulatedMachine("row cut");
  const files = opened(machine);
  for (const text of ["0123456789\n", "whole\n", "half"]) written(machine, files, text);
  machine.result((done) => files.cutTo(17, () => done(null)));
  machine.result((done) => files.close(done));
  assert.equal(textOf(machine, "00001"), "whole\n");
});

test("a full disk takes nothing, and what was refused can be written again", () => {
  const machine = new SimulatedMachine("row full");
  const files = opened(machine);
  written(machine, files, "one\n");
  machine.disk.capacityBytes = 4;
  const bytes = Buffer.from("two\n");
  const { error, value } = machine.outcome<number>((done) => files.write(bytes, done));
  assert.deepEqual([error?.code, value], ["PAGES_FULL", 0]);
  machine.disk.capacityBytes = 2 ** 20;
  assert.equal(written(machine, files, "two\n"), 4);
  machine.result((done) => files.close(done));
  assert.equal(textOf(machine, "00000"), "one\ntwo\n");
});

test("after a kill files are as they were at the mark, and have their names", () => {
  const machine = new SimulatedMachine("row marks");
  const files = opened(machine);
  for (const text of ["0123456789\n", "known\n"]) written(machine, files, text);
  const mark = machine.result<RowMark>((done) => files.mark(done));
  for (const text of ["not\n", "either\n", "a whole file\n"]) written(machine, files, text);
  machine.result((done) => machine.storage.replace("pages/mine.jsonl", Buffer.from("x"), done));
  machine.crash();
  const again = opened(machine, { mark });
  assert.deepEqual(namesIn(machine), [
    "pages/mine.jsonl",
    "pages/news-TIME-00000-one.jsonl",
    "pages/news-TIME-00001-one.jsonl",
  ]);
  assert.equal(textOf(machine, "00001"), "known\n");
  written(machine, again, "again\n");
  machine.result((done) => again.close(done));
  assert.equal(textOf(machine, "00002"), "again\n");
});

test("after a kill a file that is shorter than its mark, or gone, is not gone on with", () => {
  for (const damage of ["shorter", "gone"]) {
    const machine = new SimulatedMachine(`row damage ${damage}`);
    const files = opened(machine);
    written(machine, files, "known\n");
    const mark = machine.result<RowMark>((done) => files.mark(done));
    machine.crash();
    const [name = ""] = machine.result<readonly string[]>((done) =>
      machine.storage.list("pages", done),
    );
    if (damage === "gone") machine.result((done) => machine.storage.remove(name, done));
    else machine.result((done) => machine.storage.replace(name, Buffer.from("kno"), done));
    const { error } = machine.outcome<RowFiles>((done) =>
      openRowFiles(
        {
          ...{ storage: machine.storage, clock: machine.time, name: "news", agent: "one" },
          ...{ ending: ".jsonl", bytesMax: 10, mark },
        },
        done,
      ),
    );
    assert.equal(error?.code, "PAGES_DAMAGED", damage);
  }
});

test("a file that was left open though the crawl had ended gets its name", () => {
  const machine = new SimulatedMachine("row names");
  const files = opened(machine);
  written(machine, files, "0123\n");
  machine.result((done) => files.sync(done));
  machine.crash();
  opened(machine);
  assert.deepEqual(namesIn(machine), ["pages/news-TIME-00000-one.jsonl"]);
  assert.equal(textOf(machine, "00000"), "0123\n");
});
