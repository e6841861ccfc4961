import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../../../base/random/index.ts";
import { calmAtMs, describeFault, type FaultPlan, planFaults, type Schedule } from "./fault.ts";
import { STANDARD_FAULTS, type StandardFault } from "./standard-faults.ts";

const NODES = ["n1", "n2", "n3"];

const PLAN: FaultPlan = {
  kinds: STANDARD_FAULTS,
  nodes: NODES,
  fromMs: 1000,
  untilMs: 9000,
  durationMsMax: 5000,
  budget: { faultsMax: 20 },
};

function plans(count: number, plan: FaultPlan = PLAN): Schedule[] {
  return Array.from({ length: count }, (_, seed) => planFaults(new SeededRandom(seed), plan));
}

test("a seed always gives the same plan, as data that survives JSON", () => {
  for (const [seed, schedule] of plans(50).entries()) {
    assert.deepEqual(planFaults(new SeededRandom(seed), PLAN), schedule);
    assert.deepEqual(JSON.parse(JSON.stringify(schedule)), schedule);
  }
});

test("planned faults keep to the span, the nodes, the duration and the budget", () => {
  for (const schedule of plans(300)) {
    assert.ok(schedule.length <= 20);
    for (const fault of schedule) {
      assert.ok(fault.atMs >= 1000 && fault.atMs <= 9000 && Number.isInteger(fault.atMs));
      assert.ok(fault.durationMs <= 5001 && Number.isInteger(fault.durationMs));
      assert.ok(fault.nodes.every((node) => NODES.includes(node)));
      assert.equal(new Set(fault.nodes).size, fault.nodes.length, "no node is named twice");
    }
    assert.deepEqual(
      schedule,
      schedule.toSorted((one, other) => one.atMs - other.atMs),
    );
  }
});

test("every kind is planned now and then, and each plan leaves some kinds out", () => {
  const schedules = plans(300);
  const kinds = new Set(schedules.flatMap((schedule) => schedule.map((fault) => fault.kind)));
  assert.deepEqual([...kinds].toSorted(), Object.keys(STANDARD_FAULTS).toSorted());
  for (const schedule of schedules) {
    assert.ok(new Set(schedule.map((fault) => fault.kind)).size < kinds.size);
  }
  assert.ok(
    schedules.some((schedule) => schedule.length === 0),
    "some plans hold no fault",
  );
});

test("a budget may ask for a fault at least", () => {
  const least = plans(100, { ...PLAN, budget: { faultsMin: 2, faultsMax: 3 } });
  assert.deepEqual([...new Set(least.map(({ length }) => length))].toSorted(), [2, 3]);
});

test("a kind may have a budget of its own, and a world may refuse a fault", () => {
  const limited = plans(200, { ...PLAN, budget: { faultsMax: 30, kindMax: { crash: 1 } } });
  const crashes = limited.map((plan) => plan.filter((fault) => fault.kind === "crash").length);
  assert.equal(Math.max(...crashes), 1);
  const sparing = plans(200, {
    ...PLAN,
    allows: (fault, planned) => !fault.nodes.includes("n1") && planned.length < 3,
  });
  for (const schedule of sparing) {
    assert.ok(schedule.length <= 3);
    assert.ok(schedule.every((fault) => !fault.nodes.includes("n1")));
  }
});

test("a world may plan kinds of its own beside the standard ones", () => {
  const kinds = {
    crash: STANDARD_FAULTS.crash,
    meteor: () => ({ nodes: [], durationMs: 0, parameters: { kilograms: 7 } }),
  };
  const planned = plans(50, { ...PLAN, kinds }).flat();
  assert.ok(
    planned.some((fault) => fault.kind === "meteor" && fault.parameters["kilograms"] === 7),
  );
});

test("with a single node nothing is planned that needs two", () => {
  const alone = plans(200, { ...PLAN, nodes: ["n1"] }).flat();
  const pairs: StandardFault[] = ["cut", "cut-both", "partition"];
  assert.ok(alone.every((fault) => !pairs.includes(fault.kind as StandardFault)));
});

test("one side of a partition is never everybody", () => {
  const sides = plans(500)
    .flat()
    .filter((fault) => fault.kind === "partition");
  assert.ok(sides.length > 50);
  for (const { nodes } of sides) assert.ok(nodes.length >= 1 && nodes.length < NODES.length);
});

test("calm comes when the last fault is over", () => {
  assert.equal(calmAtMs([]), 0);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(10_000), fc.nat(10_000))), (spans) => {
      const schedule = spans.map(([atMs, durationMs]) => ({
        kind: "crash",
        atMs,
        durationMs,
        nodes: ["n1"],
        parameters: {},
      }));
      const ends = spans.map(([atMs, durationMs]) => atMs + durationMs);
      assert.equal(calmAtMs(schedule), Math.max(0, ...ends));
    }),
  );
});

test("a fault is described in a few words", () => {
  const fault = { atMs: 5, durationMs: 300, nodes: ["n1", "n2"], parameters: {} };
  assert.equal(describeFault({ ...fault, kind: "cut" }), "cut n1 n2 for 300 ms");
  const jump = { kind: "clock-jump", durationMs: 0, nodes: ["n1"], parameters: { byMs: -7 } };
  assert.equal(describeFault({ ...fault, ...jump }), "clock-jump n1 byMs=-7");
});
