/**
 * The sieve on disk against its model, a list, in lives that fast-check makes up and shortens. What
 * single faults do is in the tests beside this one, what every sieve must do in the suite.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SieveRig } from "../../../test/support/frontier/sieve-rig.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

type Act =
  | { readonly kind: "offer"; readonly key: number; readonly depth: number; readonly size: number }
  | { readonly kind: "flush" | "crash" | "kill" | "close" | "lose-thread" }
  | { readonly kind: "checkpoint"; readonly isKept: boolean }
  | { readonly kind: "appetite" | "feed" | "time"; readonly amount: number };

const offer = fc.record({
  kind: fc.constant("offer" as const),
  key: fc.nat({ max: 30 }),
  depth: fc.nat({ max: 5 }),
  size: fc.nat({ max: 40 }),
});
const amount = (kind: "appetite" | "feed" | "time", max: number) =>
  fc.record({ kind: fc.constant(kind), amount: fc.nat({ max }) });
const plain = fc.constantFrom("flush", "crash", "kill", "close", "lose-thread");
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: offer },
  { weight: 8, arbitrary: amount("time", 60) },
  { weight: 2, arbitrary: amount("feed", 4) },
  { weight: 1, arbitrary: amount("appetite", 3) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("checkpoint" as const), isKept: fc.boolean() }),
  },
  { weight: 2, arbitrary: plain.map((kind): Act => ({ kind })) },
);

function perform(rig: SieveRig, next: Act): void {
  if (next.kind === "offer") {
    const { key, depth, size } = next;
    rig.tryOffer({ high: key >>> 1, low: key & 1, depth, text: "u".repeat(size) });
  } else if (next.kind === "checkpoint") rig.checkpoint(next.isKept);
  else if (next.kind === "flush") rig.sieve.flush();
  else if (next.kind === "lose-thread") rig.background?.die();
  else if (next.kind === "appetite") rig.front.appetite = next.amount;
  else if (next.kind === "feed") rig.front.feed(next.amount);
  else if (next.kind === "time") {
    for (let event = 0; event < next.amount; event++) rig.machine.time.step();
  } else {
    rig[next.kind]();
    rig.open();
  }
}

for (const withDepth of [false, true]) {
  const kind = withDepth ? "with depths" : "without depths";
  test(`${kind}, whatever happens, everything is told once, in order, and again from marks`, () => {
    const acts = fc.array(act, { maxLength: 300, size: "max" });
    const batchOffers = fc.integer({ min: 1, max: 12 });
    const smallKeysMax = fc.constantFrom(0, 0, 1, 10, 1000);
    const shapes = fc.record({ batchOffers, smallKeysMax });
    const property = fc.property(fc.nat(), shapes, acts, (seed, shape, list) => {
      const rig = new SieveRig(seed, { withDepth, ...shape });
      rig.open();
      for (const next of list) perform(rig, next);
      rig.finish();
      const codes = rig.front.failures.map(({ code }) => code);
      assert.ok(codes.every((code) => code === "BACKGROUND_TASK_FAILED"));
    });
    fc.assert(property, { numRuns: isFull ? 1000 : 60 });
  });
}

test("text and runs that are no longer needed go away", () => {
  const rig = new SieveRig("gone", { withDepth: false, batchOffers: 50 });
  rig.open();
  for (let key = 0; key < 1300; key++) {
    const offered = { high: key, low: 0, depth: 0, text: "x".repeat(60_000) };
    while (!rig.tryOffer(offered)) rig.machine.time.settle();
    if (key % 100 === 0) rig.keepNow();
  }
  rig.machine.time.settle();
  rig.keepNow();
  rig.machine.time.settle();
  const { disk } = rig.machine;
  const bytes = (part: string): number =>
    disk
      .fileNames()
      .filter((name) => name.includes(part))
      .reduce((sum, name) => sum + (disk.contentOf(name)?.length ?? 0), 0);
  assert.ok(bytes("/text") < 30e6, "of 78 megabytes of text the last segment is left");
  const each = bytes("/runs/") / rig.sieve.seen;
  assert.ok(each < 9, `${each} bytes a key`);
});

test("what is new is told in small portions, so that the lane is not held", () => {
  const rig = new SieveRig("portions", { withDepth: false, batchOffers: 30_000 });
  rig.open();
  for (let key = 0; key < 30_000; key++) {
    const offered = { high: key, low: 0, depth: 0, text: "x".repeat(40) };
    while (!rig.tryOffer(offered)) rig.machine.time.settle();
  }
  let [told, most] = [0, 0];
  while (rig.machine.time.step()) {
    const { length } = rig.front.told.fresh;
    most = Math.max(most, length - told);
    told = length;
  }
  assert.equal(told, 30_000);
  assert.ok(most <= (256 * 1024) / 52, `${most} at once`);
});

test("keys and text that wait for the disk are within the memory of the sieve", () => {
  const memoryBytes = 4 * 2 ** 20;
  const rig = new SieveRig("memory", { withDepth: false, batchOffers: (memoryBytes * 7) / 320 });
  rig.open();
  const text = "x".repeat(10_000);
  // No time passes, so nothing is written.
  for (let key = 0; rig.tryOffer({ high: key, low: 0, depth: 0, text }); key += 1);
  const { memoryBytes: held } = rig.sieve;
  assert.ok(held > memoryBytes / 4 && held <= memoryBytes, `${held} of ${memoryBytes} bytes`);
});
