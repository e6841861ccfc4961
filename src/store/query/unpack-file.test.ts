import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { unpackFile } from "./unpack-file.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-unpack-"));
after(() => rmSync(root, { recursive: true }));
const ZEROS = Buffer.alloc(20_000_000);
let made = 0;

function file(bytes: Uint8Array): { path: string; target: string } {
  made += 1;
  const path = join(root, `${made}.gz`);
  writeFileSync(path, bytes);
  return { path, target: join(root, "unpacked", String(made)) };
}

test("a file is unpacked as far as it can be read", async () => {
  const text = Buffer.from("some text that goes on ".repeat(9000));
  for (const pack of [gzipSync, zstdCompressSync]) {
    const whole = file(pack(text));
    assert.equal(await unpackFile(whole.path, whole.target), "whole");
    assert.ok(readFileSync(whole.target).equals(text));
    const flipped = Buffer.concat([pack(text), pack(text)]);
    flipped.fill(0x55, flipped.length / 2, flipped.length / 2 + 4);
    const damaged = file(flipped);
    assert.equal(await unpackFile(damaged.path, damaged.target), "damaged");
    const kept = readFileSync(damaged.target);
    assert.ok(kept.length > 100_000 && kept.equals(text.subarray(0, kept.length)));
    const twice = file(Buffer.concat([pack(text), pack(text)]));
    assert.equal(await unpackFile(twice.path, twice.target), "whole");
    assert.equal(statSync(twice.target).size, 2 * text.length);
  }
});

test("unpacking stops at the limit of the length and at that of the ratio", async () => {
  for (const pack of [gzipSync, zstdCompressSync]) {
    const bytes = pack(ZEROS);
    const long = file(bytes);
    const lengths = { bytesMax: 3_000_000, ratioMax: 1e9, ratioFromBytes: 0 };
    assert.equal(await unpackFile(long.path, long.target, lengths), "too-large");
    assert.ok(statSync(long.target).size <= 3_000_000);
    const odd = file(bytes);
    const ratios = { bytesMax: 1e12, ratioMax: 50, ratioFromBytes: 1_000_000 };
    assert.equal(await unpackFile(odd.path, odd.target, ratios), "too-large");
    assert.ok(statSync(odd.target).size <= Math.max(1_000_000, 50 * bytes.length));
    const small = file(bytes);
    const wide = { bytesMax: 1e12, ratioMax: 50, ratioFromBytes: ZEROS.length };
    assert.equal(await unpackFile(small.path, small.target, wide), "whole");
    assert.equal(statSync(small.target).size, ZEROS.length);
  }
});

test("what cannot be read or written is an error with the name of the file", async () => {
  const target = join(root, "unpacked", "never");
  await assert.rejects(unpackFile(root, target), { message: /is not a regular file/ });
  const { path } = file(gzipSync("x"));
  await assert.rejects(unpackFile(path, root), { code: "STORAGE_FAILED", message: /TMPDIR/ });
});
