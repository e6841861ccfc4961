import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { flipped, type Hash, NearRig, stranger } from "../../../test/support/parse/near-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Random } from "../../base/seams/index.ts";
import type { NearMarks } from "./near-runs.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

/** Hashes in a few clusters, so that many are equal, near, or almost near; and some strangers. */
function clustered(random: Random): () => Hash {
  const centres = Array.from({ length: 6 }, () => stranger(random));
  return () => {
    const centre = centres[random.below(8)];
    return centre === undefined ? stranger(random) : flipped(centre, random.below(7), random);
  };
}

test("the index answers as a list that is searched from end to end", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 120 }), (seed, count) => {
      const random = new SeededRandom(seed);
      const rig = new NearRig(seed, 8);
      rig.open();
      const next = clustered(random);
      for (let id = 0; id < count; id++) {
        const hash = next();
        rig.check(hash.high, hash.low, random.below(4));
        rig.add({ ...hash, id });
      }
      rig.checkAll(random);
      rig.settle();
      rig.checkAll(random);
      assert.deepEqual(rig.reports, []);
    }),
    { numRuns: isFull ? 300 : 8 },
  );
});

test("every way to turn three bits over is found, and none of four", () => {
  const rig = new NearRig("three bits", 4);
  const random = new SeededRandom("three bits");
  rig.open();
  const { high, low } = stranger(random);
  rig.add({ high, low, id: 7 });
  for (let id = 100; id < 104; id++) rig.add({ ...stranger(random), id });
  rig.settle();
  assert.equal(rig.index.size.runs, 1);
  const turned = (bits: readonly number[]): Hash => {
    const word = (from: number): number =>
      bits
        .filter((bit) => bit >= from && bit < from + 32)
        .reduce((mask, bit) => mask | (1 << (bit - from)), 0);
    return { high: (high ^ word(32)) >>> 0, low: (low ^ word(0)) >>> 0 };
  };
  for (let a = 0; a < 64; a++) {
    for (let b = a + 1; b < 64; b += 3) {
      for (let c = b + 1; c < 64; c += 5) {
        const three = turned([a, b, c]);
        assert.equal(rig.find(three.high, three.low, 3), 7, `${a} ${b} ${c}`);
        assert.equal(rig.find(three.high, three.low, 2), null);
        if (a === 0) continue;
        const four = turned([0, a, b, c]);
        assert.equal(rig.find(four.high, four.low, 3), null, `0 ${a} ${b} ${c}`);
      }
    }
  }
});

test("an index that was closed after a checkpoint answers as before when it is opened again", () => {
  const random = new SeededRandom("again");
  const rig = new NearRig("again", 16);
  const next = clustered(random);
  for (let round = 0; round < 4; round++) {
    rig.open();
    rig.checkAll(random);
    for (let count = 0; count < 50; count++) rig.add({ ...next(), id: round * 1000 + count });
    rig.checkpoint();
    rig.close();
  }
  rig.open();
  assert.equal(rig.entries.length, 200);
  rig.checkAll(random);
});

test("an index is opened as it was at the checkpoint, whatever happened since", () => {
  const random = new SeededRandom("cut");
  const rig = new NearRig("cut", 8);
  const next = clustered(random);
  rig.open();
  for (let round = 0; round < 8; round++) {
    const kept = random.below(40);
    for (let id = 0; id < 40; id++) {
      rig.add({ ...next(), id: round * 100 + id });
      if (id === kept) rig.checkpoint();
    }
    rig.settle();
    rig.close();
    rig.open();
    assert.equal(rig.entries.at(-1)?.id, round * 100 + kept);
    rig.checkAll(random);
  }
});

test("entries that are added while a checkpoint is under way are not in it", () => {
  const random = new SeededRandom("meanwhile");
  const rig = new NearRig("meanwhile", 4);
  rig.open();
  for (let id = 0; id < 30; id++) rig.add({ ...stranger(random), id });
  const entries = [...rig.entries];
  const answers: NearMarks[] = [];
  rig.index.checkpoint((error, marks) => {
    assert.equal(error, null);
    if (marks !== undefined) answers.push(marks);
  });
  for (let id = 100; answers.length === 0; id++) {
    rig.index.tryAdd({ ...stranger(random), id });
    assert.ok(rig.machine.time.step(), "the world fell silent");
  }
  rig.settle();
  rig.close();
  rig.recorded = { marks: answers[0] ?? null, entries };
  rig.open();
  assert.equal(rig.index.size.entries, 30);
  rig.checkAll(random);
});

test("an index that is opened without marks is empty, whatever is in its folder", () => {
  const random = new SeededRandom("empty");
  const rig = new NearRig("empty", 4);
  rig.open();
  for (let id = 0; id < 20; id++) rig.add({ ...stranger(random), id });
  rig.settle();
  rig.close();
  rig.open();
  assert.equal(rig.index.size.entries, 0);
  assert.deepEqual(rig.machine.disk.fileNames(), []);
});

test("of equal hashes the first page is the answer, in memory and after merges", () => {
  const rig = new NearRig("equal", 4);
  const random = new SeededRandom("equal");
  rig.open();
  rig.add({ high: 5, low: 6, id: 1 });
  for (let id = 2; id < 40; id++) {
    rig.add({ high: 5, low: 6, id });
    rig.add({ ...stranger(random), id: 1000 + id });
  }
  rig.checkpoint();
  rig.settle();
  rig.close();
  rig.open();
  rig.settle();
  assert.equal(rig.find(5, 6, 0), 1);
  assert.ok(rig.index.size.entries < 45, "equal hashes are kept once in a run");
});

test("runs stay few as entries grow", () => {
  const rig = new NearRig("few", 4);
  const random = new SeededRandom("few");
  rig.open();
  let most = 0;
  for (let id = 0; id < 200; id++) {
    rig.add({ ...stranger(random), id });
    rig.settle();
    most = Math.max(most, rig.index.size.runs);
  }
  assert.ok(most <= 7, `${most} runs for fifty batches`);
  assert.equal(rig.index.size.entries, 200);
});

test("entries are refused while two batches wait to be written", () => {
  const rig = new NearRig("refused", 4);
  rig.open();
  let taken = 0;
  while (rig.index.tryAdd({ high: taken, low: taken * 7919, id: taken })) taken++;
  assert.equal(taken, 8);
  rig.settle();
  assert.ok(rig.index.tryAdd({ high: 1, low: 1, id: 9 }));
});

test("a page id of 48 bits comes back whole", () => {
  const rig = new NearRig("wide", 2);
  rig.open();
  const id = 2 ** 48 - 1;
  rig.add({ high: 0xffffffff, low: 0x80000000, id });
  rig.add({ high: 1, low: 1, id: 2 ** 40 + 1 });
  rig.add({ high: 2, low: 77, id: 0 });
  rig.settle();
  assert.equal(rig.index.size.runs, 1);
  assert.equal(rig.find(0xffffffff, 0x80000000, 3), id);
  assert.equal(rig.find(1, 1, 0), 2 ** 40 + 1);
});
