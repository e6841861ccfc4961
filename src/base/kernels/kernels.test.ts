import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { SeededRandom } from "../random/index.ts";
import { dropKernels, threadKernels } from "./index.ts";

const BLOCK_BYTES = 65_000;

function noise(length: number, alphabet: number): Uint8Array {
  const random = new SeededRandom(`noise ${length} ${alphabet}`);
  return Uint8Array.from({ length }, () => random.below(alphabet));
}

/** Each byte occurs as often as the two before it together, which makes the longest codes. */
function skewed(): Uint8Array {
  const pieces: number[] = [];
  for (let [times, next, byte] = [1, 1, 0]; times < 20_000; byte += 1) {
    for (let time = 0; time < times; time += 1) pieces.push(byte);
    [times, next] = [next, times + next];
  }
  const random = new SeededRandom("skewed");
  for (let at = pieces.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [pieces[at], pieces[other]] = [pieces[other] ?? 0, pieces[at] ?? 0];
  }
  return Uint8Array.from(pieces);
}

test("what a kernel compresses is what zlib decompresses", () => {
  const kernels = threadKernels();
  const lengths = [0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 257, 258, 259, 260, 32_767];
  lengths.push(32_768, 32_769, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 65_535, 65_536);
  lengths.push(65_537, 2 * BLOCK_BYTES, 131_072, kernels.inputBytesMax);
  for (const length of lengths) {
    for (const alphabet of [1, 3, 256]) {
      const bytes = noise(length, alphabet);
      const packed = kernels.deflate(bytes);
      assert.ok(packed.length <= length + 5 * (1 + Math.floor(length / BLOCK_BYTES)) + 1);
      assert.deepEqual(Uint8Array.from(inflateRawSync(packed)), bytes, `${length} of ${alphabet}`);
    }
  }
});

test("codes that would be too long are cut", () => {
  const bytes = skewed();
  assert.deepEqual(Uint8Array.from(inflateRawSync(threadKernels().deflate(bytes))), bytes);
});

test("a match may begin a whole window before, and no farther", () => {
  for (const distance of [32_767, 32_768, 32_769, 65_535, 65_536, 65_537]) {
    const bytes = noise(distance + 300, 256);
    bytes.copyWithin(distance, 0, 300);
    const packed = threadKernels().deflate(bytes);
    assert.deepEqual(Uint8Array.from(inflateRawSync(packed)), bytes);
    assert.equal(packed.length < bytes.length - 200, distance <= 32_768, `${distance}`);
  }
});

test("the output depends on the input alone, not on what was compressed before", () => {
  const kernels = threadKernels();
  const text = Buffer.from("It is what it is, and it was what it was. ".repeat(30));
  const first = Uint8Array.from(kernels.deflate(text));
  kernels.deflate(noise(kernels.inputBytesMax, 3));
  assert.deepEqual(Uint8Array.from(kernels.deflate(text)), first);
});

test("a thread has one instance, until it is dropped", () => {
  const kernels = threadKernels();
  assert.equal(threadKernels(), kernels);
  dropKernels();
  const next = threadKernels();
  assert.notEqual(next, kernels);
  assert.deepEqual(inflateRawSync(next.deflate(Buffer.from("again"))), Buffer.from("again"));
});
