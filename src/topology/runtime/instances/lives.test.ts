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
} from "../../../../test/support/topology/runtime-rig.ts";
import { LocalConnector } from "../../connector/index.ts";
import { type ItemType, itemType } from "../../items/index.ts";
import { type ComponentDefinition, filter, general, join, merge, sink } from "../../unit/index.ts";
import type { ComponentWiring, ConnectorWiring } from "../index.ts";

/** By its name the same type as `Seat`, as authors know it. */
const Namesake = itemType<Seat>("test/seat");

/** An item that must be given back once. */
interface Seat {
  readonly number: number;
}

class Hall {
  readonly ends: string[] = [];
  readonly type: ItemType<Seat> = itemType<Seat>("test/seat", null, {
    shared: () => undefined,
    lost: ({ number }, error) => void this.ends.push(`${number} ${error?.code ?? "ended"}`),
  });

  readonly usher: ComponentDefinition = filter({
    ...{ name: "usher", input: itemType<number>("test/count"), output: this.type },
    create: () => (number, emit) => emit({ number }),
  });

  /** Seats 0 to 5 go through the units. */
  async run(
    units: readonly ComponentWiring[],
    connectors: readonly ConnectorWiring[] = [],
  ): Promise<Rig> {
    const wiring = {
      connectors: [local("counts"), this.line("in"), this.line("out"), ...connectors],
      components: [
        { id: "numbers", definition: numbers(6), ...to("counts") },
        { id: "usher", definition: this.usher, ...from("counts"), ...to("in") },
        ...units,
      ],
    };
    const rig = await Rig.start(wiring);
    await rig.settle();
    return rig;
  }

  /** A connector for seats. */
  line(id: string): ConnectorWiring {
    return { id, open: () => new LocalConnector<unknown>(this.type, { capacity: 10 }) };
  }

  /** The end of the line, which knows how to end a seat. */
  exit(into: number[] = []): ComponentWiring {
    const definition = sink({
      ...{ name: "exit", input: this.type },
      create: () => (seat) => void into.push(seat.number),
    });
    return { id: "exit", definition, ...from("out") };
  }
}

function mine(definition: ComponentDefinition): ComponentWiring {
  return { id: "mine", definition, ...from("in"), ...to("out") };
}

const isEven = ({ number }: Seat): boolean => number % 2 === 0;

for (const [how, take] of [
  ["at once", (seat: Seat, emit: (seat: Seat) => void) => (isEven(seat) ? emit(seat) : undefined)],
  [
    "in a promise",
    async (seat: Seat, emit: (seat: Seat) => void) => {
      await Promise.resolve();
      if (isEven(seat)) emit(seat);
    },
  ],
] as const) {
  test(`an item with a life that a filter drops ${how} is lost, and told by itself`, async () => {
    const hall = new Hall();
    const through: number[] = [];
    const definition = filter({
      ...{ name: "even", input: Namesake, output: Namesake, inFlightMax: 2 },
      create: () => take,
    });
    const rig = await hall.run([mine(definition), hall.exit(through)]);
    assert.deepEqual(through, [0, 2, 4]);
    assert.deepEqual(
      hall.ends,
      [1, 3, 5].map((number) => `${number} INTERNAL_UNIT_DROPPED`),
    );
    assert.deepEqual(
      rig.errors.map(({ facts }) => [facts["unit"], facts["item"]]),
      [1, 3, 5].map((number) => ["mine", `{ number: ${number} }`]),
    );
    assert.equal(rig.unit("mine").metrics["failed"], 3);
    assert.equal(rig.finishedCount, 1);
  });
}

test("items without a life are dropped without a word", async () => {
  const seen: number[] = [];
  const none = filter({
    ...{ name: "none", input: Count, output: Count },
    create: () => () => undefined,
  });
  const rig = await Rig.start({
    connectors: [local("a"), local("b")],
    components: [
      { id: "numbers", definition: numbers(20), ...to("a") },
      { id: "none", definition: none, ...from("a"), ...to("b") },
      { id: "collector", definition: collector(seen), ...from("b") },
    ],
  });
  await rig.settle();
  assert.deepEqual([seen, rig.errors, rig.finishedCount], [[], [], 1]);
});

test("an item that was emitted before its unit failed goes on, and is not lost as well", async () => {
  const hall = new Hall();
  const through: number[] = [];
  const definition = filter({
    ...{ name: "late", input: Namesake, output: Namesake },
    create: () => (seat, emit) => {
      if (seat.number < 3) emit(seat);
      if (isEven(seat)) throw new Error("planted");
      if (seat.number >= 3) emit(seat);
    },
  });
  await hall.run([mine(definition), hall.exit(through)]);
  assert.deepEqual(through, [0, 1, 2, 3, 5]);
  assert.deepEqual(hall.ends, ["4 INTERNAL_UNIT"]);
});

test("an item that was dropped cannot be emitted later", async () => {
  const hall = new Hall();
  const through: number[] = [];
  const definition = filter({
    ...{ name: "behind", input: Namesake, output: Namesake },
    create() {
      let kept: Seat | null = null;
      return (seat, emit) => {
        if (kept !== null) emit(kept);
        kept = seat;
      };
    },
  });
  const rig = await hall.run([mine(definition), hall.exit(through)]);
  assert.deepEqual([through, hall.ends.length], [[], 6]);
  assert.ok(rig.errors.some(({ message }) => message.includes("to output that it had dropped")));
});

test("a merge and a join pass on what they are given, or it is lost", async () => {
  const [merging, joining] = [new Hall(), new Hall()];
  const ends = { inputs: { input: Namesake }, outputs: { output: Namesake } };
  const merged = merge({
    ...{ ...ends, name: "merged" },
    create: () => ({
      take: { input: (seat, emit) => (isEven(seat) ? emit.output(seat) : undefined) },
    }),
  });
  const joined = join({
    ...{ ...ends, name: "joined" },
    create:
      () =>
      ({ input }, emit) =>
        isEven(input) ? emit.output(input) : undefined,
  });
  await merging.run([mine(merged), merging.exit()]);
  await joining.run([mine(joined), joining.exit()]);
  for (const { ends: ended } of [merging, joining]) {
    assert.deepEqual(
      ended,
      [1, 3, 5].map((number) => `${number} INTERNAL_UNIT_DROPPED`),
    );
  }
});

test("a join without outputs ends items as a sink does, if it declares their life", async () => {
  for (const [knowsLife, ended] of [
    [false, ["0 ended", "1 ended", "3 ended", "4 ended", "5 ended", "2 INTERNAL_UNIT"]],
    [true, ["2 INTERNAL_UNIT"]],
  ] as const) {
    const hall = new Hall();
    const definition = join({
      ...{ name: "end", inputs: { input: knowsLife ? hall.type : Namesake }, outputs: {} },
      create:
        () =>
        ({ input }) => {
          if (input.number === 2) throw new Error("planted");
        },
    });
    const rig = await hall.run([{ id: "end", definition, ...from("in") }]);
    assert.deepEqual(hall.ends.toSorted(), ended.toSorted());
    assert.deepEqual(
      rig.errors.map(({ code }) => code),
      ["INTERNAL_UNIT"],
    );
  }
});

test("a filter that makes something else of items ends them as a sink does", async () => {
  for (const [knowsLife, ended] of [
    [false, ["0 ended", "1 ended", "3 ended", "4 ended", "5 ended", "2 INTERNAL_UNIT"]],
    [true, ["2 INTERNAL_UNIT"]],
  ] as const) {
    const hall = new Hall();
    const seen: number[] = [];
    const definition = filter({
      ...{ name: "number", input: knowsLife ? hall.type : Namesake, output: Count },
      create:
        () =>
        ({ number }, emit) => {
          if (number === 2) throw new Error("planted");
          emit(number);
        },
    });
    const rig = await hall.run(
      [
        { id: "number", definition, ...from("in"), ...to("made") },
        { id: "collector", definition: collector(seen), ...from("made") },
      ],
      [local("made")],
    );
    assert.deepEqual(seen, [0, 1, 3, 4, 5]);
    assert.deepEqual(hall.ends.toSorted(), ended.toSorted());
    assert.deepEqual(
      rig.errors.map(({ code }) => code),
      ["INTERNAL_UNIT"],
    );
  }
});

test("a join that is given one item twice by a tee passes on one, and the other is lost", async () => {
  const hall = new Hall();
  const through: number[] = [];
  const open = () => new LocalConnector<unknown>(hall.type, { capacity: 10, isTee: true });
  const tee = { id: "tee", open };
  const left = filter({
    ...{ name: "left", input: Namesake, output: Namesake },
    create: () => (seat, emit) => emit(seat),
  });
  const definition = join({
    ...{ name: "both", inputs: { left: Namesake, right: Namesake }, outputs: { output: Namesake } },
    create: () => (seats, emit) => emit.output(seats.left),
  });
  await hall.run(
    [
      { id: "first", definition: left, ...from("in"), ...to("tee") },
      { id: "left", definition: left, ...from("tee"), ...to("lefts") },
      { id: "right", definition: left, ...from("tee"), ...to("rights") },
      { id: "both", definition, inputs: { left: "lefts", right: "rights" }, ...to("out") },
      hall.exit(through),
    ],
    [tee, hall.line("lefts"), hall.line("rights")],
  );
  assert.deepEqual(through, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(
    hall.ends,
    [0, 1, 2, 3, 4, 5].map((number) => `${number} INTERNAL_UNIT_DROPPED`),
  );
});

test("a sink that knows a type by its name ends its items, one that declares their life does so itself", async () => {
  for (const [type, ended] of [
    [Namesake, 6],
    [null, 0],
  ] as const) {
    const hall = new Hall();
    const definition = sink({
      ...{ name: "end", input: type ?? hall.type },
      create: () => () => undefined,
    });
    const rig = await hall.run([{ id: "end", definition, ...from("in") }]);
    assert.deepEqual(
      hall.ends,
      Array.from({ length: ended }, (_, number) => `${number} ended`),
    );
    assert.deepEqual(rig.errors, []);
  }
});

test("a general component keeps items while it holds, and drops them otherwise", async () => {
  const hall = new Hall();
  const through: number[] = [];
  const definition = general({
    ...{ name: "patient", inputs: { input: Namesake }, outputs: { output: Namesake } },
    create: (unit) => ({
      take: {
        input(seat) {
          if (!isEven(seat)) return;
          unit.hold();
          unit.clock.after(10, () => {
            unit.emit.output(seat);
            unit.letGo();
          });
        },
      },
    }),
  });
  const rig = await hall.run([mine({ ...definition, inFlightMax: 1 }), hall.exit(through)]);
  assert.deepEqual(through, [0, 2, 4]);
  assert.deepEqual(
    hall.ends,
    [1, 3, 5].map((number) => `${number} INTERNAL_UNIT_DROPPED`),
  );
  assert.equal(rig.finishedCount, 1);
});
