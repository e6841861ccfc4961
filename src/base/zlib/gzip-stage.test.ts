import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { DecompressorPool, GzipStage } from "./index.ts";

const decompressors = new DecompressorPool();

function decoded(bytes: Uint8Array, checksums: "compared" | "ignored") {
  const stage = new GzipStage({ decompressors, stepBytes: 7 }, checksums);
  const output = new Uint8Array(1_000);
  const state = stage.run(bytes, 0, bytes.length, output, 0);
  const isComplete = state === "hungry" && stage.isComplete();
  stage.close();
  return {
    state,
    isComplete,
    text: Buffer.from(output.subarray(0, stage.producedBytes)).toString(),
  };
}

test("members are decoded one after another, and what follows them is ignored", () => {
  const two = Buffer.concat([gzipSync("one "), gzipSync("two")]);
  assert.deepEqual(decoded(two, "compared"), {
    state: "hungry",
    isComplete: true,
    text: "one two",
  });
  const more = Buffer.concat([two, Buffer.alloc(9)]);
  assert.deepEqual(decoded(more, "compared"), {
    state: "over",
    isComplete: false,
    text: "one two",
  });
});

test("a wrong checksum is damage, unless checksums are ignored; the content is there", () => {
  const packed = gzipSync("text");
  packed.fill(0, packed.length - 8);
  assert.deepEqual(decoded(packed, "compared"), {
    state: "damaged",
    isComplete: false,
    text: "text",
  });
  assert.deepEqual(decoded(packed, "ignored"), { state: "hungry", isComplete: true, text: "text" });
});

test("a member that is cut short is not complete", () => {
  const packed = gzipSync("text");
  for (let length = 1; length < packed.length; length += 1) {
    assert.equal(decoded(packed.subarray(0, length), "compared").isComplete, false);
  }
});
