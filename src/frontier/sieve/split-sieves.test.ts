import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { drawOffer, SieveRig, workAWhile } from "../../../test/support/frontier/sieve-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { SieveFront, type Told, toldOf } from "../../lab/conformance/index.ts";
import { SimBackground } from "../../lab/simulator/index.ts";
import { openDiskSieve, type Sieve } from "./index.ts";
import { type SievesToSplit, splitSieves } from "./split-sieves.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

/** Keys are below this. */
const SPREAD = 40;

const partOf = (high: number, parts: number): number => Math.floor((high * parts) / SPREAD);

type Saved = SievesToSplit["from"];

function split(rig: SieveRig, from: Saved, parts: number): Saved {
  const { storage, random } = rig.machine;
  const folders = Array.from({ length: parts }, (_none, part) => `${parts}/${part}`);
  const marks = rig.machine.result<readonly string[]>((done) =>
    splitSieves(
      {
        ...{ storage, random, withDepth: rig.withDepth, from, folders },
        partOf: (high) => partOf(high, parts),
      },
      done,
    ),
  );
  return marks.map((each, part) => ({ folder: folders[part] as string, marks: each }));
}

/** What a sieve tells that goes on from these marks; and how many URLs it counts as seen. */
function rest(rig: SieveRig, { folder, marks }: Saved[number]): { told: Told; seen: number } {
  const { storage, disk, random, time } = rig.machine;
  const front = new SieveFront();
  front.feed(Number.POSITIVE_INFINITY);
  const background = new SimBackground({ clock: time, random, disk });
  const sieve = rig.machine.result<Sieve>((done) =>
    openDiskSieve(
      {
        ...{ clock: time, storage, background, random, folder, marks, listener: front },
        ...{ withDepth: rig.withDepth, memoryBytes: 400, sliceRecords: 1 },
      },
      done,
    ),
  );
  for (let tries = 0; sieve.pending > 0; tries += 1) {
    assert.ok(tries < 100, `${sieve.pending} offers stay pending`);
    sieve.flush();
    time.settle();
  }
  const { seen } = sieve;
  rig.machine.result((done) => sieve.close(done));
  return { told: front.told, seen };
}

test("sieves that are divided and united again tell what the first one had not told", () => {
  const parts = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(fc.nat(), fc.boolean(), parts, parts, (seed, withDepth, first, second) => {
      const random = new SeededRandom(seed);
      const smallKeysMax = [0, 10, 1000][random.below(3)] as number;
      const shape = { withDepth, batchOffers: 1 + random.below(40), smallKeysMax };
      const rig = new SieveRig(seed, shape);
      rig.open();
      workAWhile(rig, random, 20 + random.below(200));
      rig.keepNow();
      const before = rig.keptTold;
      rig.close();
      const old = [{ folder: "sieve", marks: rig.keptMarks ?? assert.fail("marks are kept") }];
      const lanes =
        first === second ? split(rig, old, first) : split(rig, split(rig, old, first), second);
      const count = lanes.length;
      let seen = 0;
      for (const [part, lane] of lanes.entries()) {
        const own = rig.offers.filter(({ high }) => partOf(high, count) === part);
        const { fresh, improved } = toldOf(own, withDepth);
        const isOwn = (line: string): boolean => partOf(Number.parseInt(line, 10), count) === part;
        const result = rest(rig, lane);
        // The order of all URLs is kept where they were in one sieve.
        const inOrder = (lines: readonly string[]): readonly string[] =>
          count === first ? lines : lines.toSorted();
        const unheard = fresh.slice(before.fresh.filter(isOwn).length);
        assert.deepEqual(inOrder(result.told.fresh), inOrder(unheard));
        const better = improved.slice(before.improved.filter(isOwn).length);
        assert.deepEqual(inOrder(result.told.improved), inOrder(better));
        seen += result.seen;
      }
      assert.equal(seen, toldOf(rig.offers, withDepth).fresh.length);
    }),
    { numRuns: isFull ? 1000 : 80 },
  );
});

/** A sieve with undecided offers, in one frame or in several that were made durable one by one. */
function withOffers(seed: string, frames: number): { rig: SieveRig; old: Saved } {
  const random = new SeededRandom(seed);
  const rig = new SieveRig(seed, { withDepth: false, batchOffers: 1000 });
  rig.open();
  for (let frame = 0; frame < frames; frame += 1) {
    for (let offer = 0; offer < 20; offer += 1) rig.tryOffer(drawOffer(random, SPREAD));
    rig.keepNow();
  }
  rig.close();
  const marks = rig.keptMarks ?? assert.fail("marks are kept");
  return { rig, old: [{ folder: "sieve", marks }] };
}

test("damaged text is refused", () => {
  const { rig, old } = withOffers("damaged", 3);
  rig.machine.disk.flipBit("sieve/text.log", 8 * 100);
  assert.throws(() => split(rig, old, 2), { code: "SIEVE_TEXT_DAMAGED" });
});

test("text that is missing is refused", () => {
  const { rig, old } = withOffers("missing", 1);
  rig.machine.disk.flipBit("sieve/text.log", 8 * 100);
  assert.throws(() => split(rig, old, 2), { code: "LOG_OUT_OF_RANGE" });
});

test("marks of a sieve with depths are refused where there are none", () => {
  const rig = new SieveRig("depths", { withDepth: true, batchOffers: 10 });
  rig.open();
  rig.keepNow();
  rig.close();
  const { storage, random } = rig.machine;
  const from = [{ folder: "sieve", marks: rig.keptMarks ?? assert.fail("marks are kept") }];
  const { error } = rig.machine.outcome((done) =>
    splitSieves(
      { storage, random, from, withDepth: false, folders: ["new"], partOf: () => 0 },
      done,
    ),
  );
  assert.equal(error?.code, "SIEVE_MARKS_UNREADABLE");
});
