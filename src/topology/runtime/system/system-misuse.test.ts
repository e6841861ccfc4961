/** Units that do not keep to what is asked of them: each has a clear outcome, and harms no other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Count,
  collector,
  from,
  local,
  numbers,
  Rig,
  to,
  upTo,
  whole,
} from "../../../../test/support/topology/runtime-rig.ts";
import {
  type ComponentDefinition,
  type Emit,
  filter,
  general,
  join,
  merge,
  sink,
  source,
} from "../../unit/index.ts";

test("a unit whose close never comes back is told, and its successors end", async () => {
  const seen: number[] = [];
  let emitLate: Emit<number> = () => assert.fail("nothing was made");
  const stuck = filter({
    ...{ name: "stuck", input: Count, output: Count },
    create: () => ({
      take: (item, emit) => emit(item),
      close(emit) {
        emitLate = emit;
        emit(100);
        return new Promise<void>(() => undefined);
      },
    }),
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "numbers", definition: numbers(3), ...to("a") },
      { id: "stuck", definition: stuck, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.settle();
  assert.deepEqual(seen, [0, 1, 2, 100]);
  assert.equal(rig.finishedCount, 1);
  assert.match(rig.errors[0]?.message ?? "", /stuck: Error: it did not close within 30000 ms/);
  emitLate(101);
  assert.match(rig.errors[1]?.message ?? "", /emitted an item to output after its end/);
  await rig.during(rig.system.close());
  assert.equal(rig.errors.length, 2);
});

const NOTHING = (): never => undefined as never;
const EMPTY = (): never => ({}) as never;
const ENDS = { inputs: { one: Count, other: Count }, outputs: {} };
const OTHER = { take: { other: () => undefined } } as never;

/** Units whose `create` gives the wrong thing, and what is said of them. */
const EMPTY_HANDED: readonly [definition: ComponentDefinition, said: RegExp][] = [
  [source({ name: "x", output: Count, create: EMPTY }), /no function pull/],
  [source({ name: "x", output: Count, create: NOTHING }), /no function pull/],
  [sink({ name: "x", input: Count, create: EMPTY }), /no function take/],
  [filter({ name: "x", input: Count, output: Count, create: NOTHING }), /no function take/],
  [join({ name: "x", ...ENDS, create: EMPTY }), /no function join/],
  [merge({ name: "x", ...ENDS, create: () => OTHER }), /no function one/],
  [general({ name: "x", ...ENDS, create: async () => OTHER }), /no function one/],
  [general({ name: "x", ...ENDS, create: EMPTY }), /no function one/],
  [
    sink({
      ...{ name: "x", input: Count },
      create() {
        throw Object.create(null);
      },
    }),
    /something that cannot be shown/,
  ],
];

for (const [definition, said] of EMPTY_HANDED) {
  test(`a ${definition.kind} is not made without its work: ${said.source}`, async () => {
    const rig = new Rig();
    const bound = (ends: object) =>
      Object.fromEntries(Object.keys(ends).map((role) => [role, role]));
    const [inputs, outputs] = [bound(definition.inputs), bound(definition.outputs)];
    const connectors = [...Object.keys(inputs), ...Object.keys(outputs)].map((id) => local(id));
    const wiring = whole({ connectors, components: [{ id: "idle", definition, inputs, outputs }] });
    await assert.rejects(rig.during(rig.system.open(wiring)), (thrown: Error) => {
      assert.match(thrown.message, /^The unit idle could not be made: /);
      assert.match(thrown.message, said);
      return "code" in thrown && thrown.code === "INTERNAL_UNIT";
    });
  });
}

test("one item that becomes very many goes out in order, block by block", async () => {
  const seen: number[] = [];
  const many = filter({
    ...{ name: "many", input: Count, output: Count },
    create: () => (item, emit) => {
      for (const part of upTo(20_000)) emit(item * 20_000 + part);
    },
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("b", 7)],
    components: [
      { id: "numbers", definition: numbers(2), ...to("a") },
      { id: "many", definition: many, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.pass(3);
  const { waitingOut, metrics } = rig.unit("many");
  assert.equal(waitingOut + Number(metrics["emitted"]), 40_000);
  await rig.settle();
  assert.deepEqual(seen, upTo(40_000));
});
