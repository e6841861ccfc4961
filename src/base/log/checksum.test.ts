import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { bySixteen, checksum } from "./checksum.ts";

test("the checksum is CRC-32, of any range, from any seed, by either method", () => {
  const bytes = fc.uint8Array({ maxLength: 1500, size: "max" });
  const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(bytes, fc.nat(20), fc.nat(20), word, (whole, skipped, left, seed) => {
      const from = Math.min(skipped, whole.length);
      const to = Math.max(from, whole.length - left);
      // A view that does not begin where its memory begins.
      const memory = new Uint8Array(whole.length + 3);
      memory.set(whole, 3);
      const view = new DataView(memory.buffer, 3);
      const expected = crc32(whole.subarray(from, to), seed);
      assert.equal(checksum(view, from, to, seed), expected);
      assert.equal(bySixteen(view, from, to, seed), expected);
    }),
  );
});
