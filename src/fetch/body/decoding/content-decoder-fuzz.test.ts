/** Decoding of any input: every coding, cut anywhere, damaged. Nothing throws, nothing hangs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import fc from "fast-check";
import { DecodingRig } from "../../../../test/support/fetch/decoding-rig.ts";

const RUNS = process.env["TROBAR_FULL"] === "1" ? 20_000 : 400;

const CODINGS = {
  gzip: (bytes: Uint8Array) => gzipSync(bytes),
  "x-gzip": (bytes: Uint8Array) =>
    Buffer.concat([gzipSync(bytes.subarray(0, 10)), gzipSync(bytes.subarray(10))]),
  deflate: (bytes: Uint8Array) => deflateSync(bytes),
  "x-deflate": (bytes: Uint8Array) => deflateRawSync(bytes),
  br: (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { 1: 4 } }),
  zstd: (bytes: Uint8Array) => zstdCompressSync(bytes),
} as const;
type Coding = keyof typeof CODINGS;

const coding = fc.constantFrom(...(Object.keys(CODINGS) as Coding[]));
const codings = fc.array(coding, { minLength: 1, maxLength: 2 });
/** Random bytes, repetitive ones, and mixtures long enough to need several steps. */
const content = fc
  .tuple(fc.uint8Array({ maxLength: 2000 }), fc.integer({ min: 1, max: 80 }))
  .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => Buffer.from(bytes))));

function encode(bytes: Uint8Array, by: readonly Coding[]): Uint8Array {
  return by.reduce<Uint8Array>((encoded, name) => CODINGS[name](encoded), bytes);
}

test("everything that was encoded is decoded", () => {
  fc.assert(
    fc.property(content, codings, (bytes, by) => {
      const rig = new DecodingRig();
      const { decoded, body } = rig.decode(encode(bytes, by), by.join(", "));
      assert.equal(decoded.error, null);
      assert.ok(bytes.equals(rig.content(decoded.body)));
      decoded.body.release();
      body.release();
      assert.equal(rig.spool.usedBytes, 0);
    }),
    { numRuns: RUNS },
  );
});

test("content cut anywhere is kept up to the cut", () => {
  fc.assert(
    fc.property(content, codings, fc.double({ min: 0, max: 1, noNaN: true }), (bytes, by, part) => {
      const whole = encode(bytes, by);
      const cut = whole.subarray(0, Math.floor(part * whole.length));
      const rig = new DecodingRig();
      const { decoded, body } = rig.decode(cut, by.join(", "));
      if (decoded.body === body) return;
      const kept = rig.content(decoded.body);
      assert.ok(bytes.subarray(0, kept.length).equals(kept));
      // What zlib's format has behind the content is not missed.
      const isWhole = kept.length === bytes.length;
      assert.ok(decoded.truncatedBy === "corrupt" || isWhole, `${kept.length} of ${bytes.length}`);
    }),
    { numRuns: RUNS },
  );
});

test("damaged content and garbage end in an answer within the limits", () => {
  const damage = fc.array(fc.tuple(fc.nat(100_000), fc.nat(255)), { maxLength: 5 });
  fc.assert(
    fc.property(content, codings, damage, fc.boolean(), (bytes, by, flips, isGarbage) => {
      const encoded = Buffer.from(isGarbage ? bytes : encode(bytes, by));
      for (const [place, value] of flips) {
        if (encoded.length > 0) encoded[place % encoded.length] = value;
      }
      const rig = new DecodingRig({ limits: { outputBytesMax: 50_000 }, memoryBytes: 2 ** 20 });
      const { decoded, body } = rig.decode(encoded, by.join(","));
      if (decoded.body !== body) {
        assert.ok(decoded.body.lengthBytes <= 50_000);
        decoded.body.release();
      }
      body.release();
      rig.time.settle();
      assert.equal(rig.spool.usedBytes, 0);
    }),
    { numRuns: RUNS },
  );
});
