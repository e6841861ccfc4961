import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Chance, textHash, threshold } from "./chance.ts";

test("what a seed draws never changes, or kept seeds would lose their meaning", () => {
  const row = new Chance("trobar", "test").at(3, 14);
  assert.deepEqual([row.u32(), row.u32(), row.below(1000)], [2534395733, 2152745632, 409]);
  assert.equal(textHash("www.example.test"), 3542015219);
});

test("a row belongs to its spot, whatever was drawn before", () => {
  const chance = new Chance("seed", "purpose");
  fc.assert(
    fc.property(fc.nat(), fc.integer(), fc.nat(9), (major, minor, before) => {
      const first = chance.at(major, minor).u32();
      const alone = chance.one(major, minor);
      for (let draw = 0; draw < before; draw += 1) chance.u32();
      assert.equal(chance.at(major, minor).u32(), first);
      assert.equal(chance.one(major, minor), alone);
    }),
  );
});

test("neighbouring spots, purposes and seeds have nothing in common", () => {
  const chances = [new Chance("1", "a"), new Chance("1", "b"), new Chance("2", "a")];
  const drawn = chances.flatMap((chance) =>
    Array.from({ length: 10_000 }, (_, index) => chance.one(index % 100, Math.floor(index / 100))),
  );
  assert.ok(
    new Set(drawn).size > drawn.length - 10,
    "two spots in ten thousand may meet by chance",
  );
});

test("every bit is set half of the time, along rows and across spots", () => {
  const chance = new Chance("bits", "fair");
  const draws = [
    (index: number) => chance.one(index, 0),
    (index: number) => chance.one(0, index),
    (index: number) => (index === 0 ? chance.at(1, 1) : chance).u32(),
  ];
  for (const draw of draws) {
    const set = new Array<number>(32).fill(0);
    for (let index = 0; index < 20_000; index += 1) {
      const word = draw(index);
      for (let bit = 0; bit < 32; bit += 1) set[bit] = (set[bit] ?? 0) + ((word >>> bit) & 1);
    }
    for (const count of set) assert.ok(Math.abs(count - 10_000) < 5 * Math.sqrt(5000), `${set}`);
  }
});

test("a share of nothing chooses nothing, a share of all chooses all", () => {
  const chance = new Chance("share", "all");
  for (let index = 0; index < 1000; index += 1) {
    assert.ok(chance.one(index, 0) >= threshold(0));
    assert.ok(chance.one(index, 0) < threshold(1));
  }
  assert.equal(chance.at(0, 0).happens(0), false);
  assert.equal(chance.at(0, 0).happens(1), true);
});
