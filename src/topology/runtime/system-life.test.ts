import assert from "node:assert/strict";
import { test } from "node:test";
import { key, value } from "../../rules/settings/index.ts";
import { LocalConnector } from "../connector/index.ts";
import { type ComponentDefinition, filter, general, join, sink, source } from "../unit/index.ts";
import {
  Count,
  collector,
  gate,
  local,
  numbers,
  Rig,
  slow,
  sorted,
  tee,
  upTo,
} from "./rig.fixture.ts";

const to = (output: string) => ({ outputs: { output } });
const from = (input: string) => ({ inputs: { input } });

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

test("a suspension that is called off is over for those who wait for it", async () => {
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "slow", definition: slow(1000), ...from("a"), ...to("b") },
      { id: "collector", definition: collector([]), ...from("b") },
    ],
  });
  emit(1);
  await rig.pass(1);
  const suspended = rig.system.suspend("slow");
  assert.deepEqual([rig.unit("slow").state, rig.unit("slow").inFlight], ["suspended", 1]);
  rig.system.resume("slow");
  await rig.during(suspended);
  assert.equal(rig.unit("slow").inFlight, 1, "it did not wait for the item");
});

test("what a work holds and says is over with it", async () => {
  let finishOld: () => void = () => undefined;
  let made = 0;
  const holder = general({
    ...{ name: "holder", inputs: { input: Count }, outputs: {} },
    settings: { width: key(value.count({ min: 0 }), { default: 0, meaning: "Width." }) },
    create(unit) {
      made += 1;
      if (made === 1) finishOld = unit.finish;
      if (made === 2) {
        unit.hold();
        throw new Error("not yet");
      }
      return { take: { input: () => undefined } };
    },
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition: gate().definition, ...to("a") },
      { id: "holder", definition: holder, ...from("a") },
    ],
  });
  const change = (width: number) =>
    rig.during(rig.system.changeSettings("holder", new Map([["width", width]])));
  await assert.rejects(change(1), /not yet/);
  assert.equal(rig.unit("holder").inFlight, 0);
  await change(2);
  finishOld();
  await rig.settle();
  assert.equal(rig.unit("holder").state, "running");
});

test("resuming during a change does not let the unit run before the change is over", async () => {
  const journal: string[] = [];
  const makings: (() => void)[] = [];
  let made = 0;
  const picky = sink({
    ...{ name: "picky", input: Count },
    settings: { offset: key(value.count({ min: 0 }), { default: 0, meaning: "Offset." }) },
    async create() {
      made += 1;
      const number = made;
      if (number === 2) await new Promise<void>((resolve) => void makings.push(resolve));
      return (item) => void journal.push(`${number}:${item}`);
    },
  });
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "picky", definition: picky, ...from("a") },
    ],
  });
  emit(0);
  await rig.settle();
  const change = rig.system.changeSettings("picky", new Map([["offset", 1]]));
  await rig.pass(0);
  assert.equal(makings.length, 1);
  rig.system.resume("picky");
  emit(1);
  await rig.pass(1);
  assert.deepEqual([journal, rig.unit("picky").state], [["1:0"], "suspended"]);
  makings[0]?.();
  await rig.during(change);
  await rig.settle();
  assert.deepEqual(journal, ["1:0", "2:1"]);
});

test("suspending during a change holds after it", async () => {
  const seen: number[] = [];
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "slow", definition: slow(5), ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  emit(0);
  await rig.pass(2);
  const swap = rig.system.swapConnector(local("a", 3));
  const suspend = rig.system.suspend("slow");
  await rig.during(Promise.all([swap, suspend]));
  emit(1);
  await rig.settle();
  assert.deepEqual(seen, [0]);
  rig.system.resume("slow");
  await rig.settle();
  assert.deepEqual(seen, [0, 1]);
});

test("items go to another consumer while one that waited for them is suspended", async () => {
  const [one, other]: [number[], number[]] = [[], []];
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "one", definition: collector(one), ...from("a") },
      { id: "other", definition: collector(other), ...from("a") },
    ],
  });
  await rig.settle();
  await rig.during(rig.system.suspend("one"));
  emit(7);
  await rig.settle();
  assert.deepEqual([one, other], [[], [7]]);
});

test("a suspended consumer of a tee keeps its items", async () => {
  const [one, other]: [number[], number[]] = [[], []];
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [tee("a", 3)],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "one", definition: collector(one), ...from("a") },
      { id: "other", definition: collector(other), ...from("a") },
    ],
  });
  await rig.during(rig.system.suspend("one"));
  for (const item of upTo(5)) emit(item);
  await rig.settle();
  assert.deepEqual([one, other], [[], [0, 1, 2]]);
  rig.system.resume("one");
  await rig.settle();
  assert.deepEqual([one, other], [upTo(5), upTo(5)]);
});

test("what a unit emits while it is suspended goes out", async () => {
  const seen: number[] = [];
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.during(rig.system.suspend("gate"));
  emit(1);
  await rig.settle();
  assert.deepEqual(seen, [1]);
});

test("what a unit emits while it is made waits until all consumers are there", async () => {
  const seen: number[] = [];
  const eager = general({
    ...{ name: "eager", inputs: {}, outputs: { output: Count } },
    create(unit) {
      unit.emit.output(1);
      return { take: {} };
    },
  });
  const late = sink({
    ...{ name: "late", input: Count },
    async create(unit) {
      await new Promise<void>((resolve) => void unit.clock.after(5, resolve));
      return (item) => void seen.push(item);
    },
  });
  const rig = await Rig.start({
    connectors: [tee("a"), local("b")],
    components: [
      { id: "eager", definition: eager, ...to("a") },
      // While this one is made, the next one has no end at the tee yet.
      { id: "late", definition: late, ...from("b") },
      { id: "later", definition: late, ...from("a") },
    ],
  });
  await rig.settle();
  assert.deepEqual(seen, [1]);
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

test("an item that is emitted after the end is lost, and reported with its unit", async () => {
  const { definition, emit, finish } = gate();
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a"), onFailure: "restart" },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  emit(1);
  finish();
  await rig.settle();
  assert.equal(rig.finishedCount, 1);
  emit(2);
  await rig.settle();
  assert.deepEqual(seen, [1]);
  assert.match(rig.errors[0]?.message ?? "", /unit gate .*emitted an item to output after its end/);
  assert.equal(rig.unit("gate").metrics["failed"], 1);
});

test("letting go of more than was held, and emitting nothing at all, are reported", async () => {
  let unitOf: { letGo(): void; emit: { output(item: number): void } } | null = null;
  const clumsy = general({
    ...{ name: "clumsy", inputs: {}, outputs: { output: Count } },
    create(unit) {
      unitOf = unit;
      return { take: {} };
    },
  });
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "clumsy", definition: clumsy, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  const unit = unitOf as unknown as { letGo(): void; emit: { output(item: unknown): void } };
  unit.letGo();
  unit.emit.output(undefined);
  unit.emit.output(3);
  await rig.settle();
  assert.deepEqual(seen, [3]);
  assert.equal(rig.unit("clumsy").inFlight, 0);
  const texts = rig.errors.map(({ message }) => message);
  assert.match(texts[0] ?? "", /let go of more than it held/);
  assert.match(texts[1] ?? "", /emitted undefined to output/);
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

test("a source without items is asked again when it says that there are some", async () => {
  const seen: number[] = [];
  const waiting: number[] = [];
  let wake: () => void = () => undefined;
  const feed = source({
    ...{ name: "feed", output: Count },
    create(unit) {
      wake = unit.wake;
      return {
        pull(_countMax, emit) {
          for (const item of waiting.splice(0)) emit(item);
          return false;
        },
      };
    },
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "feed", definition: feed, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.settle();
  waiting.push(1, 2);
  await rig.settle();
  assert.deepEqual(seen, []);
  wake();
  await rig.settle();
  assert.deepEqual(seen, [1, 2]);
});
