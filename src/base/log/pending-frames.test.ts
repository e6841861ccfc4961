import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BinaryFraming } from "./binary-framing.ts";
import { PendingFrames } from "./pending-frames.ts";

const HEADER_BYTES = 10;
const LIMITS = { chunkBytes: 100, pendingBytesMax: 350 };

function pendingFrames(position = 0): PendingFrames {
  return new PendingFrames(new BinaryFraming([1, 2]), LIMITS, position);
}

test("frames are handed out in order and whole, and no more than allowed wait", () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ append: fc.nat(150) }) },
    { weight: 2, arbitrary: fc.record({ write: fc.nat(300), onlyFull: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ cut: fc.nat(10) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pending = pendingFrames(1000);
      /** Where frames begin that are unwritten, and the end. */
      let begins = [1000];
      const end = (): number => begins.at(-1) ?? 0;
      for (const each of steps) {
        if ("append" in each) {
          const frameBytes = each.append + HEADER_BYTES;
          const hasRoom = pending.bytes + frameBytes <= LIMITS.pendingBytesMax;
          assert.equal(pending.tryAppend(new Uint8Array(each.append).fill(7)), hasRoom);
          if (hasRoom) begins.push(end() + frameBytes);
        } else if ("write" in each) {
          const pieces = pending.unwritten(each.write, each.onlyFull);
          const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
          assert.ok(bytes <= each.write);
          const written = (begins[0] ?? 0) + bytes;
          assert.ok(begins.includes(written), "what is written ends where a frame ends");
          pending.written(bytes);
          begins = begins.filter((begin) => begin >= written);
        } else {
          const position = begins[each.cut % begins.length] ?? 0;
          pending.cutTo(position);
          begins = begins.filter((begin) => begin <= position);
        }
        assert.equal(pending.end, end());
        assert.equal(pending.bytes, end() - (begins[0] ?? 0));
      }
      const all = pending.unwritten(Number.POSITIVE_INFINITY, false);
      assert.equal(
        all.reduce((sum, piece) => sum + piece.length, 0),
        pending.bytes,
      );
    }),
  );
});

test("frames may be added while those before them are being written", () => {
  const pending = pendingFrames();
  pending.tryAppend(new Uint8Array(20).fill(1));
  const [piece] = pending.unwritten(1000, false);
  const before = piece?.slice();
  pending.tryAppend(new Uint8Array(20).fill(2));
  assert.deepEqual(piece, before);
  pending.written(30);
  assert.equal(pending.bytes, 30);
  assert.equal(pending.unwritten(1000, false)[0]?.at(-1), 2);
});

test("a frame larger than a chunk gets one of its own", () => {
  const pending = pendingFrames();
  pending.tryAppend(new Uint8Array(10));
  pending.tryAppend(new Uint8Array(200));
  pending.tryAppend(new Uint8Array(10));
  const sizes = pending.unwritten(1000, false).map((piece) => piece.length);
  assert.deepEqual(sizes, [20, 210, 20]);
});

test("a payload that can never fit is known before it is appended", () => {
  const pending = pendingFrames();
  assert.ok(pending.fits(new Uint8Array(340)));
  assert.ok(!pending.fits(new Uint8Array(341)));
  assert.throws(() => pending.tryAppend(new Uint8Array(341)), assert.AssertionError);
});
