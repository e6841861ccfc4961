import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import { key, value } from "../../../rules/settings/index.ts";
import { LocalConnector } from "../../connector/index.ts";
import { codec, itemType } from "../../items/index.ts";
import {
  filter,
  general,
  join,
  merge,
  provider,
  providerRole,
  sink,
  source,
} from "../../unit/index.ts";
import { System, type Wiring } from "../index.ts";

const Count = itemType("test/count", codec.count);
const Text = itemType("test/text", codec.text);

/** Emits 0, 1, 2 and so on, this many. */
function numbers(total: number) {
  return source({
    name: "numbers",
    output: Count,
    create(unit) {
      let next = 0;
      return {
        pull(countMax, emit) {
          for (let left = countMax; left > 0 && next < total; left -= 1) {
            emit(next);
            next += 1;
          }
          if (next === total) unit.finish();
          return next < total;
        },
      };
    },
  });
}

function collector(into: unknown[]) {
  return sink({
    name: "collector",
    input: Count,
    create: () => (item) => {
      into.push(item);
    },
  });
}

function local(id: string, capacity = 10) {
  return { id, open: () => new LocalConnector<unknown>(Count, { capacity }) };
}

interface Run {
  readonly system: System;
  readonly errors: CrawlError[];
  isFinished: boolean;
  failure: CrawlError | null;
}

async function opened(time: SimulatedTime, wiring: Wiring): Promise<Run> {
  const errors: CrawlError[] = [];
  const system = new System({
    clock: time,
    report: (error) => errors.push(error),
    failed: (error) => {
      run.failure = error;
    },
    finished: () => {
      run.isFinished = true;
    },
  });
  const run: Run = { system, errors, isFinished: false, failure: null };
  await system.open(wiring);
  system.start();
  return run;
}

/** Lets virtual time pass and promises settle until nothing happens any more. */
async function settle(time: SimulatedTime): Promise<void> {
  for (let idle = 0; idle < 20; idle += 1) {
    time.settle();
    await Promise.resolve();
  }
}

test("items pass from a source through a filter to a sink, in order, and everything ends", async () => {
  const time = new SimulatedTime();
  const seen: unknown[] = [];
  const double = filter({
    name: "double",
    input: Count,
    output: Count,
    create: () => (item, emit) => emit(item * 2),
  });
  const run = await opened(time, {
    providers: [],
    connectors: [local("a", 3), local("b", 2)],
    components: [
      { id: "numbers", definition: numbers(1000), outputs: { output: "a" } },
      { id: "double", definition: double, inputs: { input: "a" }, outputs: { output: "b" } },
      { id: "collector", definition: collector(seen), inputs: { input: "b" } },
    ],
  });
  await settle(time);
  assert.deepEqual(
    seen,
    Array.from({ length: 1000 }, (_, at) => at * 2),
  );
  assert.ok(run.isFinished);
  const metrics = new Map(run.system.units().map((unit) => [unit.id, unit.metrics]));
  assert.equal(metrics.get("double")?.["taken"], 1000);
  assert.equal(metrics.get("double")?.["emitted"], 1000);
  assert.ok(Number(metrics.get("numbers")?.["blocked"]) > 0, "the source was held back");
});

test("a join works when every input has an item, a merge when any has one", async () => {
  const time = new SimulatedTime();
  const pairs: string[] = [];
  const merged: string[] = [];
  const pair = join({
    name: "pair",
    inputs: { left: Count, right: Count },
    outputs: {},
    create:
      () =>
      ({ left, right }) => {
        pairs.push(`${left}:${right}`);
      },
  });
  const either = merge({
    name: "either",
    inputs: { left: Count, right: Count },
    outputs: {},
    create: () => ({
      take: {
        left: (item) => void merged.push(`l${item}`),
        right: (item) => void merged.push(`r${item}`),
      },
    }),
  });
  const tee = (id: string) => {
    return { id, open: () => new LocalConnector<unknown>(Count, { capacity: 4, isTee: true }) };
  };
  await opened(time, {
    providers: [],
    connectors: [tee("l"), tee("r")],
    components: [
      { id: "pair", definition: pair, inputs: { left: "l", right: "r" } },
      { id: "either", definition: either, inputs: { left: "l", right: "r" } },
      { id: "few", definition: numbers(3), outputs: { output: "l" } },
      { id: "many", definition: numbers(5), outputs: { output: "r" } },
    ],
  });
  await settle(time);
  assert.deepEqual(pairs, ["0:0", "1:1", "2:2"]);
  assert.deepEqual(merged.toSorted(), ["l0", "l1", "l2", "r0", "r1", "r2", "r3", "r4"]);
});

test("what a unit throws ends one item, and is told with unit and item", async () => {
  const time = new SimulatedTime();
  const seen: unknown[] = [];
  const picky = filter({
    name: "picky",
    input: Count,
    output: Count,
    create: () => (item, emit) => {
      if (item === 2) throw new Error("two is not wanted");
      emit(item);
    },
  });
  const run = await opened(time, {
    providers: [],
    connectors: [local("a"), local("b")],
    components: [
      { id: "numbers", definition: numbers(4), outputs: { output: "a" } },
      { id: "picky", definition: picky, inputs: { input: "a" }, outputs: { output: "b" } },
      { id: "collector", definition: collector(seen), inputs: { input: "b" } },
    ],
  });
  await settle(time);
  assert.deepEqual(seen, [0, 1, 3]);
  assert.deepEqual(
    run.errors.map(({ code }) => code),
    ["INTERNAL_UNIT"],
  );
  assert.match(run.errors[0]?.message ?? "", /picky on the item 2.*two is not wanted/);
});

test("a setting that is live has its effect at once, another makes the unit anew", async () => {
  const time = new SimulatedTime();
  let made = 0;
  const scale = filter({
    name: "scale",
    input: Count,
    output: Count,
    settings: {
      factor: key(value.count({ min: 1 }), { default: 2, meaning: "Factor.", live: true }),
      offset: key(value.count({ min: 0 }), { default: 0, meaning: "Offset." }),
    },
    create(unit) {
      made += 1;
      const { offset } = unit.settings;
      return (item, emit) => emit(item * unit.settings.factor + offset);
    },
  });
  const seen: unknown[] = [];
  const gate = general({
    name: "gate",
    inputs: {},
    outputs: { output: Count },
    create(unit) {
      next = (item) => unit.emit.output(item);
      return { take: {} };
    },
  });
  let next: (item: number) => void = () => assert.fail("the gate is not open");
  const { system } = await opened(time, {
    providers: [],
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition: gate, outputs: { output: "a" } },
      { id: "scale", definition: scale, inputs: { input: "a" }, outputs: { output: "b" } },
      { id: "collector", definition: collector(seen), inputs: { input: "b" } },
    ],
  });
  next(10);
  await settle(time);
  await system.changeSettings("scale", new Map([["factor", 3]]));
  next(10);
  await settle(time);
  assert.equal(made, 1);
  await system.changeSettings("scale", new Map([["offset", 5]]));
  next(10);
  await settle(time);
  assert.deepEqual(seen, [20, 30, 35]);
  assert.equal(made, 2);
});

test("a provider is swapped under its users, and takes over the state of its predecessor", async () => {
  const time = new SimulatedTime();
  const Naming = providerRole<{ nameOf(item: number): string }>("naming");
  const naming = (prefix: string) =>
    provider({
      name: `naming-${prefix}`,
      provides: Naming,
      create(_unit, state) {
        let asked = typeof state === "number" ? state : 0;
        const nameOf = (item: number): string => {
          asked += 1;
          return `${prefix}${item}/${asked}`;
        };
        return { service: { nameOf }, handOver: () => asked };
      },
    });
  const seen: string[] = [];
  const name = sink({
    name: "name",
    input: Count,
    providers: { naming: Naming },
    create: (unit) => (item) => void seen.push(unit.providers.naming.nameOf(item)),
  });
  const { system } = await opened(time, {
    providers: [{ id: "names", definition: naming("a") }],
    connectors: [local("a")],
    components: [
      { id: "numbers", definition: numbers(2), outputs: { output: "a" } },
      { id: "name", definition: name, inputs: { input: "a" }, providers: { naming: "names" } },
    ],
  });
  await settle(time);
  await system.swapProvider({ id: "names", definition: naming("b") });
  await system.add({
    providers: [],
    connectors: [local("c")],
    components: [
      { id: "more", definition: numbers(1), outputs: { output: "c" } },
      { id: "name2", definition: name, inputs: { input: "c" }, providers: { naming: "names" } },
    ],
  });
  await settle(time);
  assert.deepEqual(seen, ["a0/1", "a1/2", "b0/3"]);
  await assert.rejects(
    system.swapProvider({
      id: "names",
      definition: provider({
        name: "other",
        provides: providerRole<string>("other"),
        create: () => ({ service: "" }),
      }),
    }),
    /provides naming, not other/,
  );
});

test("under load, nothing is lost or doubled by suspending, swapping and resizing", async () => {
  const time = new SimulatedTime();
  const seen: number[] = [];
  const slow = filter({
    name: "slow",
    input: Count,
    output: Count,
    inFlightMax: 3,
    create: (unit) => async (item, emit) => {
      await new Promise<void>((resolve) => void unit.clock.after(1, resolve));
      emit(item);
    },
  });
  const run = await opened(time, {
    providers: [],
    connectors: [local("a", 5), local("b", 5)],
    components: [
      { id: "numbers", definition: numbers(500), outputs: { output: "a" } },
      {
        id: "slow",
        definition: slow,
        instances: 2,
        inputs: { input: "a" },
        outputs: { output: "b" },
      },
      { id: "collector", definition: collector(seen), inputs: { input: "b" } },
    ],
  });
  const { system } = run;
  const pass = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step += 1) {
      time.step();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  const during = async (change: Promise<void>): Promise<void> => {
    let isOver = false;
    void change.finally(() => {
      isOver = true;
    });
    while (!isOver) await pass(1);
    await change;
  };
  await pass(100);
  await during(system.suspend("slow"));
  const had = seen.length;
  await pass(50);
  assert.ok(seen.length - had <= 5, "a suspended unit works on nothing");
  system.resume("slow");
  await during(system.swapConnector(local("a", 2)));
  await pass(30);
  await during(system.setInstances("slow", 5));
  await pass(30);
  await during(system.swapConnector(local("b", 50)));
  await during(system.setInstances("slow", 1));
  while (!run.isFinished) await pass(10);
  assert.deepEqual(
    seen.toSorted((one, other) => one - other),
    Array.from({ length: 500 }, (_, at) => at),
  );
});

test("text types and unknown ids are told apart", async () => {
  const time = new SimulatedTime();
  const run = await opened(time, {
    providers: [],
    connectors: [local("a")],
    components: [{ id: "numbers", definition: numbers(1), outputs: { output: "a" } }],
  });
  await assert.rejects(run.system.suspend("nobody"), /no component nobody; there are numbers/);
  const other = { id: "a", open: () => new LocalConnector<unknown>(Text, { capacity: 1 }) };
  await assert.rejects(run.system.swapConnector(other), /carries test\/count, not test\/text/);
});
