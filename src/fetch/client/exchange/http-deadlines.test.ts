import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { Deadlines, type Watched } from "./http-deadlines.ts";

class Probe implements Watched {
  dueAtMs = 0;
  sequence = 0;
  place = -1;
  readonly woken: number[] = [];
  wake(nowMs: number): void {
    this.woken.push(nowMs);
  }
}

test("each item is woken once, at the earliest moment it asked for, unless forgotten", () => {
  const ask = fc.record({
    item: fc.nat(4),
    atMs: fc.integer({ min: 1, max: 100 }),
    isForgotten: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(ask), (asks) => {
      const clock = new SimulatedTime();
      const deadlines = new Deadlines(clock);
      const probes = Array.from({ length: 5 }, () => new Probe());
      const expected = new Map<Probe, number>();
      const startMs = clock.nowMs();
      for (const { item, atMs, isForgotten } of asks) {
        const probe = probes[item] as Probe;
        if (isForgotten) {
          deadlines.forget(probe);
          expected.delete(probe);
        } else {
          deadlines.watch(probe, startMs + atMs);
          expected.set(probe, Math.min(atMs, expected.get(probe) ?? Number.POSITIVE_INFINITY));
        }
      }
      clock.settle();
      for (const probe of probes) {
        const atMs = expected.get(probe);
        assert.deepEqual(probe.woken, atMs === undefined ? [] : [startMs + atMs]);
      }
    }),
  );
});

test("one timer is enough for all, and none is left when nothing is watched", () => {
  const time = new SimulatedTime();
  let timers = 0;
  const clock: Clock = {
    nowMs: () => time.nowMs(),
    wallMs: () => time.wallMs(),
    after: (delayMs, callback) => {
      timers++;
      const timer = time.after(delayMs, callback);
      return {
        cancel: () => {
          timers--;
          timer.cancel();
        },
      };
    },
  };
  const deadlines = new Deadlines(clock);
  const probes = Array.from({ length: 100 }, () => new Probe());
  for (const [index, probe] of probes.entries()) deadlines.watch(probe, 1000 - index);
  assert.equal(timers, 1);
  for (const probe of probes) deadlines.forget(probe);
  assert.equal(timers, 0);
});

test("a process that was held up looks again before it says that time is up, but only once", () => {
  const alarms: { delayMs: number; ring: () => void }[] = [];
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    wallMs: () => nowMs,
    after: (delayMs, ring) => {
      alarms.push({ delayMs, ring });
      return { cancel: () => {} };
    },
  };
  const deadlines = new Deadlines(clock);
  const probe = new Probe();
  deadlines.watch(probe, 3000);
  nowMs = 3500;
  alarms[0]?.ring();
  assert.deepEqual([probe.woken, alarms[1]?.delayMs], [[], 500], "as long again as it was late");
  nowMs = 9000;
  alarms[1]?.ring();
  assert.deepEqual(probe.woken, [9000]);
  deadlines.watch(probe, 12_000);
  nowMs = 12_000;
  alarms[2]?.ring();
  assert.deepEqual(probe.woken, [9000, 12_000], "an alarm in time is heard at once");
});

test("what asks to be woken at once again waits for another alarm, behind the others", () => {
  const time = new SimulatedTime();
  let rings = 0;
  const clock: Clock = {
    nowMs: () => time.nowMs(),
    wallMs: () => time.wallMs(),
    after: (delayMs, callback) =>
      time.after(delayMs, () => {
        rings += 1;
        callback();
      }),
  };
  const deadlines = new Deadlines(clock);
  const woken: string[] = [];
  const dueAtMs = time.nowMs() + 5;
  const insistent = new Probe();
  insistent.wake = (nowMs) => {
    woken.push(`insistent ${rings}`);
    if (rings < 3) deadlines.watch(insistent, nowMs);
  };
  const patient = new Probe();
  patient.wake = () => void woken.push(`patient ${rings}`);
  deadlines.watch(insistent, dueAtMs);
  deadlines.watch(patient, dueAtMs);
  time.settle();
  assert.deepEqual(woken, ["insistent 1", "patient 1", "insistent 2", "insistent 3"]);
});
