import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MortalClock, SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import type { Schema } from "../../../base/database/index.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { Batch, Clock } from "../../../base/seams/index.ts";
import { SimDatabase, SimDatabaseDisk } from "../index.ts";

const SCHEMA: Schema = {
  pages: { key: "place", columns: { place: "integer", number: "integer" } },
};

test("whenever the process dies, answered commits are there, and each commit is whole or absent", () => {
  let applied = 0;
  let lost = 0;
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 60 }), (seed, steps) => {
      const time = new SimulatedTime();
      const clock = new MortalClock(time);
      const machine = new Machine(time, `crash ${seed}`);
      let answered = 0;
      const database = machine.open(clock);
      for (let number = 1; number <= 20; number += 1) {
        database.commit(numbered(number), () => {
          answered = number;
        });
      }
      for (let left = steps; left > 0; left -= 1) time.step();
      clock.die();
      time.settle();
      const last = machine.lastNumber();
      assert.ok(last === answered || last === answered + 1, "at most one was in flight");
      if (last > answered) applied += 1;
      else lost += 1;
    }),
    { numRuns: 300 },
  );
  assert.ok(applied > 10 && lost > 10, `both ends happen: ${applied} applied, ${lost} lost`);
});

test("the n-th operation fails as arranged, for every n, and the next ones do not", () => {
  for (let n = 1; n <= 10; n += 1) {
    const time = new SimulatedTime();
    const machine = new Machine(time, "n-th");
    const database = machine.open(time);
    machine.disk.failCall(n, "DATABASE_LOCKED");
    const codes = commitAll(database, time, 10).map((error) => error?.code);
    const expected = Array.from({ length: 10 }, (_, index) =>
      index + 1 === n ? "DATABASE_LOCKED" : undefined,
    );
    assert.deepEqual(codes, expected);
  }
});

test("a full database accepts nothing until there is room", () => {
  const time = new SimulatedTime();
  const machine = new Machine(time, "full");
  const database = machine.open(time);
  machine.disk.isFull = true;
  assert.equal(commitAll(database, time, 1)[0]?.code, "DATABASE_FULL");
  assert.equal(machine.lastNumber(), 0);
  machine.disk.isFull = false;
  assert.deepEqual(commitAll(database, time, 1), [null]);
  assert.equal(machine.lastNumber(), 1);
});

test("a slow database answers late", () => {
  const time = new SimulatedTime();
  const machine = new Machine(time, "slow");
  const database = machine.open(time);
  machine.disk.latencyMsMin = 500;
  machine.disk.latencyMsMax = 600;
  const startedAtMs = time.nowMs();
  commitAll(database, time, 10);
  const tookMs = time.nowMs() - startedAtMs;
  assert.ok(tookMs >= 5000 && tookMs <= 6000, `${tookMs} ms`);
});

test("after an error of the disk only opening again tells whether the commit is there", () => {
  const found = new Set<number>();
  for (let seed = 0; seed < 20; seed += 1) {
    const time = new SimulatedTime();
    const machine = new Machine(time, `doubt ${seed}`);
    const database = machine.open(time);
    machine.disk.failCall(1, "DATABASE_FAILED");
    assert.equal(commitAll(database, time, 1)[0]?.code, "DATABASE_FAILED");
    assert.deepEqual(machine.disk.marks(), {}, "the running process sees nothing of it");
    found.add(machine.lastNumber());
  }
  assert.deepEqual([...found].sort(), [0, 1]);
});

test("the same seed gives the same run", () => {
  const run = () => {
    const time = new SimulatedTime();
    const machine = new Machine(time, "same");
    const instants: number[] = [];
    const database = machine.open(time);
    for (let number = 1; number <= 10; number += 1) {
      database.commit(numbered(number), () => instants.push(time.nowMs()));
    }
    time.settle();
    return instants;
  };
  assert.deepEqual(run(), run());
});

/** A disk, and the processes that use it one after the other. */
class Machine {
  readonly disk = new SimDatabaseDisk();
  readonly #time: SimulatedTime;
  readonly #random: SeededRandom;

  constructor(time: SimulatedTime, seed: string) {
    this.#time = time;
    this.#random = new SeededRandom(seed);
  }

  open(clock: Clock): SimDatabase {
    let opened: SimDatabase | undefined;
    const options = { disk: this.disk, schema: SCHEMA, clock, random: this.#random };
    SimDatabase.open(options, (...[, database]) => {
      opened = database;
    });
    this.#time.settle();
    assert(opened !== undefined);
    return opened;
  }

  /** What a new process finds, after checking that the last batch is whole. */
  lastNumber(): number {
    this.open(this.#time);
    const number = Number(this.disk.marks()["number"] ?? 0);
    const rows = this.disk.rowsAfter("pages", null, 10).map((row) => row["number"]);
    assert.deepEqual(rows, number === 0 ? [] : [number, number, number]);
    return number;
  }
}

function commitAll(
  database: SimDatabase,
  time: SimulatedTime,
  count: number,
): (CrawlError | null)[] {
  const errors: (CrawlError | null)[] = [];
  for (let number = 1; number <= count; number += 1) {
    database.commit(numbered(number), (error) => errors.push(error));
  }
  time.settle();
  assert.equal(errors.length, count);
  return errors;
}

function numbered(number: number): Batch {
  return {
    put: [1, 2, 3].map((place) => ({ table: "pages", row: { place, number } })),
    marks: { number },
  };
}
