import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { Rig } from "../../../../test/support/topology/runtime-rig.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import { key, value } from "../../../rules/settings/index.ts";
import { type ProviderDefinition, provider, providerRole } from "../../unit/index.ts";
import { Patience } from "./patience.ts";
import { ProviderUnit } from "./provider-unit.ts";

const Naming = providerRole<() => string>("naming");

function named(name: string, journal: string[]): ProviderDefinition {
  return provider({
    name,
    provides: Naming,
    create: (_unit, state) => ({
      service: () => (state === undefined ? name : `${name} after ${state}`),
      handOver: () => name,
      close: () => void journal.push(`${name} closed`),
    }),
  });
}

function unitOf(definition: ProviderDefinition): ProviderUnit {
  const clock = new SimulatedTime();
  return new ProviderUnit(
    { id: "names", definition },
    {
      ...{ clock, patience: new Patience(clock, 1000) },
      ...{ providerOf: () => assert.fail(), report: () => assert.fail() },
    },
  );
}

const nameOf = (unit: ProviderUnit): string => (unit.service as () => string)();

test("a provider has a service from its creation to its end", async () => {
  const journal: string[] = [];
  const unit = unitOf(named("a", journal));
  assert.throws(() => unit.service, /between its creation and its end/);
  await unit.create();
  assert.equal(nameOf(unit), "a");
  await unit.end();
  assert.deepEqual(journal, ["a closed"]);
  assert.throws(() => unit.service, /between its creation and its end/);
});

test("a successor gets what its predecessor hands over; one that fails leaves it in place", async () => {
  const journal: string[] = [];
  const unit = unitOf(named("a", journal));
  await unit.create();
  const broken = provider({
    name: "broken",
    provides: Naming,
    create: () => {
      throw new Error("no names today");
    },
  });
  await assert.rejects(unit.replace({ id: "names", definition: broken }), /no names today/);
  assert.equal(nameOf(unit), "a");
  assert.equal(unit.definition.name, "a");
  assert.deepEqual(journal, []);
  await unit.replace({ id: "names", definition: named("b", journal) });
  assert.equal(nameOf(unit), "b after a");
  assert.deepEqual(journal, ["a closed"]);
  await unit.renew();
  assert.equal(nameOf(unit), "b after b");
});

test("a service is told of live settings that changed, and one that refuses them keeps the old", async () => {
  let shown = "none";
  const word = value.text({ form: "a word", examples: ["a"] });
  const told = provider({
    ...{ name: "told", provides: Naming },
    settings: { name: key(word, { default: "none", meaning: "N.", live: true }) },
    create: (unit) => ({
      service: () => shown,
      async changed() {
        await null;
        if (unit.settings.name === "bad") throw new Error("not that name");
        shown = unit.settings.name;
      },
    }),
  });
  const rig = await Rig.start({
    ...{ providers: [{ id: "names", definition: told }], connectors: [], components: [] },
  });
  const change = (name: string) =>
    rig.during(rig.system.changeSettings("names", new Map([["name", name]])));
  await change("a");
  assert.equal(shown, "a");
  await assert.rejects(change("bad"), /not that name/);
  assert.deepEqual([shown, rig.system.settingsOf("names").current], ["a", { name: "a" }]);
});

test("a provider whose create gives no service, or throws, is named with a code", async () => {
  const library = {
    // biome-ignore lint/suspicious/noThenProperty: this is what libraries with promises of their own give.
    then: (resolve: (made: unknown) => void) => resolve({ service: () => "other" }),
  };
  for (const [made, why] of [
    [() => null, /has no service/],
    [() => undefined, /has no service/],
    [() => ({}), /has no service/],
    [async () => ({ close: () => undefined }), /has no service/],
    [() => assert.fail("planted"), /planted/],
    [() => Promise.reject(new Error("planted")), /planted/],
  ] as const) {
    const definition = provider({ name: "b", provides: Naming, create: made as never });
    await assert.rejects(unitOf(definition).create(), (thrown: CrawlError) => {
      assert.deepEqual([thrown.code, thrown.facts["unit"]], ["INTERNAL_UNIT", "names"]);
      assert.match(thrown.message, /^The unit names could not be made: /);
      assert.match(thrown.message, why);
      return true;
    });
  }
  // Null may be what a role is about; and promises may be of another make.
  await unitOf(
    provider({ name: "b", provides: Naming, create: () => ({ service: null as never }) }),
  ).create();
  const unit = unitOf(provider({ name: "b", provides: Naming, create: () => library as never }));
  await unit.create();
  assert.equal(nameOf(unit), "other");
});

test("a provider that may take long is waited for", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = provider({
    ...{ name: "slow", provides: Naming, mayTakeLong: true },
    async create() {
      await promise;
      return { service: () => "slow" };
    },
  });
  const rig = await Rig.start({ providers: [{ id: "names", definition: named("a", []) }] });
  const swap = rig.system.swapProvider({ id: "names", definition: slow });
  let isMade = false;
  void swap.then(() => {
    isMade = true;
  });
  await rig.settle();
  assert.equal(isMade, false, "time has passed, and it is still waited for");
  resolve();
  await rig.during(swap);
  await rig.during(rig.system.close());
});

test("a provider that is made too late is closed, and the one before stays", async () => {
  const journal: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = provider({
    ...{ name: "late", provides: Naming },
    async create() {
      await promise;
      return { service: () => "late", close: () => void journal.push("late closed") };
    },
  });
  const rig = await Rig.start({
    providers: [{ id: "names", definition: named("a", journal) }],
  });
  const swap = rig.system.swapProvider({ id: "names", definition: late });
  await assert.rejects(rig.during(swap), /names was not made within 30000 ms/);
  assert.deepEqual(journal, []);
  resolve();
  await rig.settle();
  assert.deepEqual(journal, ["late closed"]);
  await rig.during(rig.system.close());
  assert.deepEqual(journal, ["late closed", "a closed"]);
});
