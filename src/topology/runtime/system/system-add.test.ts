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
  tee,
  to,
  upTo,
  whole,
} from "../../../../test/support/topology/runtime-rig.ts";
import { LocalConnector } from "../../connector/index.ts";
import { codec, itemType } from "../../items/index.ts";
import { filter, provider, providerRole, sink } from "../../unit/index.ts";

test("units are added as a whole: nothing is left of them if one cannot be made", async () => {
  const journal: string[] = [];
  const Naming = providerRole<string>("naming");
  const names = provider({
    ...{ name: "names", provides: Naming },
    create: () => ({ service: "", close: () => void journal.push("names closed") }),
  });
  const bad = sink({
    ...{ name: "bad", input: Count },
    create: () => {
      throw new Error("no bad ones");
    },
  });
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a", 3)],
    components: [
      { id: "numbers", definition: slowNumbers(20), ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  const more = whole({
    providers: [{ id: "names", definition: names }],
    connectors: [tee("c", 1)],
    components: [
      { id: "copy", definition: slow(), ...from("a"), ...to("c") },
      { id: "bad", definition: bad, ...from("c") },
    ],
  });
  await rig.pass(5);
  await assert.rejects(rig.during(rig.system.add(more)), /no bad ones/);
  assert.deepEqual(journal, ["names closed"]);
  assert.deepEqual(
    rig.system.units().map(({ id }) => id),
    ["numbers", "collector"],
  );
  assert.deepEqual(
    rig.system.connectors().map(({ id }) => id),
    ["a"],
  );
  await rig.settle();
  assert.deepEqual([seen, rig.finishedCount], [upTo(20), 1]);
});

test("what does not fit is refused before anything is made, with all reasons at once", async () => {
  const Naming = providerRole<string>("naming");
  const Other = providerRole<string>("other");
  const Text = itemType("test/text", codec.text);
  let made = 0;
  const user = filter({
    ...{ name: "user", input: Count, output: Text, providers: { naming: Naming, more: Naming } },
    create() {
      made += 1;
      return () => undefined;
    },
  });
  const other = provider({ name: "other", provides: Other, create: () => ({ service: "" }) });
  const rig = await Rig.start({
    providers: [{ id: "other", definition: other }],
    connectors: [local("a"), local("done")],
    components: [
      { id: "gate", definition: gate().definition, ...to("a") },
      { id: "none", definition: numbers(0), ...to("done") },
      { id: "collector", definition: collector([]), ...from("a") },
      { id: "second", definition: collector([]), ...from("done") },
    ],
  });
  await rig.settle();
  const added = rig.system.add(
    whole({
      connectors: [local("a")],
      components: [
        {
          ...{ id: "user", definition: user, inputs: { input: "nowhere", typo: "a" } },
          ...{ outputs: { output: "a" }, providers: { naming: "other" } },
        },
        { id: "late", definition: numbers(1), ...to("done") },
        { id: "a", definition: numbers(1), ...to("a") },
      ],
    }),
  );
  await assert.rejects(rig.during(added), (thrown: Error) => {
    for (const why of [
      "there is a unit or connector a already",
      "other is other, but naming, provider of user, is naming",
      "nothing is bound to more, provider of user",
      "typo is no input of user",
      "there is no nowhere, which input, input of user, is bound to",
      "all producers of done are done",
    ]) {
      assert.equal(thrown.message.split(why).length, 2, `${why}, once: ${thrown.message}`);
    }
    return true;
  });
  const text = { id: "t", open: () => new LocalConnector<unknown>(Text, { capacity: 1 }) };
  const mixed = whole({
    connectors: [text],
    components: [{ id: "third", definition: collector([]), ...from("t") }],
  });
  await assert.rejects(
    rig.during(rig.system.add(mixed)),
    /t carries test\/text, but input of third is test\/count/,
  );
  assert.equal(made, 0);
});

test("consumers of a tee come and go under load: each has what came while it was there", async () => {
  const kept: number[] = [];
  const rig = await Rig.start({
    connectors: [tee("a", 3)],
    components: [
      { id: "numbers", definition: slowNumbers(200), ...to("a") },
      { id: "keeper", definition: collector(kept), ...from("a") },
    ],
  });
  for (const round of upTo(6)) {
    const had: number[] = [];
    const visitor = { id: `visitor${round}`, definition: collector(had), ...from("a") };
    await rig.pass(3);
    await rig.during(rig.system.add(whole({ components: [visitor] })));
    await rig.pass(6);
    await rig.during(rig.system.remove(visitor.id));
    assert.ok(had.length > 0);
    assert.deepEqual(
      had,
      upTo(had.length).map((at) => (had[0] ?? 0) + at),
    );
  }
  await rig.settle();
  assert.deepEqual([kept, rig.finishedCount], [upTo(200), 1]);
});

test("a component is replaced by another one, with what waits for it", async () => {
  const [one, other]: [number[], number[]] = [[], []];
  const { definition, emit, finish } = gate();
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "gate", definition, ...to("a") },
      { id: "one", definition: collector(one), ...from("a") },
    ],
  });
  emit(1);
  await rig.settle();
  await rig.during(rig.system.remove("one"));
  emit(2);
  await rig.settle();
  const next = whole({ components: [{ id: "one", definition: collector(other), ...from("a") }] });
  await rig.during(rig.system.add(next));
  emit(3);
  finish();
  await rig.settle();
  assert.deepEqual([one, other, rig.finishedCount], [[1], [2, 3], 1]);
});

test("a producer that is removed and added again goes on; what it emitted arrives first", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a", 1)],
    components: [
      { id: "first", definition: slowNumbers(1000), ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.pass(30);
  await rig.during(rig.system.remove("first"));
  const emitted = seen.length;
  assert.ok(emitted > 0);
  await rig.settle();
  assert.equal(rig.finishedCount, 0, "another one may come");
  const next = whole({ components: [{ id: "first", definition: numbers(5), ...to("a") }] });
  await rig.during(rig.system.add(next));
  await rig.settle();
  assert.deepEqual(seen.slice(-5), upTo(5));
  assert.equal(rig.finishedCount, 1);
});

test("what others use is not removed; what nobody uses is", async () => {
  const Naming = providerRole<string>("naming");
  const closed: string[] = [];
  const names = provider({
    ...{ name: "names", provides: Naming },
    create: (unit) => ({ service: "", close: () => void closed.push(unit.name) }),
  });
  const user = sink({
    ...{ name: "user", input: Count, providers: { naming: Naming } },
    create: () => () => undefined,
  });
  const rig = await Rig.start({
    providers: [
      { id: "names", definition: names },
      { id: "spare", definition: names },
    ],
    connectors: [local("a"), local("free")],
    components: [
      { id: "gate", definition: gate().definition, ...to("a") },
      { id: "user", definition: user, ...from("a"), providers: { naming: "names" } },
    ],
  });
  await assert.rejects(rig.during(rig.system.remove("names")), /names is used by user/);
  await assert.rejects(rig.during(rig.system.remove("a")), /a is used by gate, user/);
  await assert.rejects(
    rig.during(rig.system.remove("nobody")),
    /there is no unit or connector nobody; there are names, .*user/,
  );
  for (const id of ["spare", "free", "user", "gate", "names", "a"]) {
    await rig.during(rig.system.remove(id));
  }
  assert.deepEqual([rig.system.units(), rig.system.connectors()], [[], []]);
  assert.deepEqual(closed, ["spare", "names"]);
});

test("the end is told once, and again only after something was added", async () => {
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "numbers", definition: numbers(3), ...to("a") },
      { id: "collector", definition: collector([]), ...from("a") },
    ],
  });
  await rig.settle();
  await rig.during(rig.system.remove("numbers"));
  assert.equal(rig.finishedCount, 1);
  await rig.during(
    rig.system.add(
      whole({
        connectors: [local("b")],
        components: [
          { id: "numbers", definition: numbers(3), ...to("b") },
          { id: "second", definition: collector([]), ...from("b") },
        ],
      }),
    ),
  );
  await rig.settle();
  assert.equal(rig.finishedCount, 2);
});

test("the last producer that is removed ends a connector whose other producers are done", async () => {
  const seen: number[] = [];
  const rig = await Rig.start({
    connectors: [local("a")],
    components: [
      { id: "numbers", definition: numbers(3), ...to("a") },
      { id: "gate", definition: gate().definition, ...to("a") },
      { id: "collector", definition: collector(seen), ...from("a") },
    ],
  });
  await rig.settle();
  assert.equal(rig.unit("numbers").state, "finished");
  await rig.during(rig.system.remove("gate"));
  await rig.settle();
  assert.deepEqual([seen, rig.finishedCount], [upTo(3), 1]);
});
