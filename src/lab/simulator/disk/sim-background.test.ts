import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MortalClock, SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { Task } from "../../../base/seams/index.ts";
import { SimBackground, SimDisk } from "../index.ts";

/** Replaces a file ten times, so that there is much time to die in. */
const countToTen: Task<string, number> = {
  module: import.meta.url,
  name: "countToTen",
  run(name, world, done) {
    const step = (count: number) => {
      if (count > 10) return done(null, 10);
      world.storage.replace(name, Uint8Array.of(count), (error) => {
        assert.equal(error, null);
        step(count + 1);
      });
    };
    step(1);
  },
};

test("when the thread dies its task fails and writes no more, and the next ones run", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (steps, seed) => {
      const { time, disk, background } = setUp(`death ${seed}`, new SimulatedTime());
      const ends: string[] = [];
      background.run(countToTen, "first", (...[error]) => ends.push(error?.code ?? "ended"));
      background.run(countToTen, "second", (...[error]) => ends.push(error?.code ?? "ended"));
      for (let left = steps; left > 0; left -= 1) time.step();
      background.die();
      time.settle();
      assert.equal(ends.length, 2);
      assert.equal(ends.filter((end) => end === "ended").length >= 1, true);
      const count = contentOf(disk, time, "first");
      if (ends[0] === "ended") assert.equal(count, 10);
    }),
    { numRuns: 200 },
  );
});

test("when the process dies nothing is answered and nothing more is written", () => {
  const time = new SimulatedTime();
  const clock = new MortalClock(time);
  const { disk, background } = setUp("process", time, clock);
  background.run(countToTen, "first", () => assert.fail("the dead do not answer"));
  for (let left = 6; left > 0; left -= 1) time.step();
  clock.die();
  disk.crash();
  time.settle();
  assert.ok(contentOf(disk, time, "first") < 10);
});

test("the same seed gives the same run", () => {
  const run = () => {
    const { time, background } = setUp("same", new SimulatedTime());
    const instants: number[] = [];
    for (const name of ["a", "b", "c"]) {
      background.run(countToTen, name, () => instants.push(time.nowMs()));
    }
    time.settle();
    return instants;
  };
  const instants = run();
  assert.equal(instants.length, 3);
  assert.deepEqual(run(), instants);
});

function setUp(seed: string, time: SimulatedTime, clock: SimulatedTime | MortalClock = time) {
  const random = new SeededRandom(seed);
  const disk = new SimDisk(random);
  return { time, disk, background: new SimBackground({ clock, random, disk }) };
}

/** The count that a file holds; 0 when there is none. */
function contentOf(disk: SimDisk, time: SimulatedTime, name: string): number {
  let count = 0;
  disk.mount(time).readWhole(name, (error, bytes) => {
    count = error === null ? (bytes[0] ?? 0) : 0;
  });
  time.settle();
  return count;
}
