import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { LocalConnector } from "../connector/index.ts";
import { System } from "../runtime/index.ts";
import { join, sink, source } from "../unit/index.ts";
import { codec, itemType } from "./index.ts";

/** A type whose items are told what becomes of them. */
function told(events: string[]) {
  return itemType("test/held", codec.count, {
    shared: (item, consumers) => events.push(`${item} shared by ${consumers}`),
    lost: (item, error) => events.push(`${item} lost by ${error?.code ?? "nobody"}`),
  });
}

test("an item in a tee is told how many have it, and when a consumer leaves without taking it", () => {
  const events: string[] = [];
  const tee = new LocalConnector(told(events), { capacity: 4, isTee: true });
  const [one, two] = [tee.openOutlet("one"), tee.openOutlet("two")];
  tee.openInlet().tryOffer([1, 2]);
  assert.deepEqual(events.splice(0), ["1 shared by 2", "2 shared by 2"]);
  one.tryTake();
  one.close();
  assert.deepEqual(events.splice(0), ["2 lost by nobody"]);
  assert.equal(two.length, 2);
});

test("an item is told when a unit fails on it, at once or later", async () => {
  const events: string[] = [];
  const Held = told(events);
  const time = new SimulatedTime();
  const connector = (id: string) => ({
    ...{ id, open: () => new LocalConnector<unknown>(Held, { capacity: 9 }) },
  });
  const three = source({
    name: "three",
    output: Held,
    create: (unit) => ({
      pull: (_countMax, emit) => {
        for (const item of [1, 2, 3]) emit(item);
        unit.finish();
        return false;
      },
    }),
  });
  const failing = sink({
    name: "failing",
    input: Held,
    inFlightMax: 9,
    create: () => (item) => {
      if (item === 1) throw new Error("at once");
      return item === 2 ? Promise.reject(new Error("later")) : undefined;
    },
  });
  const pairs = join({
    name: "pairs",
    inputs: { left: Held, right: Held },
    outputs: {},
    create: () => (items) => {
      if (items.left === 3) throw new Error("a pair");
    },
  });
  const ignore = (): void => {};
  const system = new System({ clock: time, report: ignore, failed: ignore, finished: ignore });
  await system.open({
    providers: [],
    connectors: ["a", "b", "c"].map(connector),
    components: [
      { id: "one", definition: three, outputs: { output: "a" } },
      { id: "failing", definition: failing, inputs: { input: "a" } },
      { id: "two", definition: three, outputs: { output: "b" } },
      { id: "three", definition: three, outputs: { output: "c" } },
      { id: "pairs", definition: pairs, inputs: { left: "b", right: "c" } },
    ],
  });
  system.start();
  time.settle();
  await new Promise<void>((resolve) => setImmediate(resolve));
  const lost = events.toSorted();
  const by = "lost by INTERNAL_UNIT";
  assert.deepEqual(lost, [`1 ${by}`, `2 ${by}`, `3 ${by}`, `3 ${by}`]);
});
