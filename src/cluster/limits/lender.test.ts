/** The lender alone; what it lends is tried in `cluster-limits.test.ts`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { Lender } from "./lender.ts";

test("M4: a treasurer that lacks something recalls it later, and not after it is closed", () => {
  for (const isClosed of [false, true]) {
    const clock = new SimulatedTime();
    const asked: string[] = [];
    const none = { pages: 0, bytes: 0 };
    const core = {
      ...{ clock, settings: { retryMs: 50, retryMsMax: 400 }, account: { debt: none } },
      ...{ view: { self: { id: "a", generation: 1 }, members: () => [memberOf("b")] } },
      ...{ time: { elapsedMs: 0 }, isClosed: () => isClosed },
      messenger: { ask: ({ id }: { id: string }) => asked.push(id) },
    };
    const lender = new Lender({
      ...{ core: core as never, transfers: {} as never },
      ...{ isTreasurer: () => true, lacks: () => true },
    });
    lender.update();
    if (isClosed) lender.close();
    assert.equal(clock.kernel.waiting, isClosed ? 0 : 1);
    clock.settle();
    assert.deepEqual(asked, isClosed ? [] : ["b"]);
  }
});

function memberOf(id: string): unknown {
  const place = { id, generation: 1 };
  return { place, incarnation: 1, state: "active", standing: "alive", isInRing: true };
}
