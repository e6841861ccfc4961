import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { Gunzip } from "./gunzip.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 5_000 : 300;

/** The output for these bytes, pushed in pieces whose sizes are taken from the list in turn. */
function unzipped(bytes: Uint8Array, sizes: readonly number[] = [65_536]) {
  const parts: Uint8Array[] = [];
  const gunzip = new Gunzip({
    push: (part) => parts.push(new Uint8Array(part)) > 0,
    end: () => undefined,
  });
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    // A copy that is overwritten afterwards: no chunk may be kept after the call.
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    gunzip.push(chunk);
    chunk.fill(0x55);
    at += size;
  }
  gunzip.end(true);
  return { bytes: Buffer.concat(parts), damaged: gunzip.damaged };
}

/** Bytes with repetitions near and far, so that every kind of code comes up. */
const content = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.uint8Array({ maxLength: 400 }),
        fc.string().map((text) => Buffer.from(text)),
      ),
      fc.integer({ min: 1, max: 200 }),
    ),
    { maxLength: 6 },
  )
  .map((runs) => Buffer.concat(runs.flatMap(([bytes, times]) => Array(times).fill(bytes))));
const sizes = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 4 });
const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FIXED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
  ),
});

test("what zlib compresses is decompressed to the same bytes, however it is cut", () => {
  fc.assert(
    fc.property(content, options, sizes, (bytes, how, cuts) => {
      const result = unzipped(gzipSync(bytes, how), cuts);
      assert.equal(result.damaged, false);
      assert.ok(result.bytes.equals(bytes));
    }),
    { numRuns },
  );
});

test("a damaged or cut file gives the same bytes and the same verdict, however it is cut", () => {
  fc.assert(
    fc.property(
      content,
      options,
      sizes,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, how, cuts, position, flip) => {
        const packed = gzipSync(bytes, how);
        const at = position % packed.length;
        packed[at] = (packed[at] as number) ^ flip;
        const whole = unzipped(packed);
        assert.deepEqual(unzipped(packed, cuts), whole);
        const short = packed.subarray(0, at);
        assert.deepEqual(unzipped(short, cuts), unzipped(short));
      },
    ),
    { numRuns },
  );
});

test("no bytes make it fail", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), sizes, (bytes, cuts) => {
      const packed = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), bytes]);
      assert.deepEqual(unzipped(packed, cuts), unzipped(packed));
    }),
    { numRuns: numRuns * 5 },
  );
});

test("everything before the cut comes out", () => {
  const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, n) => `${n * 7919} `).join(""));
  const packed = gzipSync(bytes);
  const half = unzipped(packed.subarray(0, packed.length / 2));
  assert.equal(half.damaged, true);
  assert.ok(half.bytes.length > bytes.length / 3);
  assert.ok(half.bytes.equals(bytes.subarray(0, half.bytes.length)));
});

test("members may follow one another, and anything else ends the file", () => {
  const two = Buffer.concat([gzipSync("one "), gzipSync("two"), Buffer.alloc(100)]);
  assert.deepEqual(unzipped(two, [1]), { bytes: Buffer.from("one two"), damaged: false });
  const other = Buffer.from("no gzip at all");
  assert.deepEqual(unzipped(other, [1]), { bytes: other, damaged: false });
  assert.equal(unzipped(Buffer.from([0x1f, 0x8b])).damaged, true);
});

test("a header with a name, a comment, extra data and a checksum is skipped", () => {
  const header = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]);
  const names = Buffer.from("name\0comment\0\x01\x02");
  const packed = Buffer.concat([header, names, deflateRawSync("x"), Buffer.alloc(8)]);
  assert.deepEqual(unzipped(packed, [1]), { bytes: Buffer.from("x"), damaged: false });
  const endless = Buffer.concat([header.subarray(0, 3), Buffer.from([8]), Buffer.alloc(9_000, 65)]);
  assert.equal(unzipped(endless).damaged, true);
});

test("a long file goes through a window of fixed size", () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * n) % 251));
  const packed = gzipSync(bytes);
  assert.ok(gunzipSync(packed).equals(unzipped(packed, [7]).bytes));
});

test("a gunzip whose output is not wanted any more stops", () => {
  let given = 0;
  const gunzip = new Gunzip({
    push: (bytes) => {
      given += bytes.length;
      return false;
    },
    end: () => undefined,
  });
  assert.equal(gunzip.push(gzipSync(Buffer.alloc(10_000_000))), false);
  gunzip.end(true);
  assert.ok(given < 100_000, String(given));
  assert.equal(gunzip.damaged, false);
});
