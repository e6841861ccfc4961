import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Count,
  collector,
  from,
  gate,
  local,
  Rig,
  tee,
  to,
} from "../../../../test/support/topology/runtime-rig.ts";
import { key, value } from "../../../rules/settings/index.ts";
import { general, sink, source } from "../../unit/index.ts";

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
