import assert from "node:assert/strict";
import { test } from "node:test";
import { drawOffer, SieveRig } from "../../../test/support/frontier/sieve-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { toldOf } from "../../lab/conformance/index.ts";

const SHAPE = { withDepth: true, batchOffers: 10_000, smallKeysMax: 1000 };

function offerSome(rig: SieveRig, seed: string, count: number): void {
  const random = new SeededRandom(seed);
  for (let offer = 0; offer < count; offer += 1) rig.tryOffer(drawOffer(random, 300));
}

test("what is new is told though the disk does nothing", () => {
  const rig = new SieveRig("told", SHAPE);
  rig.open();
  rig.front.feed(Number.POSITIVE_INFINITY);
  const filesBefore = rig.machine.disk.fileNames();
  rig.machine.disk.failWhen = () => true;
  for (const round of ["one", "two"]) {
    offerSome(rig, round, 200);
    rig.sieve.flush();
    rig.machine.time.settle();
  }
  assert.deepEqual(rig.told(), toldOf(rig.offers, true));
  assert.deepEqual([rig.sieve.pending, rig.front.failures.length], [0, 0]);
  assert.deepEqual(rig.machine.disk.fileNames(), filesBefore);
});

test("a small sieve has no runs, and goes on as one from its marks", () => {
  const rig = new SieveRig("small", SHAPE);
  for (const life of ["one", "two", "three"]) {
    rig.open();
    rig.front.appetite = life === "one" ? 1 : 0;
    offerSome(rig, life, 150);
    if (life !== "three") rig.sieve.flush();
    rig.machine.time.settle();
    rig.keepNow();
    rig.crash();
  }
  rig.open();
  rig.finish();
  const runs = rig.machine.disk.fileNames().filter((name) => name.includes("/run-"));
  assert.deepEqual(runs, []);
});

test("text that cannot be read is told of, and read at the next flush", () => {
  const rig = new SieveRig("unreadable", SHAPE);
  rig.open();
  offerSome(rig, "unreadable", 100);
  rig.keepNow();
  rig.close();
  rig.open();
  rig.machine.disk.failWhen = () => true;
  rig.machine.time.settle();
  rig.machine.disk.failWhen = () => false;
  assert.ok(rig.front.failures.length > 0);
  assert.equal(rig.sieve.pending, 100);
  assert.equal(rig.tryOffer({ high: 1, low: 1, depth: 1, text: "" }), false);
  rig.finish();
});

test("with damaged text nothing is decided, whether or not that was told: it would be told again", () => {
  for (const isTold of [false, true]) {
    const rig = new SieveRig("damaged", SHAPE);
    rig.open();
    rig.front.feed(isTold ? Number.POSITIVE_INFINITY : 0);
    for (const frame of ["one", "two", "three"]) {
      offerSome(rig, frame, 20);
      if (isTold) rig.sieve.flush();
      rig.machine.time.settle();
      rig.keepNow();
    }
    rig.close();
    rig.machine.disk.flipBit("sieve/text.log", 8 * 100);
    rig.open();
    rig.machine.time.settle();
    const codes = rig.front.failures.map(({ code }) => code);
    assert.deepEqual(codes, ["SIEVE_TEXT_DAMAGED"]);
    assert.equal(rig.tryOffer({ high: 1, low: 1, depth: 1, text: "" }), false);
  }
});
