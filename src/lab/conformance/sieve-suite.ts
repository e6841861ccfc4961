/**
 * What every `Sieve` must do. Power failures, flipped bits and a full disk are tested with the
 * implementation on disk.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Random } from "../../base/seams/index.ts";
import {
  pairOfDepths,
  RECORD_BYTES_MAX,
  type Sieve,
  type SieveListener,
} from "../../frontier/sieve/index.ts";
import { ask, resultOf, succeed } from "./ask.ts";
import { SieveFront, type TestOffer, type Told, toldOf } from "./sieve-model.ts";
import type { World } from "./world.ts";

export interface SieveOpening {
  readonly listener: SieveListener;
  readonly marks: string | null;
  readonly withDepth: boolean;
  /** How many offers are gathered before they are decided. */
  readonly batchOffers: number;
}

export interface SieveSubject {
  readonly world: World;
  readonly random: Random;
  /** Opens the sieve of this subject as of the marks; the one before is closed. */
  open(opening: SieveOpening): Promise<Sieve>;
  /** Removes everything. */
  dispose(): Promise<void>;
}

type Opening = () => Promise<SieveSubject>;

export function sieveSuite(name: string, open: Opening): void {
  describe(`${name} is a sieve`, () => {
    testTelling(open);
    testBackPressure(open);
    testCheckpoints(open);
  });
}

/** A sieve with its front, and short ways to use both. */
class SieveProbe {
  readonly subject: SieveSubject;
  readonly withDepth: boolean;
  readonly batchOffers: number;
  front = new SieveFront();
  #sieve: Sieve | null = null;

  constructor(subject: SieveSubject, shape: { withDepth?: boolean; batchOffers?: number } = {}) {
    this.subject = subject;
    this.withDepth = shape.withDepth ?? false;
    this.batchOffers = shape.batchOffers ?? 16;
  }

  get sieve(): Sieve {
    assert(this.#sieve !== null, "the sieve is open");
    return this.#sieve;
  }

  async open(marks: string | null = null): Promise<void> {
    const { withDepth, batchOffers } = this;
    this.front = new SieveFront();
    const listener = this.front;
    this.#sieve = await this.subject.open({ listener, marks, withDepth, batchOffers });
  }

  async close(): Promise<void> {
    await succeed(this.subject.world, (done) => this.sieve.close(done));
  }

  checkpoint(): Promise<string> {
    return resultOf<string>(this.subject.world, (done) => this.sieve.checkpoint(done));
  }

  tryOffer({ high, low, depth, text }: TestOffer): boolean {
    const bytes = Buffer.from(`<${text}>`, "latin1");
    return this.sieve.tryOffer(high, low, depth, bytes, 1, bytes.length - 1);
  }

  async offer(offer: TestOffer): Promise<void> {
    while (!this.tryOffer(offer)) await this.until(() => this.front.rooms > 0);
    this.front.rooms = 0;
  }

  async offerAll(offers: readonly TestOffer[]): Promise<void> {
    for (const offer of offers) await this.offer(offer);
  }

  /** Starts something, and waits until something was told that makes this true. */
  until(isSo: () => boolean, start: () => void = () => undefined): Promise<void> {
    return ask<void>(this.subject.world, (answered) => {
      this.front.onChange = () => {
        if (!isSo()) return;
        this.front.onChange = () => undefined;
        answered();
      };
      start();
    });
  }

  /** Has everything decided and given out. */
  async settle(): Promise<void> {
    if (this.sieve.pending === 0) return;
    this.front.idles = 0;
    await this.until(
      () => this.front.idles > 0,
      () => this.sieve.flush(),
    );
  }

  assertTold(expected: Told): void {
    assert.deepEqual(this.front.told, expected);
    assert.deepEqual(this.front.failures, []);
  }
}

/** Keys of which many are equal, some in one half only. */
function drawOffer(random: Random, spread: number): TestOffer {
  const high = random.below(3) === 0 ? 0xffffffff : random.below(spread);
  const low = random.below(spread);
  const text = `http://${high}/${"x".repeat(random.below(60))}${random.below(1000)}`;
  return { high, low, depth: random.below(12), text };
}

function drawMany(random: Random, count: number, spread = 30): TestOffer[] {
  return Array.from({ length: count }, () => drawOffer(random, spread));
}

function testTelling(open: Opening): void {
  for (const withDepth of [false, true]) {
    const kind = withDepth ? "with depths" : "without depths";
    test(`${kind}, every URL is told once, in the order of first offers`, async () => {
      const probe = new SieveProbe(await open(), { withDepth });
      await probe.open();
      const offers = drawMany(probe.subject.random, 500);
      for (let at = 0; at < offers.length; at += 50) {
        await probe.offerAll(offers.slice(at, at + 50));
        if (probe.subject.random.below(2) === 0) await probe.settle();
      }
      await probe.settle();
      const expected = toldOf(offers, withDepth);
      probe.assertTold(expected);
      assert.equal(probe.sieve.seen, expected.fresh.length);
      assert.equal(probe.sieve.pending, 0);
      await probe.close();
      await probe.subject.dispose();
    });
  }

  test("of pairs of depths, the best of both so far is told whenever one of them improves", async () => {
    const probe = new SieveProbe(await open(), { withDepth: true });
    await probe.open();
    const { random } = probe.subject;
    const offers = drawMany(random, 600, 12).map((offer) => ({
      ...offer,
      depth: random.below(8) === 0 ? 0x8001 : pairOfDepths(random.below(20), random.below(20)),
    }));
    for (let at = 0; at < offers.length; at += 50) {
      await probe.offerAll(offers.slice(at, at + 50));
      if (random.below(2) === 0) await probe.settle();
    }
    await probe.settle();
    const expected = toldOf(offers, true);
    assert.ok(expected.improved.length > 20);
    probe.assertTold(expected);
    await probe.close();
    await probe.subject.dispose();
  });

  test("nothing is pending only when improvements, too, have been told", async () => {
    const probe = new SieveProbe(await open(), { withDepth: true });
    await probe.open();
    const known = { high: 1, low: 1, depth: 3, text: "known" };
    await probe.offer(known);
    await probe.settle();
    // Both are in one batch, the new one first.
    await probe.offer({ high: 2, low: 2, depth: 1, text: "new" });
    await probe.offer({ ...known, depth: 2 });
    const { front, sieve } = probe;
    await probe.until(
      () => {
        if (front.told.improved.length === 0)
          assert.ok(sieve.pending > 0, "one is still to be told");
        return sieve.pending === 0;
      },
      () => sieve.flush(),
    );
    assert.deepEqual(front.told.improved, ["1 1 2"]);
    assert.equal(front.idles, 2, "the end is told after both");
    await probe.close();
    await probe.subject.dispose();
  });

  test("nothing is told before a batch is full or everything is to be decided", async () => {
    const probe = new SieveProbe(await open());
    await probe.open();
    await probe.offerAll(drawMany(probe.subject.random, 10));
    await probe.checkpoint();
    assert.deepEqual(probe.front.batches, []);
    assert.equal(probe.sieve.pending, 10);
    await probe.settle();
    assert.ok(probe.front.batches.length > 0);
    await probe.close();
    await probe.subject.dispose();
  });

  test("records of any length and any bytes come back as they were", async () => {
    const probe = new SieveProbe(await open());
    await probe.open();
    const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join("");
    const texts = ["", bytes, "x".repeat(RECORD_BYTES_MAX), "y".repeat(RECORD_BYTES_MAX - 1)];
    const offers = texts.map((text, low) => ({ high: 7, low, depth: 65_535, text }));
    await probe.offerAll(offers);
    await probe.settle();
    assert.deepEqual(
      probe.front.told.fresh.map(sizeAndEnds),
      toldOf(offers, false).fresh.map(sizeAndEnds),
    );
    await probe.close();
    await probe.subject.dispose();
  });

  test("when everything has been told, the front is told that nothing is pending", async () => {
    const probe = new SieveProbe(await open());
    await probe.open();
    const [offer] = drawMany(probe.subject.random, 1);
    assert(offer !== undefined);
    await probe.offer(offer);
    await probe.settle();
    await probe.offer(offer);
    await probe.settle();
    assert.equal(probe.front.idles, 1, "also when there was nothing new");
    assert.equal(probe.front.told.fresh.length, 1);
    await probe.close();
    await probe.subject.dispose();
  });
}

function sizeAndEnds(line: string): string {
  return `${line.length} ${line.slice(0, 300)} ${line.slice(-10)}`;
}

function testBackPressure(open: Opening): void {
  test("a front that asks for no more gets no more, and offers are refused in the end", async () => {
    const probe = new SieveProbe(await open(), { batchOffers: 8 });
    await probe.open();
    probe.front.appetite = 0;
    const offers = drawMany(probe.subject.random, 1000, 1_000_000);
    let taken = 0;
    const offerSome = (): void => {
      while (taken < offers.length && probe.tryOffer(offers[taken] as TestOffer)) taken++;
    };
    await probe.until(() => probe.front.isFull, offerSome);
    for (let tries = 0; tries < 100; tries++) {
      offerSome();
      await probe.checkpoint();
    }
    assert.equal(probe.front.batches.length, 1);
    assert.ok(taken < 100, `${taken} offers were taken`);
    probe.front.feed(Number.POSITIVE_INFINITY);
    await probe.offerAll(offers.slice(taken));
    await probe.settle();
    probe.assertTold(toldOf(offers, false));
    await probe.close();
    await probe.subject.dispose();
  });
}

function testCheckpoints(open: Opening): void {
  for (const withDepth of [false, true]) {
    const kind = withDepth ? "with depths" : "without depths";
    test(`${kind}, a sieve goes on from its marks as if nothing had happened since`, async () => {
      const probe = new SieveProbe(await open(), { withDepth });
      const { random } = probe.subject;
      await probe.open();
      const kept: TestOffer[] = [];
      const told: Told = { fresh: [], improved: [] };
      for (let life = 0; life < 8; life++) {
        probe.front.appetite = random.below(2) === 0 ? Number.POSITIVE_INFINITY : random.below(5);
        const offers = drawMany(random, random.below(60));
        let taken = 0;
        while (taken < offers.length && probe.tryOffer(offers[taken] as TestOffer)) taken++;
        if (random.below(3) > 0) probe.sieve.flush();
        if (random.below(3) > 0) await probe.checkpoint();
        const { seen, pending } = probe.sieve;
        // What had been told when the marks were made is not told again.
        const before: Told = structuredClone(probe.front.told);
        const marks = await probe.checkpoint();
        for (const offer of drawMany(random, random.below(40))) probe.tryOffer(offer);
        await probe.close();
        kept.push(...offers.slice(0, taken));
        told.fresh.push(...before.fresh);
        told.improved.push(...before.improved);
        await probe.open(marks);
        assert.deepEqual([probe.sieve.seen, probe.sieve.pending], [seen, pending]);
      }
      await probe.settle();
      told.fresh.push(...probe.front.told.fresh);
      told.improved.push(...probe.front.told.improved);
      assert.deepEqual(told, toldOf(kept, withDepth));
      await probe.close();
      await probe.subject.dispose();
    });
  }

  test("without marks a sieve is empty, whatever it held before", async () => {
    const probe = new SieveProbe(await open());
    await probe.open();
    const offers = drawMany(probe.subject.random, 100);
    await probe.offerAll(offers);
    await probe.settle();
    await probe.checkpoint();
    await probe.close();
    await probe.open(null);
    assert.deepEqual([probe.sieve.seen, probe.sieve.pending], [0, 0]);
    await probe.offerAll(offers);
    await probe.settle();
    probe.assertTold(toldOf(offers, false));
    await probe.close();
    await probe.subject.dispose();
  });
}
