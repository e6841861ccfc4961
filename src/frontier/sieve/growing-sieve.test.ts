import assert from "node:assert/strict";
import { test } from "node:test";
import { drawOffer, SieveRig } from "../../../test/support/frontier/sieve-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { SMALL_TEXT_BYTES_MAX } from "./small-sieve.ts";

function runFiles(rig: SieveRig): number {
  return rig.machine.disk.fileNames().filter((name) => name.includes("/run-")).length;
}

test("a sieve with more keys than a small one may have has its keys in a run", () => {
  const random = new SeededRandom("keys");
  const rig = new SieveRig("keys", { withDepth: true, batchOffers: 1000, smallKeysMax: 50 });
  rig.open();
  rig.front.feed(Number.POSITIVE_INFINITY);
  for (const [spread, runs] of [
    [20, 0],
    [5000, 1],
  ] as const) {
    for (let offer = 0; offer < 100; offer += 1) rig.tryOffer(drawOffer(random, spread));
    rig.sieve.flush();
    rig.machine.time.settle();
    assert.equal(runFiles(rig), runs);
  }
  for (let offer = 0; offer < 100; offer += 1) rig.tryOffer(drawOffer(random, 5000));
  rig.finish();
  assert.equal(rig.front.failures.length, 0);
});

test("a sieve whose text is too long grows, though nobody has asked for a decision", () => {
  const rig = new SieveRig("text", { withDepth: false, batchOffers: 10_000, smallKeysMax: 1e6 });
  rig.open();
  const text = "x".repeat(50_000);
  for (let key = 0; key < SMALL_TEXT_BYTES_MAX / 40_000; key += 1) {
    const offer = { high: key % 150, low: 0, depth: 0, text };
    for (let tries = 0; !rig.tryOffer(offer); tries += 1) {
      assert.ok(tries < 10, "there is room again");
      rig.machine.time.settle();
    }
  }
  assert.ok(rig.front.rooms > 0);
  rig.finish();
  assert.ok(runFiles(rig) > 0);
});

test("a sieve that cannot grow holds offers back, and grows when it can", () => {
  const random = new SeededRandom("stuck");
  const rig = new SieveRig("stuck", { withDepth: false, batchOffers: 1000, smallKeysMax: 10 });
  rig.open();
  rig.front.feed(Number.POSITIVE_INFINITY);
  for (let offer = 0; offer < 50; offer += 1) rig.tryOffer(drawOffer(random, 5000));
  rig.machine.disk.capacityBytes -= rig.machine.disk.freeBytes;
  rig.sieve.flush();
  rig.machine.time.settle();
  assert.deepEqual(
    rig.front.failures.map(({ code }) => code),
    ["STORAGE_FULL"],
  );
  assert.equal(rig.tryOffer(drawOffer(random, 5000)), false);
  rig.machine.disk.capacityBytes = 2 ** 40;
  rig.sieve.flush();
  rig.machine.time.settle();
  assert.equal(runFiles(rig), 1);
  assert.ok(rig.front.rooms > 0);
  assert.equal(rig.tryOffer(drawOffer(random, 5000)), true);
  rig.finish();
});

test("a sieve can be closed while it grows", () => {
  for (let events = 0; events < 30; events += 1) {
    const random = new SeededRandom("closed");
    const rig = new SieveRig("closed", { withDepth: false, batchOffers: 1000, smallKeysMax: 10 });
    rig.open();
    rig.front.feed(Number.POSITIVE_INFINITY);
    for (let offer = 0; offer < 50; offer += 1) rig.tryOffer(drawOffer(random, 5000));
    rig.keepNow();
    rig.sieve.flush();
    for (let event = 0; event < events; event += 1) rig.machine.time.step();
    rig.close();
    rig.open();
    rig.finish();
  }
});
