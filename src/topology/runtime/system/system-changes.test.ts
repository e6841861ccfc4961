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
  slowNumbers,
  sorted,
  tee,
  to,
  upTo,
} from "../../../../test/support/topology/runtime-rig.ts";
import { key, value } from "../../../rules/settings/index.ts";
import {
  type ComponentDefinition,
  filter,
  general,
  type ProviderDefinition,
  provider,
  providerRole,
  sink,
  source,
} from "../../unit/index.ts";

test("a connector whose producers are done is swapped with what is left in it", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a", 5)],
    components: [
      { id: "numbers", definition: numbers(5), ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.during(rig.system.suspend("collector"));
  await rig.settle();
  assert.equal(rig.unit("numbers").state, "finished");
  await rig.during(rig.system.swapConnector(local("a", 2)));
  rig.system.resume("collector");
  await rig.settle();
  assert.deepEqual([seen, rig.finishedCount], [upTo(5), 1]);
});

test("a swapped connector does not wait for producers and consumers that have finished", async () => {
  const seen: number[] = [];
  let isOver = false;
  const brief = general({
    ...{ name: "brief", inputs: { input: Count }, outputs: {} },
    create: (unit) => ({
      take: {
        input() {
          isOver = true;
          unit.finish();
        },
      },
    }),
  });
  const rig = await Rig.start({
    connectors: [tee("a", 2)],
    components: [
      { id: "few", definition: numbers(1), ...to("a") },
      { id: "many", definition: slowNumbers(9), ...to("a") },
      { id: "brief", definition: brief, ...from("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.pass(12);
  assert.ok(isOver);
  assert.deepEqual([rig.unit("few").state, rig.unit("brief").state], ["finished", "finished"]);
  assert.equal(rig.unit("many").state, "running");
  await rig.during(rig.system.swapConnector(tee("a", 2)));
  await rig.settle();
  assert.deepEqual(sorted(seen), sorted([0, ...upTo(9)]));
  assert.equal(rig.finishedCount, 1);
});

/** Its instances end after this many items each; what they have in flight ends first. */
function brief(each: number): ComponentDefinition {
  return general({
    ...{ name: "brief", inputs: { input: Count }, outputs: { output: Count }, inFlightMax: 1 },
    create(unit) {
      let had = 0;
      return {
        take: {
          async input(item, emit) {
            had += 1;
            await new Promise<void>((resolve) => void unit.clock.after(1, resolve));
            emit.output(item);
            if (had === each && unit.name === "brief") unit.finish();
          },
        },
      };
    },
  });
}

test("an instance that is taken out ends the outputs if all others have finished", async () => {
  const seen: number[] = [];
  let sources = 0;
  const uneven = source({
    ...{ name: "uneven", output: Count },
    create(unit) {
      sources += 1;
      const isBrief = sources === 1;
      return {
        pull(_countMax, emit) {
          if (isBrief) unit.finish();
          else emit(1);
          return false;
        },
      };
    },
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "uneven", definition: uneven, instances: 3, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.settle();
  assert.equal(rig.unit("uneven").state, "running");
  await rig.during(rig.system.setInstances("uneven", 2));
  assert.deepEqual([rig.unit("uneven").instances, rig.unit("uneven").state], [2, "running"]);
  await rig.settle();
  assert.equal(rig.unit("collector").state, "running");
  await rig.during(rig.system.setInstances("uneven", 1));
  assert.deepEqual([rig.unit("uneven").instances, rig.unit("uneven").state], [1, "running"]);
});

test("of several instances those that have finished are taken out first", async () => {
  const seen: number[] = [];
  const { definition, emit, finish } = gate();
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "brief", definition: brief(1), instances: 2, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  emit(0);
  emit(1);
  await rig.settle();
  await rig.during(rig.system.setInstances("brief", 1));
  emit(2);
  await rig.settle();
  assert.deepEqual(sorted(seen), [0, 1, 2]);
  finish();
  await rig.settle();
  assert.equal(rig.finishedCount, 1);
});

test("an instance that cannot be made leaves the others as they are, and no end open", async () => {
  const seen: number[] = [];
  let made = 0;
  const closed: string[] = [];
  const rare = filter({
    ...{ name: "rare", input: Count, output: Count },
    create(unit) {
      made += 1;
      if (made > 3) throw new Error("no more of these");
      return { take: (item, emit) => emit(item), close: () => void closed.push(unit.name) };
    },
  });
  const { definition, emit, finish } = gate();
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "rare", definition: rare, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await assert.rejects(rig.during(rig.system.setInstances("rare", 5)), /no more of these/);
  await assert.rejects(
    rig.during(rig.system.setInstances("rare", "3" as never)),
    /the number of instances of rare must be a whole number, not '3'/,
  );
  assert.deepEqual([rig.unit("rare").instances, closed], [1, ["rare#2", "rare#3"]]);
  emit(1);
  finish();
  await rig.settle();
  assert.deepEqual([seen, rig.finishedCount], [[1], 1]);
  const refusal = rig.during(rig.system.setInstances("rare", 2));
  await assert.rejects(refusal, /rare has finished/);
});

test("an end that failed to come is not waited for, even if all others end meanwhile", async () => {
  const seen: number[] = [];
  let made = 0;
  const late = filter({
    ...{ name: "late", input: Count, output: Count },
    async create(unit) {
      made += 1;
      if (made > 1) {
        await new Promise<void>((resolve) => void unit.clock.after(50, resolve));
        throw new Error("after all, no");
      }
      return (item, emit) => emit(item);
    },
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "numbers", definition: numbers(20), ...to("a") },
      { id: "late", definition: late, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await assert.rejects(rig.during(rig.system.setInstances("late", 2)), /after all, no/);
  await rig.settle();
  assert.deepEqual([seen, rig.finishedCount], [upTo(20), 1]);
});

/** Says its own name, and through whom. */
function echo(name: string, behind: string | null): ProviderDefinition {
  return provider({
    ...{ name, provides: Voice, providers: behind === null ? {} : { behind: Voice } },
    settings: { loud: key(value.toggle(), { default: false, meaning: "Loud." }) },
    create: (unit) => {
      const mine = unit.settings.loud ? name.toUpperCase() : name;
      const rest = unit.providers as { readonly behind?: () => string };
      return { service: () => [mine, ...(rest.behind ? [rest.behind()] : [])].join(" ") };
    },
  });
}
const Voice = providerRole<() => string>("voice");

test("users of users of a provider wait for its change, in whatever order they came", async () => {
  const states: string[] = [];
  const said: string[] = [];
  const { definition, emit } = gate();
  const user = sink({
    ...{ name: "user", input: Count, providers: { voice: Voice } },
    create: (unit) => () => void said.push(unit.providers.voice()),
  });
  const rig = await Rig.start({
    providers: [
      { id: "a", definition: echo("a", null) },
      { id: "c", definition: echo("c", null) },
      { id: "b", definition: echo("b", "c"), providers: { behind: "c" } },
    ],
    connectors: [local("in")],
    components: [
      { id: "gate", definition, ...to("in") },
      { id: "user", definition: user, ...from("in"), providers: { voice: "a" } },
    ],
  });
  // Now `a`, the first, uses `b`, the last, which uses `c`.
  const through = { id: "a", definition: echo("a", "b"), providers: { behind: "b" } };
  await rig.during(rig.system.swapProvider(through));
  const watched = provider({
    ...{ name: "watched", provides: Voice },
    create() {
      states.push(rig.unit("user").state);
      return { service: () => "d" };
    },
  });
  await rig.during(rig.system.swapProvider({ id: "c", definition: watched }));
  await rig.during(rig.system.changeSettings("b", new Map([["loud", true]])));
  emit(1);
  await rig.settle();
  assert.deepEqual([states, said], [["suspended"], ["a B d"]]);
  const circle = { id: "b", definition: echo("b", "a"), providers: { behind: "a" } };
  await assert.rejects(rig.during(rig.system.swapProvider(circle)), { code: "TOPOLOGY_CIRCLE" });
  const unbound = { id: "b", definition: echo("b", "x"), providers: { behind: "x" } };
  await assert.rejects(rig.during(rig.system.swapProvider(unbound)), /there is no x/);
  await rig.during(rig.system.close());
});

test("changes of the same and of different units at once are made one after another", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("b", 1), local("a", 1)],
    components: [
      { id: "collector", definition: collector(seen), ...from("b") },
      { id: "slow", definition: slow(2), instances: 4, ...from("a"), ...to("b") },
      { id: "numbers", definition: numbers(300), ...to("a") },
    ],
  });
  await rig.pass(20);
  const { system } = rig;
  const before = rig.time.nowMs();
  await rig.during(
    Promise.all([
      // To take instances out, their items must get through a connector that the next ones swap.
      system.setInstances("slow", 1),
      system.swapConnector(local("b", 2)),
      system.swapConnector(local("a", 2)),
      system.setInstances("slow", 3),
      system.swapConnector(local("b", 1)),
      system.setInstances("slow", 2),
    ]),
  );
  assert.ok(rig.time.nowMs() - before < 1000, "none of them waited for another in vain");
  await rig.settle();
  assert.deepEqual([sorted(seen), rig.finishedCount], [upTo(300), 1]);
});

test("an instance whose items find no room is not taken out, and goes on", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a", 1), local("b", 1)],
    components: [
      { id: "numbers", definition: numbers(20), ...to("a") },
      { id: "slow", definition: slow(1), ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.during(rig.system.suspend("collector"));
  await rig.settle();
  const refusal = rig.during(rig.system.remove("slow"));
  await assert.rejects(refusal, /items of slow found no room in its outputs/);
  assert.equal(rig.unit("slow").state, "running");
  rig.system.resume("collector");
  await rig.settle();
  assert.deepEqual([sorted(seen), rig.finishedCount], [upTo(20), 1]);
});

test("a setting that a unit does not have is refused, and changes nothing", async () => {
  let made = 0;
  const scale = sink({
    ...{ name: "scale", input: Count },
    settings: { factor: key(value.count({ min: 1 }), { default: 2, meaning: "Factor." }) },
    create() {
      made += 1;
      return () => undefined;
    },
  });
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition: gate().definition, ...to("a") },
      { id: "scale", definition: scale, ...from("a") },
    ],
  });
  const change = (values: [string, unknown][]) =>
    rig.during(rig.system.changeSettings("scale", new Map(values)));
  await assert.rejects(
    change([
      ["factor", 3],
      ["fcator", 3],
      ["x", 1],
    ]),
    (error: Error) => {
      assert.match(error.message, /"fcator" is not a key of scale; did you mean factor/);
      assert.match(error.message, /"x" is not a key of scale/);
      return true;
    },
  );
  for (const [illegal, why] of [
    [0, /factor: "0" is too small/],
    ["x", /factor/],
    [2.5, /factor/],
    [Number.NaN, /factor/],
    [undefined, /factor/],
    [null, /factor/],
    [{ a: 1 }, /factor/],
    [[3, 4], /factor/],
  ] as const) {
    await assert.rejects(change([["factor", illegal]]), why, String(illegal));
  }
  assert.deepEqual(rig.system.settingsOf("scale").current, { factor: 2 });
  assert.equal(made, 1);
});
