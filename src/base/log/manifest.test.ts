import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import {
  cutAt,
  droppedBefore,
  extended,
  firstManifest,
  goneSegments,
  type Manifest,
  segmentIdOf,
  segmentName,
} from "./manifest.ts";
import { parseManifest, printManifest } from "./manifest-text.ts";

function threeSegments(): Manifest {
  const first = firstManifest("binary", [1, 2 ** 32 - 1]);
  return extended(extended(first, 100), 250);
}

function shape(manifest: Manifest): (number | null)[][] {
  return manifest.segments.map(({ id, base, lengthBytes }) => [id, base, lengthBytes]);
}

test("segments follow one another, and only the last is open", () => {
  assert.deepEqual(shape(threeSegments()), [
    [1, 0, 100],
    [2, 100, 150],
    [3, 250, null],
  ]);
});

test("a cut seals the segment it is in and removes the later ones", () => {
  const before = threeSegments();
  assert.deepEqual(shape(cutAt(before, 120)), [
    [1, 0, 100],
    [2, 100, 20],
  ]);
  assert.deepEqual(shape(cutAt(before, 100)), [[1, 0, 100]]);
  assert.deepEqual(shape(cutAt(before, 0)), [[1, 0, 0]]);
  assert.deepEqual(shape(extended(cutAt(before, 120), 120)), [
    [1, 0, 100],
    [2, 100, 20],
    [4, 120, null],
  ]);
  const gone = goneSegments(before, cutAt(before, 100));
  assert.deepEqual(
    gone.map((segment) => segment.id),
    [2, 3],
  );
});

test("dropping removes whole segments, never the last", () => {
  const before = threeSegments();
  assert.equal(droppedBefore(before, 99).segments.length, 3);
  assert.deepEqual(shape(droppedBefore(before, 100)), [
    [2, 100, 150],
    [3, 250, null],
  ]);
  assert.deepEqual(shape(droppedBefore(before, 10_000)), [[3, 250, null]]);
});

test("a manifest is read as it was written, also with any one byte changed", () => {
  const manifest = threeSegments();
  const text = printManifest(manifest);
  assert.deepEqual(parseManifest(text), manifest);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = text.slice();
      damaged[at] = (damaged[at] ?? 0) ^ change;
      assert.deepEqual(parseManifest(damaged), manifest);
    }),
    { numRuns: 500 },
  );
});

test("bytes that are not a manifest are reported, without throwing", () => {
  const read = (text: string): unknown => parseManifest(new TextEncoder().encode(text));
  assert.match(String(read("")), /checksum/);
  assert.match(String(read("{}\t00000000\n")), /checksum/);
  const newer = '{"format":2}';
  assert.match(
    String(read(`${newer}\t${crc32(newer).toString(16).padStart(8, "0")}\n`)),
    /its format is 2/,
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(typeof parseManifest(bytes), "string");
    }),
  );
});

test("files of a log are known by their names, and those of its neighbours are not", () => {
  assert.equal(segmentName("a/log", 1), "a/log.log");
  assert.equal(segmentName("a/log", 12), "a/log.12.log");
  for (const id of [1, 2, 99]) assert.equal(segmentIdOf("a/log", segmentName("a/log", id)), id);
  const others = [
    "a/log.manifest",
    "a/logs.log",
    "a/log.01.log",
    "a/log.x.log",
    "log.log",
    "a/log",
  ];
  for (const name of others) assert.equal(segmentIdOf("a/log", name), null, name);
});
