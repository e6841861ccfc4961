import assert from "node:assert/strict";
import { test } from "node:test";
import { SieveRig, workAWhile } from "../../../test/support/frontier/sieve-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const TRIALS = isFull ? 300 : 25;

/** Some sieves begin small and grow, some stay small. */
function smallKeysOf(trial: number): number {
  return [0, 0, 5, 30, 1000][trial % 5] as number;
}

for (const withDepth of [false, true]) {
  const kind = withDepth ? "with depths" : "without depths";

  test(`${kind}, power may fail at any time, life after life`, () => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const random = new SeededRandom(`lives ${trial}`);
      const batchOffers = 1 + random.below(9);
      const smallKeysMax = smallKeysOf(trial);
      const rig = new SieveRig(`lives ${trial}`, { withDepth, batchOffers, smallKeysMax });
      for (let life = 0; life < 5; life++) {
        rig.open();
        workAWhile(rig, random, random.below(120));
        assert.deepEqual(rig.front.failures, [], `trial ${trial}`);
        if (random.below(4) === 0) rig.kill();
        else rig.crash();
      }
      rig.open();
      rig.finish();
    }
  });

  test(`${kind}, power may fail after every single event`, () => {
    for (let trial = 0; trial < (isFull ? 30 : 5); trial++) {
      const events = crashAfter(trial, withDepth, Number.POSITIVE_INFINITY);
      for (let event = 1; event < events; event++) crashAfter(trial, withDepth, event);
    }
  });
}

/** The same life every time, ended after this many events; returns how many there are. */
function crashAfter(trial: number, withDepth: boolean, lastEvent: number): number {
  const random = new SeededRandom(`event ${trial}`);
  const smallKeysMax = smallKeysOf(trial);
  const rig = new SieveRig(`event ${trial}`, { withDepth, batchOffers: 3, smallKeysMax });
  rig.open();
  const { kernel } = rig.machine.time;
  let events = 0;
  const step = kernel.step.bind(kernel);
  // Time stands still after the last event: whatever is asked afterwards never answers.
  kernel.step = () => events < lastEvent && step() && ++events > 0;
  workAWhile(rig, random, 50);
  kernel.step = step;
  rig.crash();
  rig.openPartly(random.below(40));
  rig.open();
  rig.finish();
  rig.close();
  return events;
}

test("a disk that fails at any call does no harm that opening again does not mend", () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = new SeededRandom(`fail ${trial}`);
    const shape = { withDepth: true, batchOffers: 4, smallKeysMax: smallKeysOf(trial) };
    const rig = new SieveRig(`fail ${trial}`, shape);
    rig.open();
    rig.machine.disk.failWhen = () => random.below(60) === 0;
    workAWhile(rig, random, 100);
    rig.machine.disk.failWhen = () => false;
    rig.crash();
    rig.open();
    rig.finish();
  }
});

test("a thread that dies with a batch loses nothing", () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = new SeededRandom(`thread ${trial}`);
    const shape = { withDepth: true, batchOffers: 4, smallKeysMax: smallKeysOf(trial) };
    const rig = new SieveRig(`thread ${trial}`, shape);
    rig.open();
    for (let round = 0; round < 20; round++) {
      workAWhile(rig, random, 10);
      rig.background?.die();
    }
    rig.finish();
    assert.ok(rig.front.failures.every(({ code }) => code === "BACKGROUND_TASK_FAILED"));
  }
});
