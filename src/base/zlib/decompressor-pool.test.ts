import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { DecompressorPool } from "./decompressor-pool.ts";
import type { ZlibHandle } from "./zlib-handle.ts";

const TEXT = Buffer.from("a page of the web, ".repeat(500));
const PACKED = deflateRawSync(TEXT);
const GO_ON = 0;

/** What comes out of the input; null if it is damaged. */
function unpacked(handle: ZlibHandle, packed: Uint8Array): Buffer | null {
  const output = Buffer.alloc(2 * TEXT.length);
  const isGood = handle.write(GO_ON, packed, 0, packed.length, output, 0);
  return isGood ? output.subarray(0, handle.producedBytes) : null;
}

test("an idle decompressor is used again from the beginning; a failed one and zstd are not", () => {
  const pool = new DecompressorPool(1);
  const first = pool.take("inflate");
  unpacked(first, PACKED.subarray(0, 10));
  pool.give("inflate", first);
  const again = pool.take("inflate");
  assert.ok(again === first);
  assert.deepEqual(unpacked(again, PACKED), TEXT);

  pool.give("inflate", again);
  const failing = pool.take("inflate");
  assert.equal(unpacked(failing, Buffer.alloc(1000, 0xff)), null);
  pool.give("inflate", failing);
  assert.ok(pool.take("inflate") !== failing);
  const zstd = pool.take("zstd");
  pool.give("zstd", zstd);
  assert.ok(pool.take("zstd") !== zstd);
});

test("no more than the given number stay idle", () => {
  const pool = new DecompressorPool(1);
  const [one, other] = [pool.take("br"), pool.take("br")];
  pool.give("br", one);
  pool.give("br", other);
  assert.ok(pool.take("br") === one);
  const fresh = pool.take("br");
  assert.ok(fresh !== one && fresh !== other);
});
