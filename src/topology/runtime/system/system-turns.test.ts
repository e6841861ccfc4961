/** Who gets what and when while several things wait at once. */
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
  to,
  upTo,
} from "../../../../test/support/topology/runtime-rig.ts";
import { filter, general, join, merge, source } from "../../unit/index.ts";

test("an input that always has items does not keep another from being taken from", async () => {
  const journal: string[] = [];
  const both = merge({
    ...{ name: "both", inputs: { many: Count, few: Count }, outputs: {} },
    create: () => ({
      take: { many: () => void journal.push("many"), few: () => void journal.push("few") },
    }),
  });
  const rig = await Rig.start({
    connectors: [local("m", 1000), local("f", 1000)],
    components: [
      { id: "few", definition: numbers(10), ...to("f") },
      { id: "many", definition: numbers(5000), ...to("m") },
      { id: "both", definition: both, inputs: { many: "m", few: "f" } },
    ],
  });
  await rig.settle();
  assert.equal(journal.length, 5010);
  assert.ok(journal.lastIndexOf("few") < 1000, `the last came at ${journal.lastIndexOf("few")}`);
});

test("an output without room does not keep another from going out", async () => {
  const [seen, stuck]: [number[], number[]] = [[], []];
  const forked = general({
    ...{ name: "forked", inputs: { input: Count }, outputs: { full: Count, free: Count } },
    create: () => ({
      take: {
        input(item, emit) {
          emit.full(item);
          emit.free(item);
        },
      },
    }),
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("full", 1), local("free")],
    components: [
      { id: "numbers", definition: numbers(3), ...to("a") },
      {
        ...{ id: "forked", definition: forked, ...from("a") },
        outputs: { full: "full", free: "free" },
      },
      { id: "stuck", definition: collector(stuck), ...from("full") },
      { id: "collector", definition: collector(seen), ...from("free") },
    ],
  });
  await rig.during(rig.system.suspend("stuck"));
  await rig.settle();
  assert.deepEqual([stuck, seen], [[], [0, 1, 2]]);
});

test("what waits for room is counted once, however often more is emitted meanwhile", async () => {
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a", 1)],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "collector", definition: collector([]), ...from("a") },
    ],
  });
  await rig.during(rig.system.suspend("collector"));
  for (const item of [1, 2, 3, 4]) {
    emit(item);
    await rig.settle();
  }
  assert.equal(rig.unit("gate").metrics["blocked"], 1);
});

test("a source is not asked again while it is being asked", async () => {
  let [asking, most, asked] = [0, 0, 0];
  const hasty = source({
    ...{ name: "hasty", output: Count },
    create: (unit) => ({
      async pull(_countMax, emit) {
        asking += 1;
        asked += 1;
        most = Math.max(most, asking);
        // Once it is asked twice at a time it would be asked for ever, and the test would not end.
        if (most === 1) unit.wake();
        await new Promise<void>((resolve) => void unit.clock.after(5, resolve));
        asking -= 1;
        emit(asked);
        if (asked >= 4) unit.finish();
        return true;
      },
    }),
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "hasty", definition: hasty, ...to("a") },
      { id: "collector", definition: collector([]), ...from("a") },
    ],
  });
  await rig.settle();
  assert.deepEqual([most, asked, rig.finishedCount], [1, 4, 1]);
});

test("a change that is given up does not end the wait for a suspension", async () => {
  const { definition, emit } = gate();
  const rig = await Rig.start(
    {
      connectors: [local("a"), local("b")],
      components: [
        { id: "gate", definition, ...to("a") },
        { id: "slow", definition: slow(130), ...from("a"), ...to("b") },
        { id: "collector", definition: collector([]), ...from("b") },
      ],
    },
    100,
  );
  emit(1);
  await rig.pass(1);
  assert.equal(rig.unit("slow").inFlight, 1);
  const swap = assert.rejects(rig.system.swapConnector(local("b")), /still in flight after 100 ms/);
  rig.time.after(50, () => undefined);
  while (rig.time.nowMs() < 50) await rig.pass(1);
  await rig.during(rig.system.suspend("slow"));
  assert.equal(rig.unit("slow").inFlight, 0);
  await swap;
});

test("items for nobody are kept from the moment in which there is a consumer again", async () => {
  const seen: number[] = [];
  const pair = join({
    ...{ name: "pair", inputs: { left: Count, right: Count }, outputs: {} },
    create: () => () => undefined,
  });
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("l"), local("r")],
    components: [
      { id: "few", definition: numbers(1), ...to("l") },
      { id: "gate", definition, ...to("r") },
      { id: "pair", definition: pair, inputs: { left: "l", right: "r" } },
    ],
  });
  emit(0);
  await rig.settle();
  assert.equal(rig.unit("pair").state, "finished");
  emit(1);
  const components = [{ id: "collector", definition: collector(seen), ...from("r") }];
  await rig.during(
    Promise.all([
      rig.system.swapConnector(local("r")),
      rig.system.add({ providers: [], connectors: [], components }),
    ]),
  );
  await rig.settle();
  assert.deepEqual(seen, [1]);
});

test("work that is made anew when everything ends is closed too", async () => {
  let [made, closed] = [0, 0];
  const fragile = filter({
    ...{ name: "fragile", input: Count, output: Count },
    async create(unit) {
      made += 1;
      if (made > 1) await new Promise<void>((resolve) => void unit.clock.after(50, resolve));
      return {
        take() {
          throw new Error("no");
        },
        close() {
          closed += 1;
        },
      };
    },
  });
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "fragile", definition: fragile, onFailure: "restart", ...from("a"), ...to("b") },
      { id: "collector", definition: collector([]), ...from("b") },
    ],
  });
  emit(1);
  await rig.pass(2);
  assert.equal(made, 2);
  await rig.during(rig.system.close());
  await rig.settle();
  assert.equal(closed, 2);
});

test("a source is not asked again before it has answered, however often it is woken", async () => {
  let [asked, answered, most] = [0, 0, 0];
  const seen: number[] = [];
  const eager = source({
    ...{ name: "eager", output: Count },
    create: (unit) => ({
      async pull(_countMax, emit) {
        asked += 1;
        most = Math.max(most, asked - answered);
        for (let wakes = 0; wakes < 3; wakes += 1) {
          if (most === 1) unit.wake();
          await new Promise<void>((resolve) => void unit.clock.after(5, resolve));
        }
        emit(answered);
        answered += 1;
        if (answered === 4) unit.finish();
        return false;
      },
    }),
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "eager", definition: eager, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.settle();
  assert.equal(most, 1);
  assert.deepEqual(seen, [0, 1, 2, 3]);
});

test("a batch waits for room once, however often its instance is woken meanwhile", async () => {
  const seen: number[] = [];
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a", 1)],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.during(rig.system.suspend("collector"));
  for (const item of upTo(5)) {
    emit(item);
    await rig.settle();
  }
  assert.equal(rig.unit("gate").metrics["blocked"], 1);
  rig.system.resume("collector");
  await rig.settle();
  assert.deepEqual(seen, upTo(5));
});
