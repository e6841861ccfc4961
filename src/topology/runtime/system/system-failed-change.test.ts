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
  whole,
} from "../../../../test/support/topology/runtime-rig.ts";
import { key, value } from "../../../rules/settings/index.ts";
import { LocalConnector } from "../../connector/index.ts";
import {
  type ComponentDefinition,
  filter,
  provider,
  providerRole,
  sink,
  source,
} from "../../unit/index.ts";

const WIDTH = { width: key(value.count({ min: 1 }), { default: 1, meaning: "Width." }) };

/** A filter that multiplies by its width, and whose life fails where it is told to. */
function trouble(fails: { at: string | null }, journal: string[]): ComponentDefinition {
  const failAt = (place: string): void => {
    if (fails.at === place) throw new Error(`trouble in ${place}`);
  };
  return filter({
    ...{ name: "trouble", input: Count, output: Count, settings: WIDTH },
    create(unit) {
      if (unit.name.endsWith("#2")) failAt("second create");
      failAt("create");
      const { width } = unit.settings;
      journal.push(`made ${unit.name} ${width}`);
      return {
        take: (item, emit) => emit(item * width),
        handOver: () => failAt("handOver"),
        close() {
          journal.push(`closed ${unit.name} ${width}`);
          failAt("close");
        },
      };
    },
  });
}

for (const place of ["create", "second create", "handOver"]) {
  test(`a renewal that fails in ${place} leaves unit and settings as they were`, async () => {
    const [seen, journal]: [number[], string[]] = [[], []];
    const fails: { at: string | null } = { at: null };
    const { definition, emit } = gate();
    const rig = await Rig.start({
      connectors: [local("a"), local("b")],
      components: [
        { id: "gate", definition, ...to("a") },
        {
          id: "trouble",
          definition: trouble(fails, journal),
          instances: 2,
          ...from("a"),
          ...to("b"),
        },
        { id: "collector", definition: collector(seen), ...from("b") },
      ],
    });
    fails.at = place;
    const width = (count: number) => new Map([["width", count]]);
    await assert.rejects(rig.during(rig.system.changeSettings("trouble", width(3))), /trouble in/);
    for (const item of [1, 2, 3]) emit(item);
    await rig.settle();
    assert.deepEqual(seen, [1, 2, 3]);
    assert.deepEqual(rig.system.settingsOf("trouble").current, { width: 1 });
    assert.equal(rig.unit("trouble").state, "running");
    const open = journal.filter((one) => one.startsWith("made")).length;
    assert.equal(open - journal.filter((one) => one.startsWith("closed")).length, 2);
    fails.at = null;
    await rig.during(rig.system.changeSettings("trouble", width(3)));
    for (const item of [1, 2, 3]) emit(item);
    await rig.settle();
    assert.deepEqual(seen.slice(3), [3, 6, 9]);
    assert.deepEqual(journal.slice(-4), [
      ...["made trouble 3", "made trouble#2 3", "closed trouble 1", "closed trouble#2 1"],
    ]);
  });
}

test("what close throws is reported, and nothing else is kept from closing", async () => {
  const [journal, closed]: [string[], string[]] = [[], []];
  const fails: { at: string | null } = { at: null };
  const Naming = providerRole<string>("naming");
  const names = (name: string) =>
    provider({
      ...{ name, provides: Naming },
      create: () => ({
        service: name,
        close() {
          closed.push(name);
          throw new Error(`trouble in ${name}`);
        },
      }),
    });
  const rig = await Rig.start({
    providers: [
      { id: "one", definition: names("one") },
      { id: "two", definition: names("two") },
    ],
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition: gate().definition, ...to("a") },
      { id: "trouble", definition: trouble(fails, journal), ...from("a"), ...to("b") },
      { id: "collector", definition: collector([]), ...from("b") },
    ],
  });
  fails.at = "close";
  await rig.during(rig.system.changeSettings("trouble", new Map([["width", 2]])));
  assert.equal(rig.errors.length, 1);
  await rig.during(rig.system.swapProvider({ id: "one", definition: names("three") }));
  assert.equal(rig.errors.length, 2);
  await rig.during(rig.system.close());
  assert.deepEqual(closed, ["one", "two", "three"]);
  assert.equal(rig.errors.length, 5);
  assert.deepEqual(journal.at(-1), "closed trouble 2");
});

test("a topology of which a unit cannot be made is ended again, in reverse order", async () => {
  const journal: string[] = [];
  const Naming = providerRole<string>("naming");
  const names = (name: string) =>
    provider({
      ...{ name, provides: Naming, providers: name === "base" ? {} : { base: Naming } },
      create: () => ({ service: name, close: () => void journal.push(name) }),
    });
  const rig = new Rig();
  const bad = sink({
    ...{ name: "bad", input: Count },
    create: () => {
      throw new Error("no bad ones");
    },
  });
  const counted = source({
    ...{ name: "counted", output: Count },
    create: () => ({ pull: () => false, close: () => void journal.push("counted") }),
  });
  const wiring = whole({
    providers: [
      { id: "cache", definition: names("cache"), providers: { base: "base" } },
      { id: "base", definition: names("base") },
    ],
    connectors: [local("a")],
    components: [
      { id: "counted", definition: counted, ...to("a") },
      { id: "bad", definition: bad, ...from("a") },
    ],
  });
  await assert.rejects(rig.during(rig.system.open(wiring)), /no bad ones/);
  assert.deepEqual(journal, ["counted", "cache", "base"]);
});

test("a provider that cannot be replaced stays, and its users go on", async () => {
  const Naming = providerRole<() => number>("naming");
  const seen: number[] = [];
  const names = (add: number, at: string | null = null) =>
    provider({
      ...{ name: `plus-${add}`, provides: Naming },
      async create() {
        if (at === "create") throw new Error("no names");
        if (at === "never") await new Promise<void>(() => undefined);
        return {
          service: () => add,
          handOver() {
            if (at === "handOver") throw new Error("no state");
          },
        };
      },
    });
  const { definition, emit } = gate();
  const user = sink({
    ...{ name: "user", input: Count, providers: { naming: Naming } },
    create: (unit) => (item) => void seen.push(item + unit.providers.naming()),
  });
  const rig = await Rig.start({
    providers: [{ id: "names", definition: names(10) }],
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "user", definition: user, ...from("a"), providers: { naming: "names" } },
    ],
  });
  const swap = (definition: ReturnType<typeof names>) =>
    rig.during(rig.system.swapProvider({ id: "names", definition }));
  await assert.rejects(swap(names(20, "create")), /no names/);
  await assert.rejects(swap(names(30, "never")), /names was not made within 30000 ms/);
  emit(1);
  await rig.settle();
  await swap(names(40, "handOver"));
  await assert.rejects(swap(names(50)), /no state/);
  emit(2);
  await rig.settle();
  assert.deepEqual(seen, [11, 42]);
  assert.deepEqual([rig.unit("user").state, rig.unit("names").unit], ["running", "plus-40"]);
});

test("a connector that cannot take over leaves the old one in place, with its items", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a", 4), local("b", 4)],
    components: [
      { id: "numbers", definition: numbers(100), ...to("a") },
      { id: "slow", definition: slow(1, 1), ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.pass(20);
  const openLine = () => ({
    length: 0,
    push() {
      throw new Error("no room for anything");
    },
    shift: () => undefined,
  });
  const broken = {
    id: "a",
    open: () => new LocalConnector<unknown>(Count, { capacity: 4, openLine }),
  };
  await assert.rejects(rig.during(rig.system.swapConnector(broken)), /no room for anything/);
  await rig.settle();
  assert.deepEqual([seen, rig.finishedCount], [upTo(100), 1]);
});

test("a change that waits for work without end is refused, and everything goes on", async () => {
  const seen: number[] = [];
  const forgetful = filter({
    ...{ name: "forgetful", input: Count, output: Count, inFlightMax: 2, settings: WIDTH },
    create: () => (item, emit) => {
      if (item === 0) return new Promise<void>(() => undefined);
      emit(item);
      return undefined;
    },
  });
  const { definition, emit } = gate();
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "forgetful", definition: forgetful, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  emit(0);
  await rig.settle();
  const { system } = rig;
  const why = /1 items of forgetful were still in flight after 30000 ms/;
  const changes = [
    () => system.swapConnector(local("b")),
    () => system.changeSettings("forgetful", new Map([["width", 2]])),
    () => system.remove("forgetful"),
  ];
  for (const [at, change] of changes.entries()) {
    await assert.rejects(rig.during(change()), why);
    emit(at + 1);
    await rig.settle();
    assert.equal(seen.at(-1), at + 1);
  }
  assert.deepEqual(system.settingsOf("forgetful").current, { width: 1 });
  // Instances without such work can go.
  await rig.during(system.setInstances("forgetful", 2));
  await rig.during(system.setInstances("forgetful", 1));
  assert.equal(rig.unit("forgetful").instances, 1);
});
