import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalConnector } from "../connector/index.ts";
import { codec, itemType } from "../items/index.ts";
import type { ComponentWiring, ConnectorWiring, Wiring } from "../runtime/index.ts";
import { sink } from "../unit/index.ts";
import { planLanes, resized, threadsAt } from "./lane-plan.ts";

const Count = itemType("test/count", codec.count);
const definition = sink({ name: "any", input: Count, create: () => () => undefined });

function connector(capacity: number): ConnectorWiring {
  const open = (share: number) => new LocalConnector<unknown>(Count, { capacity: share });
  return { id: "c", open: () => open(capacity), across: { type: Count, capacity, open } };
}

/** A connector with producers and consumers on these threads. */
function wiring(capacity: number, producing: string[], consuming: string[]): Wiring {
  const at = (thread: string, ends: Partial<ComponentWiring>, id: string) => ({
    ...{ id, definition, ...ends },
    ...(thread === "" ? {} : { thread }),
  });
  return {
    providers: [],
    connectors: [connector(capacity)],
    components: [
      ...producing.map((thread) => at(thread, { outputs: { o: "c" } }, `into-${thread}`)),
      ...consuming.map((thread) => at(thread, { inputs: { i: "c" } }, `from-${thread}`)),
    ],
  };
}

const WAYS: readonly (readonly [string[], string[], home: string])[] = [
  [["a"], [""], ""],
  [["", "a", "b"], ["b"], "b"],
  [["a", "b"], ["b", "c"], "b"],
  [["", "a"], ["a", "b", ""], ""],
];

test("a plan for another capacity is the one that would have been made for it", () => {
  for (const [producing, consuming, home] of WAYS) {
    for (const capacity of [1, 2, 9, 1000]) {
      const plan = planLanes(wiring(40, producing, consuming)).get("c");
      assert.ok(plan !== undefined);
      assert.equal(plan.home, home);
      const wanted = planLanes(wiring(capacity, producing, consuming)).get("c");
      assert.deepEqual(resized(plan, capacity), wanted);
    }
  }
});

test("a share is at least one item, and shares that are larger add up to the capacity at most", () => {
  for (const [producing, consuming] of WAYS) {
    for (let capacity = 1; capacity < 30; capacity += 1) {
      const plan = planLanes(wiring(capacity, producing, consuming)).get("c");
      assert.ok(plan !== undefined);
      const lanes = [...plan.toHome, ...plan.fromHome].map((lane) => lane.capacity);
      const shares = plan.ownShare > 0 ? [...lanes, plan.ownShare] : lanes;
      assert.ok(shares.every((share) => share >= 1));
      const total = shares.reduce((sum, share) => sum + share, 0);
      assert.ok(total <= Math.max(capacity, 2 * shares.length));
      const toHome = plan.toHome.reduce((sum, lane) => sum + lane.capacity, plan.ownShare);
      assert.equal(plan.homeCapacity, toHome, "there is room at home for all that is sent there");
    }
  }
});

test("the threads of a plan are those of its components, the home first", () => {
  for (const [producing, consuming, home] of WAYS) {
    const plan = planLanes(wiring(10, producing, consuming)).get("c");
    assert.ok(plan !== undefined);
    const threads = threadsAt(plan);
    assert.equal(threads[0], home);
    assert.deepEqual(threads.toSorted(), [...new Set([...producing, ...consuming])].toSorted());
  }
});

test("a connector whose components are on one thread needs no lanes", () => {
  assert.equal(planLanes(wiring(10, ["a"], ["a"])).size, 0);
  assert.equal(planLanes(wiring(10, [""], [""])).size, 0);
});
