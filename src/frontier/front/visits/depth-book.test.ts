import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedMachine } from "../../../../test/support/lab/simulated-machine.ts";
import {
  type KeyTable,
  MemoryKeyTable,
  openRunTable,
  type RunTable,
  type TableMarks,
} from "../../../base/runs/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import { SimBackground } from "../../../lab/simulator/index.ts";
import type { Ticket } from "../../ticket/index.ts";
import { DEPTH_ENTRY_BYTES, DepthBook } from "./depth-book.ts";

function bookIn(table: KeyTable): DepthBook {
  return new DepthBook({
    table,
    compared: { depth: true, hostDepth: false },
    woken: () => undefined,
    failed: (error) => assert.fail(error),
  });
}

function tableOn(machine: SimulatedMachine, memoryBytes: number, marks?: TableMarks): RunTable {
  const { storage, time, random, disk } = machine;
  const background = new SimBackground({ clock: time, random, disk });
  const report = (error: Error): void => assert.fail(error);
  const shape = { folder: "depths", valueBytes: DEPTH_ENTRY_BYTES, memoryBytes };
  return machine.result<RunTable>((done) =>
    openRunTable({ storage, background, report, ...shape, ...(marks && { marks }) }, done),
  );
}

function ticketOf(number: number, depth: number): Ticket {
  const url = `http://a.example/${number}` as never;
  return { url, high: number, low: Math.imul(number, 0x9e3779b1) >>> 0, depth, ...REST };
}

const TICKET: Ticket = {
  url: "http://a.example/" as FetchableUrl,
  ...{ high: 1, low: 2, depth: 10, via: null, redirects: 0, priority: 0 },
};
const REST = { via: null, redirects: 0, priority: 0 };

test("whenever a depth improves, the page is expanded at its best depth or goes out with it", () => {
  const events = fc.array(fc.tuple(fc.constantFrom("better", "begun", "ended"), fc.nat(9)));
  fc.assert(
    fc.property(events, (moves) => {
      const book = bookIn(new MemoryKeyTable());
      let best = 10;
      let gone = 10;
      let stage = "waiting";
      for (const [kind, depth] of moves) {
        if (kind === "better" && depth < best) {
          best = depth;
          book.improved(1, 2, depth);
        } else if (kind === "begun" && stage === "waiting") {
          gone = book.bestOf(TICKET, true).depth;
          assert.equal(gone, best);
          stage = "begun";
        } else if (kind === "ended" && stage === "begun") {
          book.ended({ ...TICKET, depth: gone });
          stage = "ended";
        }
      }
      if (stage !== "ended") return;
      let told = gone;
      for (let due = book.takeDue(); due !== null; due = book.takeDue()) {
        const depth = due.depth ?? assert.fail("pages are compared");
        assert.ok(depth < told, "every expansion is an improvement");
        told = depth;
      }
      assert.equal(told, best);
    }),
  );
});

test("a page that was fetched before is expanded if its ticket or the book know a shorter way", () => {
  const cases: readonly (readonly [known: number | null, fetched: number, least: number])[] = [
    ...([
      [null, 10, 10],
      [null, 12, 10],
      [null, 0, 0],
      [4, 12, 4],
      [4, 10, 4],
      [4, 3, 3],
    ] as const),
  ];
  for (const [known, fetched, least] of cases) {
    const book = bookIn(new MemoryKeyTable());
    if (known !== null) book.improved(1, 2, known);
    book.endedBefore(TICKET, book.depthOf({ depth: fetched }));
    let told = fetched;
    for (let due = book.takeDue(); due !== null; due = book.takeDue()) {
      told = Math.min(told, due.depth ?? told);
    }
    assert.equal(told, least, JSON.stringify([known, fetched]));
    book.improved(1, 2, 1);
    assert.equal(book.takeDue()?.depth, 1, "it has ended");
  }
});

test("of two depths, a page that was fetched before has the best of both", () => {
  const compared = { depth: true, hostDepth: true };
  const failed = (error: Error): void => assert.fail(error);
  const book = new DepthBook({ table: new MemoryKeyTable(), compared, woken: () => {}, failed });
  const at = (depth: number, hostDepth: number) => ({ ...TICKET, depth, hostDepth });
  const dueDepths = (): unknown => {
    const { depth, hostDepth } = book.takeDue() ?? {};
    return [depth, hostDepth];
  };
  book.endedBefore(at(5, 3), book.depthOf({ depth: 2, hostDepth: 4 }));
  assert.deepEqual(dueDepths(), [2, 3]);
  book.improved(1, 3, book.depthOf({ depth: 3, hostDepth: 3 }));
  book.endedBefore({ ...at(5, 5), low: 3 }, book.depthOf({ depth: 2, hostDepth: 4 }));
  assert.deepEqual(dueDepths(), [2, 3]);
  assert.equal(book.takeDue(), null);
});

test("a book is as it was when it is opened from a checkpoint, whatever happened since", () => {
  const urls = 40;
  const kinds = fc.constantFrom("better", "better", "begun", "ended", "step", "restart");
  const events = fc.array(fc.tuple(kinds, fc.nat(urls - 1), fc.nat(9)), {
    minLength: 300,
    maxLength: 500,
  });
  fc.assert(
    fc.property(fc.nat(), events, (seed, moves) => {
      const machine = new SimulatedMachine(seed);
      let table = tableOn(machine, 0);
      let book = bookIn(table);
      const all = Array.from({ length: urls }, () => ({ best: 10, told: 10, stage: "waiting" }));
      const restart = (): void => {
        const saved = JSON.parse(JSON.stringify(book.save()));
        const marks = machine.result<TableMarks>((done) => {
          table.checkpoint(done);
          // Forgotten when the book is opened again.
          for (let other = 0; other < urls; other += 3) {
            const { high, low } = ticketOf(other, 10);
            if (other % 2 === 0) book.improved(high, low, 0);
            else book.ended(ticketOf(other, 10));
          }
        });
        table.keepOnly(marks);
        machine.time.settle();
        table = tableOn(machine, 0, marks);
        book = bookIn(table);
        book.restore(saved);
      };
      const begin = (number: number): void => {
        const url = all[number] as (typeof all)[number];
        url.told = book.bestOf(ticketOf(number, 10), true).depth;
        url.stage = "begun";
      };
      const end = (number: number): void => {
        const url = all[number] as (typeof all)[number];
        book.ended(ticketOf(number, url.told));
        url.stage = "ended";
      };
      for (const [kind, number, depth] of moves) {
        const url = all[number] as (typeof all)[number];
        const { high, low } = ticketOf(number, 10);
        if (kind === "step") machine.time.step();
        else if (kind === "restart" && depth === 0) restart();
        else if (kind === "better" && depth < url.best) {
          url.best = depth;
          book.improved(high, low, depth);
        } else if (kind === "begun" && url.stage === "waiting") begin(number);
        else if (kind === "ended" && url.stage === "begun") end(number);
      }
      for (const [number, { stage }] of all.entries()) {
        if (stage === "waiting") begin(number);
        if (stage !== "ended") end(number);
      }
      machine.time.settle();
      for (let due = book.takeDue(); due !== null; due = book.takeDue()) {
        const url = all[due.high] as (typeof all)[number];
        url.told = Math.min(url.told, due.depth ?? url.told);
      }
      for (const [number, { best, told }] of all.entries())
        assert.equal(told, best, `URL ${number}`);
      assert.ok(!book.isOpen);
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 500 : 30 },
  );
});

test("the same is true of many URLs whose depths are on disk", () => {
  const urls = 60;
  const kinds = fc.constantFrom("better", "better", "begun", "ended", "step", "settle");
  const events = fc.array(fc.tuple(kinds, fc.nat(urls - 1), fc.nat(9)), {
    minLength: 600,
    maxLength: 900,
  });
  fc.assert(
    fc.property(fc.nat(), events, (seed, moves) => {
      const machine = new SimulatedMachine(seed);
      const table = tableOn(machine, 0);
      const book = bookIn(table);
      const all = Array.from({ length: urls }, () => ({ best: 10, told: 10, stage: "waiting" }));
      const begin = (number: number): void => {
        const url = all[number] as (typeof all)[number];
        url.told = book.bestOf(ticketOf(number, 10), true).depth;
        url.stage = "begun";
      };
      const end = (number: number): void => {
        const url = all[number] as (typeof all)[number];
        book.ended(ticketOf(number, url.told));
        url.stage = "ended";
      };
      for (const [kind, number, depth] of moves) {
        const url = all[number] as (typeof all)[number];
        const { high, low } = ticketOf(number, 10);
        if (kind === "step") machine.time.step();
        else if (kind === "settle") machine.time.settle();
        else if (kind === "better" && depth < url.best) {
          url.best = depth;
          book.improved(high, low, depth);
        } else if (kind === "begun" && url.stage === "waiting") begin(number);
        else if (kind === "ended" && url.stage === "begun") end(number);
      }
      for (const [number, { stage }] of all.entries()) {
        if (stage === "waiting") begin(number);
        if (stage !== "ended") end(number);
      }
      machine.time.settle();
      assert.ok(book.isOpen || all.every(({ best, told }) => best === told));
      for (let due = book.takeDue(); due !== null; due = book.takeDue()) {
        const url = all[due.high] as (typeof all)[number];
        url.told = Math.min(url.told, due.depth ?? url.told);
      }
      assert.ok(table.runs > 0, "some of it is on disk");
      for (const [number, { best, told }] of all.entries())
        assert.equal(told, best, `URL ${number}`);
      assert.ok(!book.isOpen);
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 500 : 30 },
  );
});

test("what has ended takes bounded memory", () => {
  const machine = new SimulatedMachine("bounded");
  const memoryBytes = 32 * 1024;
  const table = tableOn(machine, memoryBytes);
  const book = bookIn(table);
  for (let number = 0; number < 20_000; number += 1) {
    book.ended(ticketOf(number, 3));
    if (number % 50 === 0) machine.time.settle();
    assert.ok(book.memoryBytes <= memoryBytes, `${book.memoryBytes} bytes after ${number}`);
  }
  machine.time.settle();
  const { high, low } = ticketOf(7, 2);
  book.improved(high, low, 2);
  assert.ok(book.isOpen);
  machine.time.settle();
  assert.deepEqual(book.takeDue(), {
    kind: "expand",
    high,
    low,
    depth: 2,
    hostDepth: null,
    requisite: 0,
  });
  assert.ok(!book.isOpen);
});

test("a URL that comes to wait again while the disk is asked about it goes out with its better depth", () => {
  const ended = 0xffff;
  const memory = new Map<number, number>();
  const answers: ((found: number) => void)[] = [];
  const table: KeyTable = {
    ...{ memoryBytes: 0, mayFind: () => true, retry: () => undefined },
    recall: (high) => memory.get(high) ?? -1,
    ...{ checkpoint: () => undefined, keepOnly: () => undefined, close: (done) => done(null) },
    set: (high, _low, value) => void memory.set(high, value),
    find: (_high, _low, done) => void answers.push((found) => done(null, found)),
  };
  const book = bookIn(table);
  book.improved(TICKET.high, TICKET.low, 3);
  book.revive(TICKET);
  for (const answer of answers) answer(ended);
  assert.equal(answers.length, 1);
  assert.equal(book.takeDue(), null, "there is no page that could be expanded");
  assert.equal(book.bestOf(TICKET, true).depth, 3);
});

test("answers of the disk after closing call nothing", () => {
  const answers: ((found: number) => void)[] = [];
  let woken = 0;
  const table: KeyTable = {
    ...{ memoryBytes: 0, recall: () => -1, mayFind: () => true, retry: () => undefined },
    checkpoint: () => undefined,
    keepOnly: () => undefined,
    set: () => assert.fail("a closed table takes nothing"),
    find: (_high, _low, done) => void answers.push((found) => done(null, found)),
    close: (done) => done(null),
  };
  const book = new DepthBook({
    ...{
      table,
      compared: { depth: true, hostDepth: false },
      failed: (error) => assert.fail(error),
    },
    woken: () => {
      woken += 1;
    },
  });
  book.improved(1, 2, 3);
  book.close((error) => assert.equal(error, null));
  for (const answer of answers) answer(-1);
  assert.deepEqual([answers.length, woken], [1, 0]);
});
