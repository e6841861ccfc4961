import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, constants, deflateRawSync, zstdCompressSync } from "node:zlib";
import { type CompressionKind, Decompressor, DecompressorPool } from "./decompressor.ts";

const TEXT = Buffer.from("a page of the web, ".repeat(500));
const PACKED: Readonly<Record<CompressionKind, Buffer>> = {
  inflate: deflateRawSync(TEXT),
  br: brotliCompressSync(TEXT),
  zstd: zstdCompressSync(TEXT),
};
const KINDS = Object.keys(PACKED) as CompressionKind[];

/** Everything that comes out of the input, in steps of so many bytes in and out; null if damaged. */
function unpacked(one: Decompressor, packed: Uint8Array, stepBytes: number): Buffer | null {
  const pieces: Buffer[] = [];
  let from = 0;
  for (;;) {
    const output = Buffer.alloc(stepBytes);
    const to = Math.min(packed.length, from + stepBytes);
    if (!one.run(packed, from, to, output, 0)) return null;
    from += one.consumedBytes;
    pieces.push(output.subarray(0, one.producedBytes));
    if (one.consumedBytes + one.producedBytes === 0) return Buffer.concat(pieces);
  }
}

for (const kind of KINDS) {
  test(`${kind}: the same bytes come out whatever the steps, and the end is known`, () => {
    for (const stepBytes of [7, 100, 100_000]) {
      const one = new Decompressor(kind);
      assert.deepEqual(unpacked(one, PACKED[kind], stepBytes), TEXT);
      assert.ok(one.isComplete());
      one.close();
    }
  });

  test(`${kind}: a stream that was cut short is not complete`, () => {
    const one = new Decompressor(kind);
    const cut = PACKED[kind].subarray(0, PACKED[kind].length - 3);
    assert.ok(unpacked(one, cut, 100_000) !== null);
    assert.equal(one.isComplete(), false);
    one.close();
  });

  test(`${kind}: damage is told, and leaves nothing to be used`, () => {
    const one = new Decompressor(kind);
    assert.equal(unpacked(one, Buffer.alloc(1000, 0xff), 100_000), null);
    assert.ok(one.isSpent);
    assert.equal(one.isComplete(), false);
    one.close();
  });
}

test("output goes where it is asked to, and nowhere else", () => {
  const one = new Decompressor("inflate");
  const output = Buffer.alloc(20, "-");
  assert.ok(one.run(PACKED.inflate, 0, PACKED.inflate.length, output, 15));
  assert.equal(one.producedBytes, 5);
  assert.equal(output.toString(), `${"-".repeat(15)}a pag`);
  one.close();
});

test("a zstd frame that wants too long a window is refused", () => {
  const params = { [constants.ZSTD_c_windowLog]: 24, [constants.ZSTD_c_contentSizeFlag]: 0 };
  const one = new Decompressor("zstd");
  const packed = zstdCompressSync(Buffer.alloc(2 ** 24 + 1), { params });
  assert.equal(one.run(packed, 0, packed.length, Buffer.alloc(100), 0), false);
  one.close();
});

test("one that rests is used again from the beginning; a failed one and zstd are not", () => {
  const pool = new DecompressorPool(1);
  const first = pool.take("inflate");
  unpacked(first, PACKED.inflate.subarray(0, 10), 100);
  pool.give(first);
  const again = pool.take("inflate");
  assert.ok(again === first);
  assert.deepEqual(unpacked(again, PACKED.inflate, 100), TEXT);

  pool.give(again);
  const failing = pool.take("inflate");
  assert.equal(unpacked(failing, Buffer.alloc(1000, 0xff), 100), null);
  pool.give(failing);
  assert.ok(pool.take("inflate") !== failing);
  const zstd = pool.take("zstd");
  pool.give(zstd);
  assert.ok(pool.take("zstd") !== zstd);
});

test("no more rest than may", () => {
  const pool = new DecompressorPool(1);
  const [one, other] = [pool.take("br"), pool.take("br")];
  pool.give(one);
  pool.give(other);
  assert.ok(pool.take("br") === one);
  const fresh = pool.take("br");
  assert.ok(fresh !== one && fresh !== other);
});
