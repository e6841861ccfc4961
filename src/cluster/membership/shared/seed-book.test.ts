import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel, SimDisk } from "../../../lab/simulator/index.ts";
import { openSeedBook, type SeedBook } from "./seed-book.ts";

const PLACE = { id: "a", generation: 1 };
const OTHER = { id: "b", generation: 1 };

class Rig {
  readonly kernel = new Kernel({ seed: "book" });
  readonly disk = new SimDisk(this.kernel.random);
  arrived: { seed: string; upTo: number }[] = [];
  readonly troubles: string[] = [];

  open(from = 0): SeedBook {
    const books: SeedBook[] = [];
    this.arrived = [];
    openSeedBook(
      {
        ...{ storage: this.disk.mount(this.kernel.clock), clock: this.kernel.clock, from },
        ...{ random: this.kernel.random, retryMs: 50 },
        arrived: (seeds, upTo) => this.arrived.push(...seeds.map((seed) => ({ seed, upTo }))),
        trouble: ({ code }) => this.troubles.push(code),
      },
      (error, book) => {
        assert.equal(error, null);
        books.push(book as SeedBook);
      },
    );
    this.kernel.pass(200);
    return books[0] as SeedBook;
  }

  get seeds(): string[] {
    return this.arrived.map(({ seed }) => seed);
  }
}

test("S1: a seed counts when it is durable, and is told then", () => {
  const rig = new Rig();
  const book = rig.open();
  book.addOwn(PLACE, ["one", "two"], () => undefined);
  assert.equal(book.held.of(PLACE), 0);
  rig.kernel.pass(100);
  assert.equal(book.held.of(PLACE), 2);
  rig.disk.crash();
  assert.equal(rig.open().held.of(PLACE), 2);
  assert.deepEqual(rig.seeds, ["one", "two"]);
});

test("S1, D1: seeds that come while others are being written are told and answered when durable", () => {
  const rig = new Rig();
  const book = rig.open();
  let isDurable = false;
  book.addOwn(PLACE, ["one"], () => undefined);
  book.addOwn(PLACE, ["two"], () => {
    isDurable = true;
    rig.disk.crash();
  });
  rig.kernel.pass(100);
  assert.ok(isDurable);
  rig.open();
  assert.deepEqual(rig.seeds, ["one", "two"]);
});

test("after a restart only seeds after a position are told again", () => {
  const rig = new Rig();
  const book = rig.open();
  book.addOwn(PLACE, ["one"], () => undefined);
  rig.kernel.pass(100);
  const upTo = rig.arrived[0]?.upTo ?? 0;
  book.addOwn(PLACE, ["two"], () => undefined);
  rig.kernel.pass(100);
  rig.disk.crash();
  rig.open(upTo);
  assert.deepEqual(rig.seeds, ["two"]);
});

test("a batch is taken as far as it continues what is held", () => {
  const rig = new Rig();
  const book = rig.open();
  book.add({ origin: OTHER, first: 3, seeds: ["four"] }, () => undefined);
  book.add({ origin: OTHER, first: 0, seeds: ["one", "two"] }, () => undefined);
  book.add({ origin: OTHER, first: 1, seeds: ["two", "three"] }, () => undefined);
  book.add({ origin: OTHER, first: 0, seeds: ["one"] }, () => undefined);
  rig.kernel.pass(100);
  assert.deepEqual(rig.seeds, ["one", "two", "three"]);
  assert.equal(book.held.of(OTHER), 3);
});

test("another agent gets what follows what it has, of every place", () => {
  const rig = new Rig();
  const book = rig.open();
  book.add({ origin: PLACE, first: 0, seeds: ["one", "two"] }, () => undefined);
  book.add({ origin: OTHER, first: 0, seeds: ["three"] }, () => undefined);
  rig.kernel.pass(100);
  const got: string[] = [];
  book.after([{ origin: PLACE, count: 2 }], (batches) => {
    got.push(...batches.flatMap(({ seeds }) => seeds));
  });
  rig.kernel.pass(100);
  assert.deepEqual(got, ["three"]);
  let isCalled = false;
  book.after(book.held.list(), (batches) => {
    isCalled = batches.length === 0;
  });
  rig.kernel.pass(100);
  assert.ok(isCalled);
});

test("D1: on a full disk nothing counts until there is room", () => {
  const rig = new Rig();
  const book = rig.open();
  rig.disk.capacityBytes = 0;
  let isDone = false;
  book.addOwn(PLACE, ["one"], () => {
    isDone = true;
  });
  rig.kernel.pass(500);
  assert.equal(isDone, false);
  assert.equal(book.held.of(PLACE), 0);
  assert.ok(rig.troubles.includes("STORAGE_FULL"));
  rig.disk.capacityBytes = 2 ** 30;
  rig.kernel.pass(200);
  assert.ok(isDone);
});

test("what two books hold has the same hash, in whatever order it came", () => {
  const [one, other] = [new Rig(), new Rig()];
  const batches = [
    { origin: PLACE, first: 0, seeds: ["x"] },
    { origin: OTHER, first: 0, seeds: ["y"] },
  ];
  const [a, b] = [one.open(), other.open()];
  assert.equal(a.held.hash, "");
  for (const batch of batches) a.add(batch, () => undefined);
  for (const batch of batches.toReversed()) b.add(batch, () => undefined);
  one.kernel.pass(100);
  other.kernel.pass(100);
  assert.equal(a.held.hash, b.held.hash);
  assert.ok(a.held.covers(b.held.list()));
  assert.ok(!a.held.covers([{ origin: PLACE, count: 2 }]));
});

test("S1: damage to seeds is told, and those before it are held", () => {
  const rig = new Rig();
  const book = rig.open();
  for (const seed of ["one", "two", "three"]) {
    book.addOwn(PLACE, [seed], () => undefined);
    rig.kernel.pass(100);
  }
  const { length = 0 } = rig.disk.contentOf("cluster/seeds.log") ?? [];
  rig.disk.crash();
  rig.disk.flipBit("cluster/seeds.log", 4 * length);
  assert.equal(rig.open().held.of(PLACE), 1);
  assert.deepEqual(rig.troubles, ["CLUSTER_SEEDS_DAMAGED"]);
});
