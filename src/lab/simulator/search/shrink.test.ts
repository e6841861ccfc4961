import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Fault, Schedule } from "./fault.ts";
import { shrinkSchedule } from "./shrink.ts";

function fault(kind: string, atMs = 1000, durationMs = 500): Fault {
  return { kind, atMs, durationMs, nodes: ["n1"], parameters: {} };
}

function kinds(schedule: Schedule): string[] {
  return schedule.map(({ kind }) => kind);
}

test("exactly the faults that are needed remain", () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 30 });
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.boolean()), (numbers, coin) => {
      const needed = numbers.filter(() => coin.next().value).map(String);
      const schedule = numbers.map((number) => fault(String(number), number));
      const shrunk = shrinkSchedule(
        schedule,
        (candidate) => needed.every((kind) => kinds(candidate).includes(kind)),
        100_000,
      );
      assert.deepEqual(kinds(shrunk.schedule).toSorted(), needed.toSorted());
      assert.equal(shrunk.isMinimal, true);
    }),
  );
});

test("what remains still fails, and no fault of it can be spared, however it fails", () => {
  const instants = fc.array(fc.nat(30), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(instants, fc.nat(1000), (list, salt) => {
      // Any rule at all, as long as it is the same at every try and the whole schedule fails.
      const fails = (candidate: Schedule): boolean => {
        const sorted = candidate.map(({ atMs }) => atMs).toSorted((one, other) => one - other);
        const sum = sorted.reduce((total, atMs) => (total * 31 + atMs + salt) % 1009, 7);
        return candidate.length === list.length || sum % 3 === 0;
      };
      const schedule = list.map((atMs) => fault("crash", atMs, 0));
      const shrunk = shrinkSchedule(schedule, fails, 100_000).schedule;
      assert.ok(fails(shrunk));
      for (const index of shrunk.keys()) assert.ok(!fails(shrunk.toSpliced(index, 1)));
    }),
  );
});

test("times are made as early and as short as the failure allows", () => {
  const fails = (candidate: Schedule): boolean =>
    candidate.some(
      ({ kind, atMs, durationMs }) => kind === "crash" && atMs >= 340 && durationMs > 7,
    );
  const shrunk = shrinkSchedule([fault("crash", 9000, 4000), fault("cut")], fails, 1000);
  assert.deepEqual(shrunk.schedule, [fault("crash", 340, 8)]);
});

test("a fault that becomes superfluous when another is shortened goes too", () => {
  // Two crashes are needed unless the first is at time 0.
  const fails = (candidate: Schedule): boolean =>
    candidate.length === 2 || (candidate.length === 1 && candidate[0]?.atMs === 0);
  const shrunk = shrinkSchedule([fault("crash", 500), fault("crash", 900)], fails, 1000);
  assert.deepEqual(shrunk.schedule, [fault("crash", 0, 0)]);
});

test("the result is in the order of time", () => {
  const fails = (candidate: Schedule): boolean =>
    ["one", "two"].every((kind) => kinds(candidate).includes(kind)) &&
    candidate.every(({ kind, atMs }) => kind !== "one" || atMs >= 700);
  const shrunk = shrinkSchedule([fault("one", 800), fault("two", 900)], fails, 1000);
  assert.deepEqual(kinds(shrunk.schedule), ["two", "one"]);
});

test("when the tries run out the best so far is returned, marked as uncertain", () => {
  const schedule = Array.from({ length: 50 }, (_, index) => fault(`${index}`));
  let tries = 0;
  const shrunk = shrinkSchedule(
    schedule,
    (candidate) => {
      tries += 1;
      return kinds(candidate).includes("3") && kinds(candidate).includes("40");
    },
    5,
  );
  assert.equal(tries, 5);
  assert.equal(shrunk.isMinimal, false);
  assert.ok(kinds(shrunk.schedule).includes("3") && kinds(shrunk.schedule).includes("40"));
});

test("what fails without any fault shrinks to nothing at once", () => {
  const schedule = Array.from({ length: 50 }, (_, index) => fault(`${index}`));
  const shrunk = shrinkSchedule(schedule, () => true, 1000);
  assert.deepEqual(shrunk.schedule, []);
  assert.ok(shrunk.tries < 10);
});
