import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Count,
  collector,
  from,
  gate,
  local,
  numbers,
  Rig,
  slow,
  sorted,
  to,
  upTo,
} from "../../../../test/support/topology/runtime-rig.ts";
import { LocalConnector } from "../../connector/index.ts";
import { type ComponentDefinition, filter, join, sink } from "../../unit/index.ts";

function pair(into: string[]): ComponentDefinition {
  return join({
    ...{ name: "pair", inputs: { left: Count, right: Count }, outputs: {} },
    create:
      () =>
      ({ left, right }) =>
        void into.push(`${left}:${right}`),
  });
}

test("a source that finishes while its output is blocked ends when everything has gone out", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a", 2)],
    components: [
      { id: "numbers", definition: numbers(9), ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.during(rig.system.suspend("collector"));
  await rig.settle();
  assert.equal(rig.unit("numbers").waitingOut, 7);
  assert.equal(rig.unit("numbers").state, "running");
  rig.system.resume("collector");
  await rig.settle();
  assert.deepEqual(seen, upTo(9));
  assert.equal(rig.finishedCount, 1);
});

test("a unit is closed after all that it emitted has gone out", async () => {
  const [seen, closed]: [number[], number[]] = [[], []];
  const passing = filter({
    ...{ name: "passing", input: Count, output: Count },
    create: () => ({
      take: (item, emit) => emit(item),
      // What waits at an output is what one batch made, or what `close` emits; never both.
      close: () => void closed.push(rig.unit("passing").waitingOut),
    }),
  });
  const rig: Rig = await Rig.start({
    connectors: [local("a"), local("b", 2)],
    components: [
      { id: "numbers", definition: numbers(9), ...to("a") },
      { id: "passing", definition: passing, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.during(rig.system.suspend("collector"));
  await rig.settle();
  assert.deepEqual([rig.unit("passing").waitingOut, closed], [7, []]);
  rig.system.resume("collector");
  await rig.settle();
  assert.deepEqual([seen, closed, rig.finishedCount], [upTo(9), [0], 1]);
});

test("what a unit emits while it is closed goes out before its outputs end", async () => {
  const seen: number[] = [];
  const total = filter({
    ...{ name: "total", input: Count, output: Count },
    create(unit) {
      let sum = 0;
      const emit = (unit as unknown as { emit: { output(item: number): void } }).emit.output;
      return {
        take(item) {
          sum += item;
        },
        close() {
          for (const item of [sum, sum, sum]) emit(item);
        },
      };
    },
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("b", 1)],
    components: [
      { id: "numbers", definition: numbers(5), ...to("a") },
      { id: "total", definition: total, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.settle();
  assert.deepEqual(seen, [10, 10, 10]);
  assert.equal(rig.finishedCount, 1);
  assert.deepEqual(rig.errors, []);
});

test("a join that is over leaves the other input to nobody, and everything ends", async () => {
  const pairs: string[] = [];
  const rig = await Rig.start({
    connectors: [local("l", 4), local("r", 4)],
    components: [
      { id: "few", definition: numbers(3), ...to("l") },
      { id: "many", definition: numbers(500), ...to("r") },
      { id: "pair", definition: pair(pairs), inputs: { left: "l", right: "r" } },
    ],
  });
  await rig.settle();
  assert.deepEqual(pairs, ["0:0", "1:1", "2:2"]);
  assert.equal(rig.finishedCount, 1);
  const right = rig.system.connectors().find(({ id }) => id === "r");
  assert.deepEqual([right?.length, right?.dropped], [0, 497]);
});

test("everything has ended when the last item that nobody wants has been counted", async () => {
  const rig = await Rig.start({
    connectors: [local("l", 4), local("r", 5000)],
    components: [
      { id: "few", definition: numbers(3), ...to("l") },
      { id: "many", definition: numbers(3000), ...to("r") },
      { id: "pair", definition: pair([]), inputs: { left: "l", right: "r" } },
    ],
  });
  const dropped: unknown[] = [];
  rig.onFinished = () => {
    const { length, dropped: count } = rig.system.connectors()[1] ?? {};
    dropped.push(length, count);
  };
  await rig.settle();
  assert.deepEqual(dropped, [0, 2997]);
});

test("what is left by a join is kept again once it has another consumer", async () => {
  const [pairs, seen]: [string[], number[]] = [[], []];
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("l", 4), local("r", 4)],
    components: [
      { id: "few", definition: numbers(1), ...to("l") },
      { id: "gate", definition, ...to("r") },
      { id: "pair", definition: pair(pairs), inputs: { left: "l", right: "r" } },
    ],
  });
  emit(0);
  await rig.settle();
  emit(1);
  await rig.settle();
  await rig.during(rig.system.swapConnector(local("r", 2)));
  emit(2);
  await rig.settle();
  assert.equal(rig.system.connectors().find(({ id }) => id === "r")?.dropped, 2);
  await rig.during(
    rig.system.add({
      ...{ providers: [], connectors: [] },
      components: [{ id: "collector", definition: collector(seen), ...from("r") }],
    }),
  );
  for (const item of [3, 4, 5]) emit(item);
  await rig.settle();
  assert.deepEqual([pairs, seen], [["0:0"], [3, 4, 5]]);
});

test("draining stops the sources and lets what is inside through", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "numbers", definition: numbers(10_000), ...to("a") },
      { id: "slow", definition: slow(3), ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.pass(50);
  assert.equal(await rig.during(rig.system.drain()), 0);
  assert.equal(seen.length, rig.unit("numbers").metrics["emitted"]);
  assert.deepEqual(sorted(seen), upTo(seen.length));
  await rig.during(rig.system.close());
});

test("draining tells how many items could not come to their end", async () => {
  const rig = await Rig.start({
    connectors: [local("a", 3)],
    components: [
      { id: "numbers", definition: numbers(50), ...to("a") },
      { id: "collector", definition: collector([]), ...from("a") },
    ],
  });
  await rig.during(rig.system.suspend("collector"));
  await rig.pass(5);
  const before = rig.time.nowMs();
  assert.equal(await rig.during(rig.system.drain()), 50);
  assert.ok(rig.time.nowMs() - before < 1000, "what cannot move is not waited for");
});

test("draining does not count what is on its way to another process", async () => {
  const outward = Object.assign(new LocalConnector(Count, { capacity: 3 }), { leadsOut: true });
  const rig = await Rig.start({
    connectors: [{ id: "a", open: () => outward }],
    components: [{ id: "numbers", definition: numbers(3), ...to("a") }],
  });
  await rig.settle();
  assert.equal(outward.length, 3);
  assert.equal(await rig.during(rig.system.drain()), 0);
});

test("closing under load waits for what is in flight, and closes every unit once", async () => {
  const closed: string[] = [];
  let [begun, ended] = [0, 0];
  const busy = filter({
    ...{ name: "busy", input: Count, output: Count, inFlightMax: 5 },
    create: (unit) => ({
      async take(item, emit) {
        begun += 1;
        await new Promise<void>((resolve) => void unit.clock.after(7, resolve));
        emit(item);
        ended += 1;
      },
      close: () => void closed.push(unit.name),
    }),
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("b", 1)],
    components: [
      { id: "numbers", definition: numbers(10_000), ...to("a") },
      { id: "busy", definition: busy, instances: 3, ...from("a"), ...to("b") },
      { id: "collector", definition: collector([]), ...from("b") },
    ],
  });
  await rig.pass(60);
  await rig.during(Promise.all([rig.system.close(), rig.system.close()]));
  assert.ok(begun > 0);
  assert.equal(begun, ended);
  assert.deepEqual(closed.toSorted(), ["busy", "busy#2", "busy#3"]);
  await rig.settle();
  assert.equal(begun, ended);
  assert.deepEqual([rig.errors, rig.finishedCount], [[], 0]);
  await assert.rejects(rig.during(rig.system.remove("busy")), { code: "TOPOLOGY_REFUSED" });
});

test("work that never ends is left alone after a while, with a report", async () => {
  const closed: string[] = [];
  const stuck = sink({
    ...{ name: "stuck", input: Count },
    create: () => ({
      take: () => new Promise<void>(() => undefined),
      close: () => new Promise<void>(() => void closed.push("stuck")),
    }),
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "numbers", definition: numbers(5), ...to("a") },
      { id: "stuck", definition: stuck, ...from("a") },
    ],
  });
  await rig.pass(10);
  await rig.during(rig.system.suspend("stuck"));
  assert.equal(rig.unit("stuck").inFlight, 1);
  await rig.during(rig.system.close());
  assert.deepEqual(closed, ["stuck"]);
  const texts = rig.errors.map(({ message }) => message);
  assert.match(texts[0] ?? "", /unit stuck: Error: 1 items were left in flight/);
  assert.match(texts[1] ?? "", /unit stuck: Error: it did not close within 30000 ms/);
});
