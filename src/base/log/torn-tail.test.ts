import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { FrameBatch } from "./frame-batch.ts";
import type { Range } from "./position.ts";
import { TornTail } from "./torn-tail.ts";

/** Ten bytes of a log: a good frame, the first good frame after a sync, or bad bytes. */
type Piece = "frame" | "synced" | "bad";

const PIECE_BYTES = 10;

/** What a reader finds in these pieces of the log, of which the first has this number. */
function batchOf(pieces: readonly Piece[], first: number): FrameBatch {
  const places = pieces.map((piece, at) => ({ piece, from: (first + at) * PIECE_BYTES }));
  const frames = places.filter(({ piece }) => piece !== "bad");
  const damage: Range[] = places
    .filter(({ piece }) => piece === "bad")
    .map(({ from }) => ({ from, to: from + PIECE_BYTES }));
  return {
    count: frames.length,
    damage,
    positionOf: (index: number) => frames[index]?.from,
    isFirstAfterSync: (index: number) => frames[index]?.piece === "synced",
  } as unknown as FrameBatch;
}

function tailOf(...batches: readonly (readonly Piece[])[]): TornTail {
  const tail = new TornTail();
  let first = 0;
  for (const pieces of batches) {
    tail.take(batchOf(pieces, first));
    first += pieces.length;
  }
  return tail;
}

test("bad bytes in what is known to have been durable are damage", () => {
  const tail = new TornTail(2 * PIECE_BYTES);
  tail.take(batchOf(["bad", "frame", "frame"], 0));
  assert.equal(tail.cutFrom, null);
  assert.deepEqual(tail.damage, [{ from: 0, to: PIECE_BYTES }]);
  tail.take(batchOf(["bad", "frame"], 3));
  assert.equal(tail.cutFrom, 3 * PIECE_BYTES);
  assert.deepEqual(tail.damage, [{ from: 0, to: PIECE_BYTES }]);
});

test("bad bytes beyond what is known to have been durable are cut off from there", () => {
  const tail = new TornTail(PIECE_BYTES);
  tail.take({ count: 0, damage: [{ from: 0, to: 3 * PIECE_BYTES }] } as unknown as FrameBatch);
  assert.equal(tail.cutFrom, PIECE_BYTES);
  assert.deepEqual(tail.damage, [{ from: 0, to: PIECE_BYTES }]);
});

test("a log without bad bytes is left as it is", () => {
  const tail = tailOf(["frame", "synced"], ["frame"]);
  assert.equal(tail.cutFrom, null);
  assert.deepEqual(tail.damage, []);
});

test("bad bytes without a later sync are a torn tail", () => {
  const tail = tailOf(["frame", "bad", "frame"], ["frame"]);
  assert.equal(tail.cutFrom, 10);
  assert.deepEqual(tail.damage, []);
});

test("bad bytes before a sync are damage, also when the sync is in a later batch", () => {
  for (const batches of [
    [["frame", "bad", "synced"]],
    [["frame", "bad"], ["synced"]],
    [["frame", "bad"], ["frame"], ["frame", "synced"]],
  ] as const) {
    const tail = tailOf(...batches);
    assert.equal(tail.cutFrom, null, JSON.stringify(batches));
    assert.deepEqual(tail.damage, [{ from: 10, to: 20 }]);
  }
});

test("how a log is cut into batches changes nothing, and the last sync decides", () => {
  const piece = fc.constantFrom<Piece>("frame", "synced", "bad");
  const batches = fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 8 });
  fc.assert(
    fc.property(batches, (cut) => {
      const tail = tailOf(...cut);
      const pieces = cut.flat();
      const lastSync = pieces.lastIndexOf("synced");
      const bad = pieces.flatMap((one, at) => (one === "bad" ? [at] : []));
      const durable = bad.filter((at) => at < lastSync);
      const torn = bad.find((at) => at > lastSync);
      assert.deepEqual(
        tail.damage.map(({ from }) => from / PIECE_BYTES),
        durable,
      );
      assert.equal(tail.cutFrom, torn === undefined ? null : torn * PIECE_BYTES);
    }),
  );
});
