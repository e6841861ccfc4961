import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RECORD_BYTES_MAX } from "../host-queues.ts";
import { bandOf } from "../priority-band.ts";
import {
  encodedBytes,
  isSound,
  lengthAt,
  parseFooter,
  printFooter,
  sealRecord,
} from "./bundle-layout.ts";

const length = fc.oneof(
  fc.constantFrom(0, 1, 127, 128, 16_383, 16_384, RECORD_BYTES_MAX),
  fc.nat(300),
  fc.nat(RECORD_BYTES_MAX),
);

test("a record is sound as it was written, in its queue only, until a bit is flipped", () => {
  fc.assert(
    fc.property(length, fc.nat(), fc.nat(), (lengthBytes, queue, flip) => {
      const bytes = new Uint8Array(encodedBytes(lengthBytes));
      const view = new DataView(bytes.buffer);
      const at = bytes.length - lengthBytes;
      for (let index = at; index < bytes.length; index += 1) bytes[index] = index * 7;
      sealRecord(view, queue, at, lengthBytes);
      assert.equal(lengthAt(view, 0), lengthBytes);
      assert.ok(isSound(view, queue, at, lengthBytes));
      if (lengthBytes === 0) return;
      assert.ok(!isSound(view, queue + 1, at, lengthBytes));
      const bit = flip % (lengthBytes * 8);
      bytes[at + (bit >> 3)] = (bytes[at + (bit >> 3)] ?? 0) ^ (1 << (bit & 7));
      assert.ok(!isSound(view, queue, at, lengthBytes));
    }),
  );
});

test("a length that is cut short is not read", () => {
  for (const lengthBytes of [200, 20_000]) {
    const bytes = new Uint8Array(encodedBytes(lengthBytes));
    sealRecord(new DataView(bytes.buffer), 1, bytes.length - lengthBytes, lengthBytes);
    const headBytes = bytes.length - lengthBytes - 4;
    for (let cut = 0; cut < headBytes; cut += 1) {
      assert.equal(lengthAt(new DataView(bytes.buffer, 0, cut), 0), -1);
    }
  }
});

test("a footer is read as it was printed, and refused when a bit is flipped", () => {
  const footer = { id: 7, queues: 123_456, dataBytes: 2 ** 33 + 5, directorySum: 0xdeadbeef };
  const bytes = printFooter(footer);
  assert.deepEqual(parseFooter(bytes), footer);
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = bytes.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(parseFooter(flipped), null, `bit ${bit}`);
  }
  assert.equal(parseFooter(bytes.subarray(1)), null);
});

test("each band of priorities is twice as good as the one below", () => {
  const expected: [priority: number, band: number][] = [
    ...([
      [-5, 0],
      [0, 0],
      [0.99, 0],
      [1, 1],
      [1.99, 1],
      [2, 2],
      [3, 2],
      [4, 3],
    ] as const),
    ...([
      [8, 4],
      [16, 5],
      [32, 6],
      [63.9, 6],
      [64, 7],
      [1e9, 7],
    ] as const),
    [Number.POSITIVE_INFINITY, 7],
    [Number.NEGATIVE_INFINITY, 0],
  ] as [number, number][];
  for (const [priority, band] of expected) assert.equal(bandOf(priority), band, `${priority}`);
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), (priority) => {
      assert.ok(bandOf(priority * 2) >= bandOf(priority));
      assert.ok(priority >= 64 || bandOf(priority * 2) === bandOf(priority) + 1);
    }),
  );
});
