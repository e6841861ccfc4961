import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { SeededRandom } from "../../base/random/index.ts";
import { GzipEngine } from "./gzip-engine.ts";

test("a reused compressor makes the same members as a new one", () => {
  const engines = new Map([1, 3, 6, 9].map((level) => [level, new GzipEngine(level)]));
  const piece = fc.oneof(fc.string(), fc.constantFrom("<p>", "the same words again ", "\r\n"));
  const text = fc.tuple(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(text, fc.constantFrom(...engines.keys()), ([pieces, times], level) => {
      const bytes = Buffer.from(pieces.join("").repeat(times));
      const packed = engines.get(level)?.pack(bytes) ?? new Uint8Array(0);
      assert.deepEqual(Buffer.from(packed), gzipSync(bytes, { level }));
    }),
  );
});

test("incompressible data fits too, up to and beyond the engine's room", () => {
  const random = new SeededRandom("noise");
  const engine = new GzipEngine(1);
  for (const length of [0, 1, 65_536, 256 * 1024, 256 * 1024 + 1]) {
    const noise = Uint8Array.from({ length }, () => random.below(256));
    assert.deepEqual(Uint8Array.from(gunzipSync(engine.pack(noise))), noise);
  }
});
