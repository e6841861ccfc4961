/**
 * What every `Random` must do. How even the distribution is must be tested with the implementation.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Random } from "../../base/seams/index.ts";

/** Makes a source from a seed. */
type Opening = (seed: string) => Random;

export function randomSuite(name: string, open: Opening): void {
  describe(`${name} is a source of random numbers`, () => {
    testSeeds(open);
    testRanges(open);
    testForks(open);
  });
}

function testSeeds(open: Opening): void {
  test("the same seed gives the same numbers, whatever is drawn", () => {
    const [one, other] = [open("seed"), open("seed")];
    for (let round = 0; round < 100; round += 1) {
      assert.equal(one.u32(), other.u32());
      assert.equal(one.below(1000), other.below(1000));
      assert.equal(one.unit(), other.unit());
    }
  });

  test("different seeds give different numbers", () => {
    const seeds = ["", "a", "b", "ab", "ba", "aa", "1", "2", "é", "\u{1f980}"];
    const drawn = seeds.map((seed) => drawTen(open(seed)));
    assert.equal(new Set(drawn).size, seeds.length);
  });
}

function testRanges(open: Opening): void {
  test("u32 is a whole number below 2^32, and all its bits vary", () => {
    const random = open("u32");
    let [everSet, everClear] = [0, 0];
    for (let draw = 0; draw < 1000; draw += 1) {
      const word = random.u32();
      assert.ok(Number.isInteger(word) && word >= 0 && word < 2 ** 32);
      everSet |= word;
      everClear |= ~word;
    }
    assert.equal(everSet, -1, "every bit is set now and then");
    assert.equal(everClear, -1, "and clear now and then");
  });

  for (const bound of [1, 2, 3, 7, 1000, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32]) {
    test(`below(${bound}) is a whole number below ${bound}`, () => {
      const random = open("below");
      for (let draw = 0; draw < 300; draw += 1) {
        const drawn = random.below(bound);
        assert.ok(Number.isInteger(drawn) && drawn >= 0 && drawn < bound, String(drawn));
      }
    });
  }

  test("below reaches every number under a small bound", () => {
    const random = open("reach");
    const drawn = new Set(Array.from({ length: 1000 }, () => random.below(10)));
    assert.equal(drawn.size, 10);
  });

  test("unit is at least 0 and less than 1, and finer than 32 bits", () => {
    const random = open("unit");
    let isFine = false;
    for (let draw = 0; draw < 1000; draw += 1) {
      const drawn = random.unit();
      assert.ok(drawn >= 0 && drawn < 1, String(drawn));
      isFine ||= !Number.isInteger(drawn * 2 ** 32);
    }
    assert.ok(isFine);
  });
}

function testForks(open: Opening): void {
  test("a fork depends on seed and label alone, not on what was drawn before", () => {
    const fresh = open("seed");
    const used = open("seed");
    for (let draw = 0; draw < 37; draw += 1) used.unit();
    used.fork("other").u32();
    assert.equal(drawTen(used.fork("label")), drawTen(fresh.fork("label")));
  });

  test("forking draws nothing from the source", () => {
    const [forked, plain] = [open("seed"), open("seed")];
    forked.fork("label").u32();
    assert.equal(drawTen(forked), drawTen(plain));
  });

  test("different labels, and the source itself, give different numbers", () => {
    const random = open("seed");
    const labels = ["", "a", "b", "node 1", "node 2"];
    const drawn = labels.map((label) => drawTen(random.fork(label)));
    assert.equal(new Set([...drawn, drawTen(random)]).size, labels.length + 1);
  });

  test("forks of forks depend on their whole path of labels, and on the first seed", () => {
    const drawn = ["one", "two"].flatMap((seed) => [
      drawTen(open(seed).fork("a").fork("b")),
      drawTen(open(seed).fork("b").fork("a")),
      drawTen(open(seed).fork("a")),
    ]);
    assert.equal(new Set(drawn).size, drawn.length);
  });
}

function drawTen(random: Random): string {
  return Array.from({ length: 10 }, () => random.u32()).join(" ");
}
