import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BodyMemory, type Piece, type PieceUse } from "./body-memory.ts";

const MIB = 2 ** 20;
const KIB = 1024;

/** Takes pieces of one size until memory refuses; returns how many. */
function fill(memory: BodyMemory, lengthBytes: number): number {
  let taken = 0;
  while (memory.take(lengthBytes, "body") !== null) taken += 1;
  return taken;
}

test("a piece is as long as asked for, and at most half as long again", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 * MIB }), (lengthBytes) => {
      const memory = new BodyMemory(1024 * MIB);
      const piece = memory.take(lengthBytes, "body");
      assert.ok(piece !== null && piece.length >= lengthBytes);
      assert.ok(piece.length <= Math.max(4 * KIB, 1.5 * lengthBytes), `${piece.length}`);
      assert.equal(memory.usedBytes, piece.length);
    }),
    { numRuns: 200 },
  );
});

test("however many large bodies there are, a body of half the size finds room", () => {
  const sizes = fc.array(fc.integer({ min: 8 * KIB, max: 12 * MIB }), { minLength: 1 });
  fc.assert(
    fc.property(sizes, (large) => {
      const memory = new BodyMemory(128 * MIB);
      for (const size of large) fill(memory, size);
      const smallest = Math.min(...large.map((size) => memory.take(size, "body")?.length ?? size));
      assert.ok(memory.mayHold(smallest / 2), `none for ${smallest / 2} bytes`);
    }),
    { numRuns: 30 },
  );
});

test("a single body of 10 MiB fits in memory, and 25 kB pages still find room beside as many as can be", () => {
  const memory = new BodyMemory(128 * MIB);
  const large = fill(memory, 10 * MIB);
  assert.ok(large >= 4, `${large} bodies of 10 MiB`);
  assert.ok(fill(memory, 25_000) > 500);
});

test("bytes that wait to be written have a quarter of the budget, whatever bodies take", () => {
  const memory = new BodyMemory(128 * MIB);
  for (let size = 16 * MIB; size >= KIB; size /= 2) fill(memory, size);
  for (let write = 0; write < 512; write += 1) {
    assert.ok(memory.take(64 * KIB, "writing") !== null, `write ${write}`);
  }
});

test("an absurd length is refused", () => {
  const memory = new BodyMemory(128 * MIB);
  for (const length of [2 ** 31, 2 ** 32 + 1, 2 ** 53, Number.MAX_VALUE]) {
    assert.equal(memory.mayHold(length), false);
    assert.equal(memory.take(length, "body"), null);
    assert.equal(memory.take(length, "writing"), null);
  }
});

test("what is held stays within the budget whatever is taken and given back", () => {
  const step = fc.record({
    lengthBytes: fc.integer({ min: 1, max: 300 * KIB }),
    use: fc.constantFrom<PieceUse>("body", "writing"),
    giveIndex: fc.option(fc.nat(100)),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const memory = new BodyMemory(MIB);
      const taken: { piece: Piece; use: PieceUse }[] = [];
      for (const { lengthBytes, use, giveIndex } of steps) {
        const piece = memory.take(lengthBytes, use);
        if (piece !== null) {
          assert.ok(!taken.some((other) => other.piece === piece), "a piece has one owner");
          taken.push({ piece, use });
        }
        if (giveIndex !== null && taken.length > 0) {
          const [given] = taken.splice(giveIndex % taken.length, 1);
          if (given !== undefined) memory.give(given.piece, given.use);
        }
        const usedBytes = taken.reduce((sum, each) => sum + each.piece.length, 0);
        assert.equal(memory.usedBytes, usedBytes);
        assert.ok(memory.heldBytes <= MIB, `${memory.heldBytes} bytes held`);
      }
    }),
  );
});

test("bodies get no more than is left when writes have more than their quarter", () => {
  const memory = new BodyMemory(MIB);
  for (const kib of [384, 256, 256]) assert.ok(memory.take(kib * KIB, "writing") !== null);
  assert.equal(memory.take(192 * KIB, "body"), null);
  assert.ok(memory.take(128 * KIB, "body") !== null);
});

test("a piece that was given back is used again before new memory is taken", () => {
  const memory = new BodyMemory(MIB);
  const first = memory.take(100 * KIB, "body");
  assert.ok(first !== null);
  memory.give(first, "body");
  const heldBytes = memory.heldBytes;
  assert.ok(memory.take(110 * KIB, "writing") === first, "a piece of the same size");
  assert.equal(memory.heldBytes, heldBytes);
});

test("memory of idle pieces that are dropped is freed at once", () => {
  const memory = new BodyMemory(MIB);
  const first = memory.take(100 * KIB, "body");
  assert.ok(first !== null);
  memory.give(first, "body");
  while (memory.take(20 * KIB, "writing") !== null) assert.ok(memory.heldBytes <= MIB);
  assert.equal(first.length, 0, "an idle piece that stood in the way is detached");
});
