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
  to,
  upTo,
} from "../../../../test/support/topology/runtime-rig.ts";
import { LocalConnector } from "../../connector/index.ts";
import { itemType } from "../../items/index.ts";
import { type ComponentDefinition, filter, sink, source } from "../../unit/index.ts";
import type { FailurePolicy } from "../wiring.ts";

/** Fails on these items; counts how often it was made, and what is in each making's hands. */
function picky(bad: readonly number[], makings: number[][], isLate = false): ComponentDefinition {
  return filter({
    ...{ name: "picky", input: Count, output: Count },
    create(unit) {
      const had: number[] = [];
      makings.push(had);
      return async (item, emit) => {
        if (isLate) await new Promise<void>((resolve) => void unit.clock.after(1, resolve));
        had.push(item);
        if (bad.includes(item)) throw new Error(`not ${item}`);
        emit(item);
      };
    },
  });
}

/** The same without promises. */
function pickyAtOnce(bad: readonly number[], makings: number[][]): ComponentDefinition {
  return filter({
    ...{ name: "picky", input: Count, output: Count },
    create() {
      const had: number[] = [];
      makings.push(had);
      return (item, emit) => {
        had.push(item);
        if (bad.includes(item)) throw new Error(`not ${item}`);
        emit(item);
      };
    },
  });
}

async function run(definition: ComponentDefinition, onFailure: FailurePolicy, seen: number[]) {
  const rig = await Rig.start({
    connectors: [local("a", 100), local("b", 100)],
    components: [
      { id: "numbers", definition: numbers(20), ...to("a") },
      { id: "picky", definition, onFailure, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.settle();
  return rig;
}

for (const [name, define] of [
  ["at once", pickyAtOnce],
  ["in a promise", picky],
  ["in a promise, later", (bad: readonly number[], all: number[][]) => picky(bad, all, true)],
] as const) {
  test(`what a unit throws ${name} ends one item under the policy skip`, async () => {
    const [seen, makings]: [number[], number[][]] = [[], []];
    const rig = await run(define([3, 4], makings), "skip", seen);
    assert.deepEqual(
      seen,
      upTo(20).filter((item) => item !== 3 && item !== 4),
    );
    assert.equal(makings.length, 1);
    assert.deepEqual([rig.errors.length, rig.finishedCount], [2, 1]);
    assert.match(rig.errors[0]?.message ?? "", /unit picky on the item 3: Error: not 3/);
    assert.equal(rig.unit("picky").metrics["failed"], 2);
  });

  test(`what a unit throws ${name} makes it anew under the policy restart`, async () => {
    const [seen, makings]: [number[], number[][]] = [[], []];
    const rig = await run(define([3, 4], makings), "restart", seen);
    assert.deepEqual(
      seen,
      upTo(20).filter((item) => item !== 3 && item !== 4),
    );
    // The failed work has no item after the one on which it failed.
    assert.deepEqual(makings, [upTo(4), [4], upTo(20).slice(5)]);
    assert.deepEqual([rig.errors.length, rig.finishedCount, rig.failure], [2, 1, null]);
  });

  test(`what a unit throws ${name} stops everything under the policy stop`, async () => {
    const [seen, makings]: [number[], number[][]] = [[], []];
    const rig = await run(define([3, 4], makings), "stop", seen);
    assert.match(rig.failure?.message ?? "", /unit picky on the item 3: Error: not 3/);
    assert.deepEqual(makings, [upTo(4)]);
    assert.deepEqual([rig.finishedCount, rig.errors], [0, []], "it is told once");
    assert.throws(() => rig.system.resume("picky"), { code: "TOPOLOGY_REFUSED" });
    await rig.during(rig.system.close());
  });
}

test("a restart affects one instance; the others go on", async () => {
  const makings: string[] = [];
  const seen: number[] = [];
  const touchy = filter({
    ...{ name: "touchy", input: Count, output: Count },
    create(unit) {
      makings.push(unit.name);
      return async (item, emit) => {
        await new Promise<void>((resolve) => void unit.clock.after(item === 0 ? 1 : 50, resolve));
        if (item === 0) throw new Error("not 0");
        emit(item);
      };
    },
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "numbers", definition: numbers(9), ...to("a") },
      {
        id: "touchy",
        definition: touchy,
        instances: 2,
        onFailure: "restart",
        ...from("a"),
        ...to("b"),
      },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.settle();
  assert.deepEqual(seen.toSorted(), upTo(9).slice(1));
  assert.deepEqual(makings, ["touchy", "touchy#2", "touchy"]);
});

test("a unit that cannot be made again after a failure stops everything, with the cause", async () => {
  let made = 0;
  const closed: number[] = [];
  const once = sink({
    ...{ name: "once", input: Count },
    create() {
      made += 1;
      if (made > 1) throw new Error("only once");
      return {
        take() {
          throw new Error("no");
        },
        close: () => void closed.push(made),
      };
    },
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "numbers", definition: numbers(3), ...to("a") },
      { id: "once", definition: once, onFailure: "restart", ...from("a") },
    ],
  });
  await rig.settle();
  assert.match(rig.failure?.message ?? "", /The unit once could not be made: only once/);
  await rig.during(rig.system.close());
  assert.deepEqual(closed, [2], "what there was is closed");
});

test("a source that fails is asked again, after a pause", async () => {
  for (const onFailure of ["skip", "restart"] as const) {
    const seen: number[] = [];
    let pulls = 0;
    const shaky = source({
      ...{ name: "shaky", output: Count },
      create: (unit) => ({
        pull(_countMax, emit) {
          pulls += 1;
          if (pulls < 4) throw new Error("not yet");
          emit(pulls);
          unit.finish();
          return false;
        },
      }),
    });
    const rig = await Rig.start({
      connectors: [local("a")],
      components: [
        { id: "shaky", definition: shaky, onFailure, ...to("a") },
        { id: "collector", definition: collector(seen), ...from("a") },
      ],
    });
    await rig.settle();
    assert.deepEqual(seen, [4]);
    assert.deepEqual([rig.errors.length, rig.finishedCount], [3, 1]);
    assert.equal(rig.time.nowMs(), 3000);
  }
});

test("a source whose promise is broken is asked again too", async () => {
  const seen: number[] = [];
  let pulls = 0;
  const shaky = source({
    ...{ name: "shaky", output: Count },
    create: (unit) => ({
      async pull(_countMax, emit) {
        pulls += 1;
        if (pulls === 1) throw new Error("not yet");
        emit(pulls);
        unit.finish();
        return true;
      },
    }),
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "shaky", definition: shaky, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.settle();
  assert.deepEqual([seen, rig.finishedCount], [[2], 1]);
  assert.match(rig.errors[0]?.message ?? "", /unit shaky on pulling items: Error: not yet/);
});

test("an item of any size is named in few words", async () => {
  const seen: number[] = [];
  const huge = { text: "x".repeat(1_000_000), list: upTo(100_000) } as unknown as number;
  const { definition, emit } = gate();
  const refuse = sink({
    ...{ name: "refuse", input: Count },
    create: () => (item) => {
      seen.push(item);
      throw new Error("no");
    },
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "refuse", definition: refuse, ...from("a") },
    ],
  });
  emit(huge);
  await rig.settle();
  assert.equal(seen.length, 1);
  const { message = "" } = rig.errors[0] ?? {};
  assert.match(message, /on the item \{ ?text: 'xxx/);
  assert.ok(message.length < 600 && !message.includes("\n"), message);
});

test("work that is just made anew when the topology closes is closed too", async () => {
  const journal: string[] = [];
  const makings: (() => void)[] = [];
  const { definition, emit } = gate();
  const fragile = sink({
    ...{ name: "fragile", input: Count },
    async create() {
      if (journal.length > 0) await new Promise<void>((resolve) => makings.push(resolve));
      journal.push("made");
      return {
        take() {
          throw new Error("trouble");
        },
        close: () => void journal.push("closed"),
      };
    },
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "fragile", definition: fragile, onFailure: "restart", ...from("a") },
    ],
  });
  emit(1);
  while (makings.length === 0) await rig.pass(1);
  await rig.during(rig.system.close());
  assert.deepEqual(journal, ["made", "closed"]);
  makings[0]?.();
  await rig.settle();
  assert.deepEqual(journal, ["made", "closed", "made", "closed"]);
});

test("an item is told of its loss by the type of the connector, whatever its unit declares", async () => {
  const [lost, seen]: [number[], number[]] = [[], []];
  const life = { shared: () => {}, lost: (item: number) => void lost.push(item) };
  const Living = itemType<number>(Count.name, null, life);
  const rig = await Rig.start({
    connectors: [
      { id: "a", open: () => new LocalConnector<unknown>(Living, { capacity: 100 }) },
      local("b", 100),
    ],
    components: [
      { id: "numbers", definition: numbers(5), ...to("a") },
      { id: "picky", definition: pickyAtOnce([1, 3], []), ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.settle();
  assert.deepEqual(lost, [1, 3]);
  assert.equal(seen.length, 3);
});

for (const [policy, isThenable] of [
  ["skip", false],
  ["skip", true],
  ["restart", false],
] as const) {
  const how = isThenable ? "in a promise of another make" : "at once";
  test(`what was emitted before a failure ${how} goes out once, under ${policy}`, async () => {
    const seen: number[] = [];
    const many = filter({
      ...{ name: "many", input: Count, output: Count },
      create: () => (item, emit) => {
        for (let at = 0; at < 64; at += 1) {
          if (at === 32 && item === 1) {
            if (!isThenable) throw new Error("planted");
            return brokenThenable as unknown as Promise<void>;
          }
          emit(item * 100 + at);
        }
        return undefined;
      },
    });
    const rig = await Rig.start({
      // The batch of a whole call does not fit, so it goes out in blocks.
      connectors: [local("a"), local("b", 10)],
      components: [
        { id: "numbers", definition: numbers(3), ...to("a") },
        { id: "many", definition: many, onFailure: policy, ...from("a"), ...to("b") },
        { id: "collector", definition: collector(seen), ...from("b") },
      ],
    });
    await rig.settle();
    const whole = upTo(64);
    assert.deepEqual(seen, [
      ...whole,
      ...whole.slice(0, 32).map((at) => 100 + at),
      ...whole.map((at) => 200 + at),
    ]);
    assert.deepEqual([rig.errors.length, rig.finishedCount], [1, 1]);
  });
}

const brokenThenable = {
  // biome-ignore lint/suspicious/noThenProperty: this is what libraries with promises of their own give.
  then: (_resolve: unknown, reject: (error: Error) => void) => reject(new Error("planted")),
};
