import assert from "node:assert/strict";
import { test } from "node:test";
import { codec, type ItemLife, itemType } from "../items/index.ts";
import { LocalConnector, PriorityLine } from "./index.ts";

const Count = itemType("test/count", codec.count);

test("a tee gives every item to each consumer, and the slowest holds producers up", () => {
  const tee = new LocalConnector(Count, { capacity: 2, isTee: true });
  const [fast, slow] = [tee.openOutlet("fast"), tee.openOutlet("slow")];
  const inlet = tee.openInlet();
  assert.ok(inlet.tryOffer([1, 2]));
  assert.equal(fast.takeInto([], 9), 2);
  assert.ok(!inlet.tryOffer([3]), "the slow one has taken nothing");
  let isTold = false;
  inlet.whenRoom(1, () => {
    isTold = true;
  });
  assert.equal(slow.tryTake(), 1);
  assert.ok(isTold);
  assert.ok(inlet.tryOffer([3]));
  assert.equal(fast.tryTake(), 3);
});

test("instances of one consumer share its items of a tee", () => {
  const tee = new LocalConnector(Count, { capacity: 4, isTee: true });
  const [one, two, other] = ["a", "a", "b"].map((consumer) => tee.openOutlet(consumer));
  tee.openInlet().tryOffer([1, 2]);
  assert.equal(one?.tryTake(), 1);
  assert.equal(two?.tryTake(), 2);
  assert.equal(other?.tryTake(), 1);
});

test("a consumer of a tee that has gone holds nobody up", () => {
  const tee = new LocalConnector(Count, { capacity: 1, isTee: true });
  const [stays, goes] = [tee.openOutlet("stays"), tee.openOutlet("goes")];
  const inlet = tee.openInlet();
  assert.ok(inlet.tryOffer([1]));
  assert.equal(stays.tryTake(), 1);
  assert.ok(!inlet.tryOffer([2]));
  goes.close();
  assert.ok(inlet.tryOffer([2]));
  assert.equal(stays.tryTake(), 2);
  assert.ok(inlet.tryOffer([3]), "nothing is put aside for it");
});

test("a tee holds as much as its slowest consumer has to take, whoever came first", () => {
  for (const names of [
    ["slow", "fast"],
    ["fast", "slow"],
  ]) {
    const tee = new LocalConnector(Count, { capacity: 3, isTee: true });
    const outlets = new Map(names.map((name) => [name, tee.openOutlet(name)]));
    const inlet = tee.openInlet();
    assert.ok(inlet.tryOffer([1, 2, 3]));
    outlets.get("fast")?.takeInto([], 3);
    assert.equal(tee.length, 3);
    assert.ok(!inlet.tryOffer([4]), names.join());
  }
});

test("a large block that waits is not overtaken by small ones", () => {
  const connector = new LocalConnector(Count, { capacity: 3 });
  const [large, small] = [connector.openInlet(), connector.openInlet()];
  const outlet = connector.openOutlet("any");
  assert.ok(small.tryOffer([1, 2, 3]));
  let isTold = false;
  large.whenRoom(2, () => {
    isTold = true;
  });
  outlet.tryTake();
  assert.ok(!small.tryOffer([4]), "there is room for it, but another waits");
  outlet.tryTake();
  assert.ok(isTold && large.tryOffer([5, 6]));
  const taken: number[] = [];
  outlet.takeInto(taken, 9);
  assert.deepEqual(taken, [3, 5, 6]);
});

test("items stay in order while their number grows, wherever the first of them is", () => {
  for (let taken = 0; taken < 16; taken += 1) {
    const connector = new LocalConnector(Count, { capacity: 100 });
    const [inlet, outlet] = [connector.openInlet(), connector.openOutlet("any")];
    const numbers = Array.from({ length: 80 }, (_, at) => at);
    const seen: number[] = [];
    inlet.tryOffer(numbers.slice(0, 16));
    outlet.takeInto(seen, taken);
    inlet.tryOffer(numbers.slice(16, 40));
    inlet.tryOffer(numbers.slice(40));
    outlet.takeInto(seen, 100);
    assert.deepEqual(seen, numbers);
  }
});

test("items by priority: the smallest first, in order of arrival among equals", () => {
  const openLine = () => new PriorityLine<number>((item) => item % 10);
  const connector = new LocalConnector(Count, { capacity: 9, openLine });
  connector.openInlet().tryOffer([25, 31, 12, 5, 41]);
  const taken: number[] = [];
  connector.openOutlet("any").takeInto(taken, 9);
  assert.deepEqual(taken, [31, 41, 12, 25, 5]);
});

test("room that was promised to one producer is not taken by another", () => {
  const connector = new LocalConnector(Count, { capacity: 2 });
  const [first, second] = [connector.openInlet(), connector.openInlet()];
  const outlet = connector.openOutlet("any");
  assert.ok(second.tryOffer([1, 2]));
  first.whenRoom(2, () => undefined);
  outlet.takeInto([], 2);
  assert.ok(!second.tryOffer([3]), "the room is kept for the first");
  assert.ok(first.tryOffer([4, 5]));
});

test("a producer that closes gives up the room that was kept for it", () => {
  const connector = new LocalConnector(Count, { capacity: 1 });
  const [first, second] = [connector.openInlet(), connector.openInlet()];
  const outlet = connector.openOutlet("any");
  assert.ok(second.tryOffer([1]));
  first.whenRoom(1, () => undefined);
  let isTold = false;
  second.whenRoom(1, () => {
    isTold = true;
  });
  outlet.tryTake();
  assert.ok(!isTold);
  first.close();
  assert.ok(isTold);
  assert.ok(second.tryOffer([2]));
});

test("those who wait longest are woken first", () => {
  const connector = new LocalConnector(Count, { capacity: 4 });
  const outlets = ["a", "b", "c"].map((consumer) => connector.openOutlet(consumer));
  const woken: number[] = [];
  outlets.forEach((outlet, at) => {
    outlet.whenItems(() => woken.push(at));
  });
  const inlet = connector.openInlet();
  inlet.tryOffer([1]);
  assert.deepEqual(woken, [0]);
  inlet.tryOffer([2, 3]);
  assert.deepEqual(woken, [0, 1, 2]);
});

test("what is inside is handed over to another connector, in order and by consumer", () => {
  const [before, after] = [true, true].map(
    (isTee) => new LocalConnector(Count, { capacity: 3, isTee }),
  );
  const ends = ["a", "b"].map((consumer) => before?.openOutlet(consumer));
  before?.openInlet().tryOffer([1, 2, 3]);
  ends[0]?.takeInto([], 2);
  after?.takeOver(before?.handOver() ?? new Map());
  assert.equal(before?.length, 0);
  const taken: number[] = [];
  after?.openOutlet("a").takeInto(taken, 9);
  assert.deepEqual(taken, [3]);
  after?.openOutlet("b").takeInto(taken, 9);
  assert.deepEqual(taken, [3, 1, 2, 3]);
});

test("a consumer that was woken and leaves without taking leaves its item to the others", () => {
  const connector = new LocalConnector(Count, { capacity: 4 });
  const [goes, stays] = [connector.openOutlet("any"), connector.openOutlet("any")];
  const woken: string[] = [];
  goes.whenItems(() => woken.push("goes"));
  stays.whenItems(() => woken.push("stays"));
  connector.openInlet().tryOffer([1]);
  assert.deepEqual(woken, ["goes"]);
  goes.close();
  assert.deepEqual(woken, ["goes", "stays"]);
  assert.equal(stays.tryTake(), 1);
});

test("the items of a tee's consumer that has gone are told to be lost", () => {
  const lost: number[] = [];
  const life: ItemLife<number> = {
    shared: () => undefined,
    lost: (item) => void lost.push(item),
  };
  const connector = new LocalConnector(
    { ...itemType<number>("test/life"), life },
    {
      ...{ capacity: 4, isTee: true },
    },
  );
  const [one, other] = [connector.openOutlet("one"), connector.openOutlet("other")];
  connector.openInlet().tryOffer([1, 2]);
  one.tryTake();
  one.close();
  assert.deepEqual([lost, other.length], [[2], 2]);
});
