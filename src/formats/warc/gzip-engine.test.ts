import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { threadKernels } from "../../base/kernels/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { GzipEngine } from "./gzip-engine.ts";

const HEAD_BYTES = 10;
const ROOM_BYTES = 256 * 1024;

function trapping(): never {
  throw new Error("unreachable");
}

// Now and then (8 of 40,000 texts) it finds a match that a new one misses; never the other way round.
test("a reused compressor makes members like those of a new one, and none that is longer", () => {
  const engines = new Map([1, 3, 6, 9].map((level) => [level, new GzipEngine(level)]));
  const piece = fc.oneof(fc.string(), fc.constantFrom("<p>", "the same words again ", "\r\n"));
  const text = fc.tuple(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(text, fc.constantFrom(...engines.keys()), ([pieces, times], level) => {
      const bytes = Buffer.from(pieces.join("").repeat(times));
      const packed = engines.get(level)?.pack(bytes) ?? new Uint8Array(0);
      const fresh = gzipSync(bytes, { level });
      assert.deepEqual(gunzipSync(packed), bytes);
      assert.ok(packed.length <= fresh.length, `${packed.length} instead of ${fresh.length}`);
      assert.deepEqual(Buffer.from(packed.subarray(0, HEAD_BYTES)), fresh.subarray(0, HEAD_BYTES));
    }),
  );
});

for (const level of [null, 1]) {
  test(`incompressible data fits too, up to and beyond the engine's room (level ${level})`, () => {
    const random = new SeededRandom("noise");
    const engine = new GzipEngine(level);
    for (const length of [0, 1, 65_536, ROOM_BYTES, ROOM_BYTES + 1]) {
      const noise = Uint8Array.from({ length }, () => random.below(256));
      assert.deepEqual(Uint8Array.from(gunzipSync(engine.pack(noise))), noise);
      assert.equal(engine.thrown, null);
    }
  });
}

test("without a level the kernel compresses, with a level zlib does", () => {
  let calls = 0;
  const counted = () => {
    calls += 1;
    return threadKernels();
  };
  const text = Buffer.from("<p>again and again".repeat(50));
  assert.deepEqual(gunzipSync(new GzipEngine(3, counted).pack(text)), text);
  assert.equal(calls, 0, "level 3 is a level, though it is that of zlib by default");
  assert.deepEqual(gunzipSync(new GzipEngine(null, counted).pack(text)), text);
  assert.equal(calls, 1);
});

test("what is longer than a kernel takes is left to zlib", () => {
  const small = () => ({ inputBytesMax: 10, deflate: trapping });
  const engine = new GzipEngine(null, small);
  const text = Buffer.from("eleven byte");
  assert.deepEqual(Buffer.from(engine.pack(text)), gzipSync(text, { level: 3 }));
  assert.equal(engine.thrown, null);
});

test("zlib makes the member at which a kernel traps, and the next one is the kernel's again", () => {
  let traps = 1;
  const engine = new GzipEngine(null, () => {
    traps -= 1;
    return traps < 0 ? threadKernels() : { inputBytesMax: ROOM_BYTES, deflate: trapping };
  });
  const before = threadKernels();
  const text = Buffer.from("a record");
  assert.deepEqual(Buffer.from(engine.pack(text)), gzipSync(text, { level: 3 }));
  assert.match(String(engine.thrown), /unreachable/);
  assert.notEqual(threadKernels(), before, "memory in an unknown state is not used again");
  assert.deepEqual(gunzipSync(engine.pack(text)), text);
  assert.equal(engine.thrown, null);
});

test("where there are no kernels zlib does everything, and that is told once", () => {
  let asked = 0;
  const engine = new GzipEngine(null, () => {
    asked += 1;
    throw new Error("no SIMD");
  });
  const text = Buffer.from("a record");
  assert.deepEqual(Buffer.from(engine.pack(text)), gzipSync(text, { level: 3 }));
  assert.match(String(engine.thrown), /no SIMD/);
  assert.deepEqual(Buffer.from(engine.pack(text)), gzipSync(text, { level: 3 }));
  assert.deepEqual([engine.thrown, asked], [null, 1]);
});
