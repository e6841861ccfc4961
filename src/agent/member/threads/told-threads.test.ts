import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import type { View } from "../../../cluster/membership/index.ts";
import type { RingCopy } from "../../../cluster/node/index.ts";
import { ToldThreads } from "./told-threads.ts";

class Rig {
  readonly time = new SimulatedTime();
  readonly rings: RingCopy[] = [];
  readonly leases: (readonly [forMs: number, hasTokens: boolean])[] = [];
  readonly inRing = new Set(["a", "b"]);
  mayFetch = true;
  hasTokens = true;
  readonly told: ToldThreads;

  constructor() {
    const mayFetch = (): boolean => this.mayFetch;
    this.told = new ToldThreads({
      clock: this.time,
      node: {
        view: { self: { id: "a", generation: 1 }, members: () => this.#members() } as never,
        get mayFetch() {
          return mayFetch();
        },
      },
      threads: {
        allow: (...lease) => void this.leases.push(lease),
        setRing: (ring) => void this.rings.push(ring),
      },
      cluster: { deadAfter: 1000, replicas: 10 },
      hasTokens: () => this.hasTokens,
    });
  }

  #members(): ReturnType<View["members"]> {
    const members = ["a", "b"].map((id) => {
      return { place: { id, generation: 1 }, capacity: 1, isInRing: this.inRing.has(id) };
    });
    return members as never;
  }
}

test("B5: lanes may begin visits for a fifth of the time until death, put forward while the node runs", () => {
  const { time, leases, told, ...rig } = new Rig();
  assert.deepEqual(leases, [[200, true]]);
  time.step();
  assert.deepEqual([time.nowMs(), leases.length], [50, 2]);
  told.close();
  assert.deepEqual(leases.at(-1), [0, false]);
  told.tell();
  assert.deepEqual(leases.length, 3, "nothing is told any more");
  assert.equal(rig.mayFetch, true);
});

test("lanes are told at once that nothing may begin, that there are no tokens, and of another ring", () => {
  const rig = new Rig();
  rig.mayFetch = false;
  rig.told.tell();
  rig.mayFetch = true;
  rig.hasTokens = false;
  rig.told.allow();
  assert.deepEqual(rig.leases.slice(1), [
    [0, true],
    [200, false],
  ]);
  assert.equal(rig.rings.length, 1, "it was the same all the time");
  rig.inRing.delete("b");
  rig.told.tell();
  const isIn = rig.rings.at(-1)?.members.map(({ id, isInRing }) => [id, isInRing]);
  assert.deepEqual(isIn, [
    ["a", true],
    ["b", false],
  ]);
});

test("nothing is told when it is closed but that no visit may begin, and nothing is waited for", () => {
  const rig = new Rig();
  rig.told.close();
  assert.deepEqual(rig.leases.at(-1), [0, false]);
  const { length } = rig.leases;
  rig.told.tell();
  assert.equal(rig.leases.length, length);
  assert.ok(!rig.time.step());
});
