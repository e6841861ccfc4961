/**
 * What every connector must do, whatever lies between its ends. Nothing is assumed about when items
 * arrive, nor about how many may be on their way.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SeededRandom } from "../../base/random/index.ts";
import { type ConnectorOpening, Reader, Writer } from "./connector-actors.ts";

export function connectorSuite(name: string, open: ConnectorOpening): void {
  describe(`${name} is a connector`, () => {
    testOrder(open);
    testRoom(open);
    testEnds(open);
    testProperty(open);
  });
}

function testOrder(open: ConnectorOpening): void {
  test("items come out in the order in which they went in", async () => {
    const subject = await open({ capacity: 8 });
    const reader = new Reader(subject);
    new Writer(
      subject,
      upTo(100).map((item) => [item]),
    );
    assert.deepEqual(await reader.had(100), upTo(100));
    await subject.close();
  });

  test("a block of one producer is not mixed with another's", async () => {
    const subject = await open({ capacity: 10 });
    const reader = new Reader(subject);
    for (const base of [1000, 2000, 3000]) {
      new Writer(
        subject,
        upTo(4).map((block) => upTo(5).map((at) => base + block * 5 + at)),
      );
    }
    const items = await reader.had(60);
    for (let at = 0; at < 60; at += 5) {
      const first = items[at] ?? 0;
      assert.deepEqual(
        items.slice(at, at + 5),
        upTo(5).map((offset) => first + offset),
      );
    }
    await subject.close();
  });

  test("one item, or up to some number of them, can be taken", async () => {
    const subject = await open({ capacity: 8 });
    const outlet = subject.consumers.openOutlet("reader");
    const writer = new Writer(subject, [[1, 2, 3, 4, 5]]);
    await writer.offered();
    await subject.world.answer<null>((done) => {
      const look = (): void => {
        if (outlet.length === 5) done(null);
        else subject.later(look);
      };
      look();
    });
    const into: number[] = [0];
    assert.equal(outlet.tryTake(), 1);
    assert.equal(outlet.takeInto(into, 3), 3);
    assert.deepEqual(into, [0, 2, 3, 4]);
    assert.equal(outlet.takeInto(into, 3), 1);
    assert.equal(outlet.takeInto(into, 3), 0);
    assert.equal(outlet.tryTake(), undefined);
    await subject.close();
  });
}

function testRoom(open: ConnectorOpening): void {
  test("a full connector refuses, and tells when there is room", async () => {
    const subject = await open({ capacity: 4 });
    if (subject.refuses) {
      const inlet = subject.producers.openInlet();
      let sent = 0;
      while (inlet.tryOffer([sent])) sent += 1;
      assert.ok(sent >= 4, `it took only ${sent}`);
      assert.ok(!inlet.tryOffer([sent]));
      const reader = new Reader(subject);
      await subject.world.answer<null>((done) => inlet.whenRoom(1, () => done(null)));
      assert.ok(inlet.tryOffer([sent]));
      assert.deepEqual(await reader.had(sent + 1), upTo(sent + 1));
    }
    await subject.close();
  });

  test("a producer of large blocks is not starved by one of small ones", async () => {
    const subject = await open({ capacity: 4 });
    const reader = new Reader(subject);
    new Writer(
      subject,
      upTo(200).map((item) => [item]),
    );
    const large = upTo(10).map((block) => upTo(4).map((at) => 1000 + block * 4 + at));
    new Writer(subject, large);
    const items = await reader.had(240);
    const last = items.lastIndexOf(1039);
    assert.ok(last < 200, `the last large block came at ${last} of 240`);
    await subject.close();
  });
}

function testEnds(open: ConnectorOpening): void {
  test("an outlet is drained when all producers are done and the last item was taken", async () => {
    const subject = await open({ capacity: 4 });
    const [first, second] = [new Writer(subject, [[1]]), new Writer(subject, [[2], [3]])];
    await first.offered();
    first.inlet.close();
    await second.offered();
    const reader = new Reader(subject);
    await reader.had(3);
    assert.ok(!reader.isDrained);
    second.inlet.close();
    assert.deepEqual((await reader.drained()).toSorted(), [1, 2, 3]);
    await subject.close();
  });

  test("a producer that leaves does not end the connector", async () => {
    const subject = await open({ capacity: 4 });
    const reader = new Reader(subject);
    const first = new Writer(subject, [[1]]);
    await first.offered();
    first.inlet.leave();
    new Writer(subject, [[2]]);
    assert.deepEqual(await reader.had(2), [1, 2]);
    assert.ok(!reader.isDrained);
    await subject.close();
  });

  test("an end that was given back is told nothing any more", async () => {
    const subject = await open({ capacity: 4 });
    const told: string[] = [];
    const outlet = subject.consumers.openOutlet("reader");
    outlet.whenItems(() => told.push("items"));
    outlet.close();
    const inlet = subject.producers.openInlet();
    let sent = 0;
    if (subject.refuses) {
      const [left, closed] = [subject.producers.openInlet(), subject.producers.openInlet()];
      while (inlet.tryOffer([sent])) sent += 1;
      for (const one of [left, closed]) one.whenRoom(1, () => told.push("room"));
      left.leave();
      closed.close();
    } else {
      inlet.tryOffer([sent]);
      sent += 1;
    }
    const reader = new Reader(subject);
    assert.deepEqual(await reader.had(sent), upTo(sent));
    inlet.close();
    await reader.drained();
    assert.deepEqual(told, []);
    await subject.close();
  });

  test("consumers share the items: each goes to one of them", async () => {
    const subject = await open({ capacity: 4 });
    const readers = ["a", "b", "b"].map((consumer) => new Reader(subject, consumer));
    const writer = new Writer(
      subject,
      upTo(50).map((item) => [item]),
    );
    await writer.offered();
    writer.inlet.close();
    for (const reader of readers) await reader.drained();
    const items = readers.flatMap((reader) => reader.items);
    assert.deepEqual(
      items.toSorted((one, other) => one - other),
      upTo(50),
    );
    await subject.close();
  });
}

function testProperty(open: ConnectorOpening): void {
  const runs = process.env["TROBAR_FULL"] === "1" ? 300 : 30;
  for (let run = 0; run < runs; run += 1) {
    test(`whatever the blocks, every item comes out once, in its producer's order (seed ${run})`, async () => {
      const random = new SeededRandom(`connector ${run}`);
      const below = (end: number): number => random.below(end);
      const subject = await open({ capacity: 3 + below(7) });
      const producers = upTo(1 + below(4)).map(() => upTo(below(13)).map(() => 1 + below(3)));
      const reader = new Reader(subject, "reader", 1 + below(5));
      producers.forEach((sizes, who) => {
        new Writer(subject, blocksOf(who * 1000, sizes));
      });
      const items = await reader.had(sum(producers.flat()));
      producers.forEach((sizes, who) => {
        assert.deepEqual(
          items.filter((item) => Math.floor(item / 1000) === who),
          upTo(sum(sizes)).map((at) => who * 1000 + at),
        );
      });
      await subject.close();
    });
  }
}

function blocksOf(base: number, sizes: readonly number[]): number[][] {
  let next = base;
  return sizes.map((size) => {
    const block = upTo(size).map((at) => next + at);
    next += size;
    return block;
  });
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
