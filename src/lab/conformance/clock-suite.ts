/**
 * What every `Clock` must do. Waiting is always for a callback, never for a time; nothing is
 * asserted about how late a timer may be, only that it is not early.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Clock } from "../../base/seams/index.ts";
import type { World } from "./world.ts";

export interface ClockSubject {
  readonly world: World;
  readonly clock: Clock;
}

type Opening = () => ClockSubject;

export function clockSuite(name: string, open: Opening): void {
  describe(`${name} is a clock`, () => {
    testTelling(open);
    testTimers(open);
    testCancelling(open);
  });
}

function testTelling(open: Opening): void {
  test("monotonic time never goes back", async () => {
    const { world, clock } = open();
    let lastMs = clock.nowMs();
    for (let turn = 0; turn < 20; turn += 1) {
      for (let read = 0; read < 100; read += 1) {
        const nowMs = clock.nowMs();
        assert.ok(nowMs >= lastMs, `${nowMs} came after ${lastMs}`);
        lastMs = nowMs;
      }
      await world.answer<void>((answered) => clock.after(1, answered));
    }
  });

  test("wall time is in milliseconds since 1970, and close to the present", () => {
    const { clock } = open();
    const year = new Date(clock.wallMs()).getUTCFullYear();
    assert.ok(year >= 2020 && year < 2200, `the year ${year}`);
  });
}

function testTimers(open: Opening): void {
  for (const delayMs of [0, 0.25, 1, 2.5, 20]) {
    test(`a timer of ${delayMs} ms is not called inside the call, nor too early`, async () => {
      const { world, clock } = open();
      for (let round = 0; round < 5; round += 1) {
        let hasReturned = false;
        const dueAtMs = clock.nowMs() + delayMs;
        await world.answer<void>((answered) => {
          clock.after(delayMs, () => {
            assert.ok(hasReturned, "called inside the call that set it");
            answered();
          });
          hasReturned = true;
        });
        assert.ok(clock.nowMs() >= dueAtMs, `${clock.nowMs()} is before ${dueAtMs}`);
      }
    });
  }

  test("timers of one delay are called in the order in which they were set", async () => {
    const { world, clock } = open();
    for (const delayMs of [0, 3]) {
      const called = await world.answer<number[]>((answered) => {
        const order: number[] = [];
        for (let number = 0; number < 200; number += 1) {
          clock.after(delayMs, () => {
            order.push(number);
            if (order.length === 200) answered(order);
          });
        }
      });
      assert.deepEqual(
        called,
        Array.from({ length: 200 }, (_, number) => number),
      );
    }
  });

  test("timers are called in the order in which they are due", async () => {
    const { world, clock } = open();
    const delays = [40, 5, 30, 10, 20, 0, 15];
    const called = await world.answer<number[]>((answered) => {
      const order: number[] = [];
      for (const delayMs of delays) {
        clock.after(delayMs, () => {
          order.push(delayMs);
          if (order.length === delays.length) answered(order);
        });
      }
    });
    assert.deepEqual(
      called,
      delays.toSorted((one, other) => one - other),
    );
  });

  test("a timer may set others, and is called once", async () => {
    const { world, clock } = open();
    let calls = 0;
    await world.answer<void>((answered) => {
      const next = (): void => {
        calls += 1;
        if (calls < 10) clock.after(calls % 3, next);
        else clock.after(5, answered);
      };
      clock.after(0, next);
    });
    assert.equal(calls, 10);
  });
}

function testCancelling(open: Opening): void {
  test("a cancelled timer is not called, and cancelling again is harmless", async () => {
    const { world, clock } = open();
    const called: string[] = [];
    const early = clock.after(2, () => called.push("cancelled at once"));
    early.cancel();
    early.cancel();
    const kept = clock.after(3, () => called.push("kept"));
    const late = clock.after(8, () => called.push("cancelled in time"));
    clock.after(4, () => late.cancel());
    await world.answer<void>((answered) => clock.after(15, answered));
    kept.cancel();
    assert.deepEqual(called, ["kept"]);
  });

  test("a timer may be cancelled by one that is due just before it", async () => {
    const { world, clock } = open();
    let wasCalled = false;
    await world.answer<void>((answered) => {
      clock.after(3, () => second.cancel());
      const second = clock.after(3, () => {
        wasCalled = true;
      });
      clock.after(10, answered);
    });
    assert.equal(wasCalled, false);
  });

  test("a delay of a month is not taken for a short one", async () => {
    const { world, clock } = open();
    let wasCalled = false;
    const month = clock.after(31 * 86_400_000, () => {
      wasCalled = true;
    });
    await world.answer<void>((answered) => clock.after(10, answered));
    month.cancel();
    assert.equal(wasCalled, false);
  });
}
