import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Count,
  collector,
  from,
  gate,
  local,
  Rig,
  slow,
  tee,
  to,
  upTo,
} from "../../../../test/support/topology/runtime-rig.ts";
import { key, value } from "../../../rules/settings/index.ts";
import { sink } from "../../unit/index.ts";

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
