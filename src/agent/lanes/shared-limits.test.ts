import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SharedLimits, SharedNumbers } from "./shared-limits.ts";

interface Rig {
  readonly numbers: SharedNumbers;
  readonly lanes: readonly {
    readonly counts: { pages: number; bytes: number };
    readonly limits: SharedLimits;
    open: number;
  }[];
  freed: number;
}

function rig(
  lanes: number,
  limits: { pages?: number; bytes?: number; time?: number },
  before = 0,
): Rig {
  const numbers = new SharedNumbers(SharedNumbers.memory(lanes), lanes);
  if (limits.pages !== undefined) numbers.addPlaces(limits.pages - before);
  const rig: Rig = {
    numbers,
    freed: 0,
    lanes: Array.from({ length: lanes }, (_, lane) => {
      const counts = { pages: 0, bytes: 0 };
      return {
        counts,
        open: 0,
        limits: new SharedLimits({
          limits: { pages: null, bytes: null, time: null, ...limits },
          ...{ counts, numbers, lane, before: { pages: before, bytes: 10 * before } },
          freed: () => {
            rig.freed += 1;
          },
        }),
      };
    }),
  };
  return rig;
}

test("whatever lanes do at once, the limit on pages is kept exactly", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.nat(100), { maxLength: 300 }),
      (count, pages, choices) => {
        const { lanes, numbers } = rig(count, { pages });
        const act = (choice: number): void => {
          const lane = lanes[choice % count];
          if (lane === undefined) return;
          const kind = Math.floor(choice / count) % 3;
          if (kind === 0 && lane.limits.pagesWanted(lane.open) > 0) lane.open += 1;
          else if (kind > 0 && lane.open > 0) {
            lane.open -= 1;
            lane.counts.pages += kind - 1;
          }
          lane.limits.settle(lane.open);
          const open = lanes.reduce((sum, one) => sum + one.open, 0);
          assert.ok(numbers.pages + open <= pages, "never more than the limit");
        };
        for (const choice of choices) act(choice);
        // Every fetch that is begun from now on becomes a page: exactly the limit is reached.
        for (let step = 0; step < 100; step += 1) {
          for (let lane = 0; lane < count; lane += 1) {
            act(2 * count + lane);
            act(lane);
          }
        }
        assert.equal(numbers.pages, pages);
        assert.equal(lanes[0]?.limits.reached(), "pages");
      },
    ),
  );
});

test("pages of earlier runs count", () => {
  const { lanes } = rig(2, { pages: 5 }, 4);
  assert.equal(lanes[0]?.limits.pagesWanted(0), 1);
  assert.equal(lanes[1]?.limits.pagesWanted(0), 0);
});

test("a lane that lacks places is known to the one that puts some back", () => {
  const limited = rig(2, { pages: 1 });
  const [one, other] = limited.lanes;
  assert.equal(one?.limits.pagesWanted(0), 1);
  assert.equal(other?.limits.pagesWanted(0), 0);
  assert.ok(limited.numbers.isLacking(1));
  assert.equal(limited.freed, 0);
  one?.limits.settle(0);
  assert.equal(limited.freed, 1);
  assert.equal(other?.limits.pagesWanted(0), 1);
  assert.ok(!limited.numbers.isLacking(1));
});

test("a lane says that it lacks a place before it looks for one", () => {
  const { numbers, lanes } = rig(1, { pages: 0 });
  const looks: boolean[] = [];
  const look = numbers.tryTakePlace.bind(numbers);
  numbers.tryTakePlace = () => {
    looks.push(numbers.isLacking(0));
    return look();
  };
  assert.equal(lanes[0]?.limits.pagesWanted(0), 0);
  assert.deepEqual(looks, [true], "a place that is put back right after the look is told");
});

test("what earlier runs had counts towards the end, and the time does", () => {
  const [one] = rig(1, { pages: 5, bytes: 100, time: 1000 }, 4).lanes;
  if (one === undefined) assert.fail("there is a lane");
  const tell = (pages: number, bytes: number): void => {
    Object.assign(one.counts, { pages, bytes });
    one.limits.settle(0);
  };
  assert.equal(one.limits.reached(), null);
  assert.ok(!one.limits.isSpent(() => 999));
  assert.ok(one.limits.isSpent(() => 1000));
  tell(1, 0);
  assert.equal(one.limits.reached(), "pages");
  assert.ok(!one.limits.isSpent(() => 0), "requisites may still be fetched");
  tell(1, 60);
  assert.equal(one.limits.reached(), "bytes");
  assert.ok(one.limits.isSpent(() => 0));
});

test("bytes of all lanes count together", () => {
  const { lanes } = rig(2, { bytes: 100 });
  const [one, other] = lanes;
  if (one === undefined || other === undefined) assert.fail("there are two lanes");
  one.counts.bytes = 60;
  one.limits.settle(0);
  assert.equal(other.limits.pagesWanted(0), Number.POSITIVE_INFINITY);
  other.counts.bytes = 40;
  other.limits.settle(0);
  assert.equal(one.limits.pagesWanted(0), 0);
  assert.equal(one.limits.reached(), "bytes");
});

test("serials are given once", () => {
  const { numbers } = rig(2, {});
  numbers.nextSerial = 7;
  assert.deepEqual([numbers.takeSerial(), numbers.takeSerial()], [7, 8]);
});
