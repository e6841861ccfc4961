import assert from "node:assert/strict";
import { test } from "node:test";
import { UnlimitedLane } from "./lane/unlimited-lane.ts";
import { MemberLimits } from "./member-limits.ts";

class Rig {
  /** What the node was asked for, in order. */
  readonly told: string[] = [];
  left = 10;
  readonly limits = new MemberLimits(this.#tokens());

  #tokens(): ConstructorParameters<typeof MemberLimits>[0] {
    const left = (): number => this.left;
    return {
      get mayBegin() {
        return left() > 0;
      },
      mayGoOn: true,
      take: (count) => {
        const taken = Math.min(count, this.left);
        this.left -= taken;
        this.told.push(`take ${taken}`);
        return taken;
      },
      putBack: (count) => {
        this.left += count;
        this.told.push(`put back ${count}`);
      },
      use: ({ pages, bytes }) => this.told.push(`use ${pages} ${bytes}`),
      elapsedMs: 0,
      left: { pages: 0, bytes: null },
      reached: null,
    };
  }
}

test("M1: a page has a token when it begins; it is used, or put back when no page came of it", () => {
  const { limits, told } = new Rig();
  assert.deepEqual(limits.start({ pages: 3, bytes: 300 }), { pages: 3, bytes: 300 });
  assert.equal(limits.begin() && limits.begin(), true);
  limits.settle({ pages: 3, bytes: 300 }, 2);
  limits.settle({ pages: 4, bytes: 350 }, 1);
  limits.settle({ pages: 4, bytes: 350 }, 0);
  limits.settle({ pages: 4, bytes: 350 }, 0);
  assert.deepEqual(told, ["take 1", "take 1", "use 1 50", "put back 1"]);
});

test("bytes that count no more are not given back", () => {
  const { limits, told } = new Rig();
  limits.start({ pages: 0, bytes: 300 });
  limits.begin();
  limits.settle({ pages: 1, bytes: 200 }, 0);
  assert.deepEqual(told, ["take 1", "use 1 0"]);
});

test("a requisite that turned out to be a page takes a token late, and does without if there is none", () => {
  const rig = new Rig();
  const { limits, told } = rig;
  limits.start({ pages: 0, bytes: 0 });
  limits.settle({ pages: 1, bytes: 0 }, 0);
  rig.left = 0;
  limits.settle({ pages: 2, bytes: 0 }, 0);
  assert.deepEqual(told, ["take 1", "use 1 0", "take 0"]);
});

test("whether visits may begin is for the node to say, never for the lane", () => {
  const rig = new Rig();
  assert.equal(rig.limits.mayBegin, true);
  rig.left = 0;
  assert.deepEqual([rig.limits.mayBegin, rig.limits.begin()], [false, false]);
  const lane = new UnlimitedLane({ pages: 10, bytes: null, time: null });
  assert.deepEqual(
    [lane.pagesWanted(), lane.isSpent(), lane.reached()],
    [Number.POSITIVE_INFINITY, false, null],
  );
});
