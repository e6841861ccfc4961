import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { DiskBody, MemoryBody, pageOf } from "../../../test/support/store/store-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { FetchedPage } from "../archive/index.ts";
import { AnswerJournal } from "./answer-journal.ts";
import {
  type FoundAnswers,
  findAnswers,
  type JournaledAnswer,
  settleAnswers,
} from "./found-answers.ts";

function journalIn(machine: SimulatedMachine, number = 0, count = 1): AnswerJournal {
  const { storage } = machine;
  return new AnswerJournal({ storage, random: new SeededRandom("a"), lane: { number, count } });
}

function keep(machine: SimulatedMachine, journal: AnswerJournal, ...pages: FetchedPage[]): void {
  for (const page of pages) machine.result((done) => journal.keep(page, done));
}

function found(machine: SimulatedMachine): FoundAnswers {
  return machine.result<FoundAnswers>((done) => findAnswers(machine.storage, done));
}

function has(machine: SimulatedMachine, ...pages: FetchedPage[]): boolean[] {
  const answers = found(machine);
  return pages.map(({ url, fetchedAtMs }) => answers.has(url, fetchedAtMs));
}

function files(machine: SimulatedMachine): readonly string[] {
  return machine.result<readonly string[]>((done) => machine.storage.list("spool", done));
}

function checkpoint(machine: SimulatedMachine, journal: AnswerJournal): void {
  journal.saved();
  journal.recorded();
  while (machine.time.step());
}

test("answers in memory and on disk are found as they were, large ones too", () => {
  const machine = new SimulatedMachine("answers");
  const journal = journalIn(machine);
  const large = Buffer.alloc(2_500_000, "large ");
  const pages = [
    pageOf(1),
    pageOf(2, { body: new MemoryBody(large) }),
    pageOf(3, { body: new DiskBody(large, machine.time) }),
    pageOf(4, { body: new MemoryBody(Buffer.alloc(0)) }),
  ];
  keep(machine, journal, ...pages);
  const answers = found(machine);
  for (const { url, fetchedAtMs, response, body } of pages) {
    const answer = machine.result<JournaledAnswer | null>((done) =>
      answers.answer(url, fetchedAtMs + 0.9, done),
    );
    assert.deepEqual(answer?.headers, response.headers);
    assert.equal(answer?.reason, response.reason);
    const whole = body.bytes ?? large;
    assert.equal(Buffer.compare(answer?.payload ?? Buffer.alloc(0), whole), 0, url);
  }
  assert.deepEqual(has(machine, pageOf(5)), [false]);
});

test("what was kept survives the process, and what was committed a power failure", () => {
  const machine = new SimulatedMachine("answers and power");
  const journal = journalIn(machine);
  keep(machine, journal, pageOf(1));
  machine.result((done) => journal.commit(done));
  machine.crash();
  assert.deepEqual(has(machine, pageOf(1)), [true]);
});

test("a commit makes durable too what a checkpoint that is not recorded would make needless", () => {
  const machine = new SimulatedMachine("answers, power and checkpoints");
  const journal = journalIn(machine);
  keep(machine, journal, pageOf(1));
  journal.saved();
  keep(machine, journal, pageOf(2));
  machine.result((done) => journal.commit(done));
  machine.crash();
  assert.deepEqual(has(machine, pageOf(1), pageOf(2)), [true, true]);
});

test("half an answer is none", () => {
  const machine = new SimulatedMachine("half answers");
  const body = new DiskBody(Buffer.alloc(600_000, "x"), machine.time);
  const journal = journalIn(machine);
  keep(machine, journal, pageOf(1));
  journal.keep(pageOf(2, { body }), () => undefined);
  while (!files(machine).some((name) => name.includes("-a"))) machine.time.step();
  assert.deepEqual(has(machine, pageOf(1), pageOf(2)), [true, false]);
});

test("a recorded checkpoint empties what was written before it, and nothing else", () => {
  const machine = new SimulatedMachine("answers and checkpoints");
  const journal = journalIn(machine);
  const all = [pageOf(1), pageOf(2), pageOf(3)] as const;
  keep(machine, journal, all[0]);
  journal.saved();
  keep(machine, journal, all[1]);
  assert.deepEqual(has(machine, ...all), [true, true, false]);
  journal.recorded();
  while (machine.time.step());
  assert.deepEqual(has(machine, ...all), [false, true, false]);
  checkpoint(machine, journal);
  keep(machine, journal, all[2]);
  assert.deepEqual(has(machine, ...all), [false, false, true]);
});

test("a checkpoint that is not recorded costs no answer", () => {
  const machine = new SimulatedMachine("answers in vain");
  const journal = journalIn(machine);
  keep(machine, journal, pageOf(1));
  journal.saved();
  keep(machine, journal, pageOf(2));
  journal.saved();
  keep(machine, journal, pageOf(3));
  assert.deepEqual(has(machine, pageOf(1), pageOf(2), pageOf(3)), [true, true, true]);
});

test("nothing is left when the crawl has ended, of lanes that are no more neither", () => {
  const machine = new SimulatedMachine("answers at the end");
  for (const lane of [1, 2]) {
    const former = journalIn(machine, lane, 3);
    keep(machine, former, pageOf(lane));
    machine.result((done) => former.close(done));
  }
  assert.deepEqual(has(machine, pageOf(1), pageOf(2)), [true, true]);
  const journal = journalIn(machine);
  keep(machine, journal, pageOf(3));
  assert.deepEqual(has(machine, pageOf(1), pageOf(2), pageOf(3)), [true, true, true]);
  checkpoint(machine, journal);
  assert.deepEqual(has(machine, pageOf(1), pageOf(2)), [false, false]);
  machine.result((done) => journal.close(done));
  assert.deepEqual(files(machine), []);
});

test("answers that come while old logs are removed are kept", () => {
  for (let steps = 0; steps < 12; steps += 1) {
    const machine = new SimulatedMachine("answers while removing");
    keep(machine, journalIn(machine), pageOf(1));
    machine.crash();
    const journal = journalIn(machine);
    journal.saved();
    journal.recorded();
    for (let step = 0; step < steps; step += 1) machine.time.step();
    keep(machine, journal, pageOf(2));
    while (machine.time.step());
    assert.deepEqual(has(machine, pageOf(1), pageOf(2)), [false, true], `${steps}`);
  }
});

test("a checkpoint that knows less than what is kept removes nothing", () => {
  const machine = new SimulatedMachine("answers before a replay");
  keep(machine, journalIn(machine), pageOf(1));
  machine.crash();
  const journal = journalIn(machine);
  journal.recorded();
  while (machine.time.step());
  assert.deepEqual(has(machine, pageOf(1)), [true]);
});

test("a crawl that ends without its last checkpoint keeps its answers", () => {
  const machine = new SimulatedMachine("answers without an end");
  const journal = journalIn(machine);
  keep(machine, journal, pageOf(1));
  machine.result((done) => journal.close(done));
  assert.deepEqual(has(machine, pageOf(1)), [true]);
});

test("a journal that cannot be opened is removed, and the other is made durable", () => {
  const machine = new SimulatedMachine("settled");
  const journal = journalIn(machine);
  keep(machine, journal, pageOf(1));
  journal.saved();
  keep(machine, journal, pageOf(2));
  const { storage } = machine;
  const name = "spool/answers/0-a.manifest";
  machine.result((done) => storage.replace(name, Buffer.from("x"), done));
  machine.kill();
  const random = new SeededRandom("settle");
  machine.result((done) => settleAnswers(machine.storage, random, done));
  machine.crash();
  assert.deepEqual(has(machine, pageOf(1), pageOf(2)), [false, true]);
  assert.ok(files(machine).every((file) => file.startsWith("spool/answers/0-b.")));
});
