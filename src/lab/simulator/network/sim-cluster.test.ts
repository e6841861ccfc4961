import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transport } from "../../../base/transport/index.ts";
import { Kernel } from "../kernel/kernel.ts";
import type { Fault } from "../search/fault.ts";
import { SimCluster } from "./sim-cluster.ts";

/** Three nodes that tell each other the time, a hundred times a second. */
function gossip() {
  const kernel = new Kernel({ seed: "cluster" });
  const cluster = new SimCluster(kernel);
  let heard: string[] = [];
  const start = (id: string, transport: Transport): void => {
    transport.serve("tick", (from) => heard.push(`${from}>${id}`));
  };
  for (const id of ["a", "b", "c"]) {
    cluster.add(id, (life, transport) => {
      start(id, transport);
      const tick = (): void => {
        transport.broadcast({ kind: "tick", body: new Uint8Array(0) });
        life.clock.after(10, tick);
      };
      life.clock.after(10, tick);
    });
  }
  /** Who hears whom in a tenth of a second. */
  const whoHears = (): string[] => {
    kernel.pass(20);
    heard = [];
    kernel.pass(100);
    return [...new Set(heard)].toSorted();
  };
  return { kernel, cluster, whoHears, heardOf: () => heard };
}

function fault(kind: string, nodes: string[], more: Partial<Fault> = {}): Fault {
  return { kind, atMs: 0, durationMs: 1000, nodes, parameters: {}, ...more };
}

const ALL = ["a>b", "a>c", "b>a", "b>c", "c>a", "c>b"];

for (const [struck, left] of [
  [fault("crash", ["a"]), ["b>c", "c>b"]],
  [fault("zombie", ["a"]), ["b>c", "c>b"]],
  [fault("sleep", ["a"]), ["b>c", "c>b"]],
  [fault("cut", ["a", "b"]), ALL.filter((way) => way !== "a>b")],
  [fault("cut-both", ["a", "b"]), ALL.filter((way) => way !== "a>b" && way !== "b>a")],
  [fault("partition", ["a", "b"]), ["a>b", "b>a"]],
  [fault("noise", [], { parameters: { lossRatio: 1 } }), []],
] as const) {
  test(`the fault ${struck.kind} does what it says, and is over after its duration`, () => {
    const { kernel, cluster, whoHears } = gossip();
    assert.deepEqual(whoHears(), ALL);
    assert.equal(cluster.strike(struck), true);
    assert.deepEqual(whoHears(), left);
    kernel.pass(1000);
    assert.deepEqual(whoHears(), ALL);
  });
}

test("a node taken down by two faults comes back when both are over", () => {
  const { kernel, cluster } = gossip();
  cluster.strike(fault("crash", ["a"], { durationMs: 100 }));
  cluster.strike(fault("crash", ["a"], { durationMs: 300 }));
  kernel.pass(200);
  assert.equal(cluster.node("a").life, null);
  kernel.pass(200);
  assert.equal(cluster.node("a").life?.incarnation, 2);
});

test("a zombie of two faults wakes when both are over", () => {
  const { kernel, cluster } = gossip();
  cluster.strike(fault("zombie", ["a"], { durationMs: 100 }));
  cluster.strike(fault("zombie", ["a"], { durationMs: 300 }));
  kernel.pass(200);
  assert.equal(cluster.node("a").life?.isPaused, true);
  kernel.pass(200);
  assert.equal(cluster.node("a").life?.isPaused, false);
});

test("a zombie that crashed and came back is not put to sleep, nor woken, by the old fault", () => {
  const { kernel, cluster } = gossip();
  cluster.strike(fault("zombie", ["a"], { durationMs: 200 }));
  cluster.strike(fault("crash", ["a"], { durationMs: 100 }));
  kernel.pass(150);
  assert.equal(cluster.node("a").life?.isPaused, false);
  cluster.strike(fault("zombie", ["a"], { durationMs: 200 }));
  kernel.pass(100);
  assert.equal(cluster.node("a").life?.isPaused, true, "the first fault ended, not the second");
});

test("clogged nodes are unclogged one after the other, in the order named", () => {
  const { kernel, cluster, whoHears, heardOf } = gossip();
  whoHears();
  cluster.strike(fault("clog", ["c", "a"], { durationMs: 2000 }));
  assert.deepEqual(whoHears(), []);
  kernel.pass(900);
  assert.deepEqual(whoHears(), ["b>c", "c>b"]);
  heardOf().length = 0;
  kernel.pass(1000);
  assert.ok(heardOf().length > 500, "what was held back has come, none of it lost");
  assert.deepEqual(whoHears(), ALL);
});

test("a crash may be timed by the callbacks of its node", () => {
  const { kernel, cluster } = gossip();
  cluster.strike(fault("crash", ["a"], { parameters: { afterWakes: 5 } }));
  let wakes = 0;
  while (cluster.node("a").life !== null) {
    wakes += 1;
    assert.ok(kernel.step() && wakes < 100);
  }
  kernel.pass(1000);
  assert.equal(cluster.node("a").incarnation, 2);
  const idle = new SimCluster(new Kernel({ seed: "idle" }));
  idle.add("a", () => {});
  idle.strike(fault("crash", ["a"], { parameters: { afterWakes: 5 } }));
  idle.kernel.pass(2000);
  assert.equal(idle.node("a").incarnation, 1, "a node that does nothing is spared");
});

test("clocks jump and drift, several drifts add up, and end", () => {
  const { kernel, cluster } = gossip();
  const clock = cluster.node("a").life?.clock;
  assert.ok(clock !== undefined);
  const wallMs = clock.wallMs();
  cluster.strike(fault("clock-jump", ["a"], { durationMs: 0, parameters: { byMs: -5000 } }));
  assert.equal(clock.wallMs(), wallMs - 5000);
  const gained = (): number => {
    const [nowMs, trueMs] = [clock.nowMs(), kernel.nowMs];
    kernel.pass(500);
    return clock.nowMs() - nowMs - (kernel.nowMs - trueMs);
  };
  for (const ppm of [1000, 3000]) {
    cluster.strike(fault("drift", ["a"], { durationMs: 500, parameters: { ppm } }));
  }
  assert.ok(Math.abs(gained() - 2) < 0.01);
  assert.ok(Math.abs(gained()) < 0.01);
});

test("faults that are not of nodes, clocks or network are left to the world", () => {
  const { cluster } = gossip();
  assert.equal(cluster.strike(fault("disk-full", ["a"])), false);
  assert.equal(cluster.strike(fault("meteor", ["a"])), false);
});

test("a fault that names no node, or one that is not there, is a mistake in the schedule", () => {
  const { cluster } = gossip();
  assert.throws(() => cluster.strike(fault("crash", [])), /strikes one node/);
  assert.throws(() => cluster.strike(fault("cut", ["a"])), /strikes two nodes/);
  assert.throws(() => cluster.strike(fault("zombie", ["z"])), /no node z/);
  assert.throws(() => cluster.add("a", () => {}), /already/);
});
