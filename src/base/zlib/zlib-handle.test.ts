import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, createDeflateRaw, createInflateRaw, deflateRawSync } from "node:zlib";
import { ZlibHandle } from "./zlib-handle.ts";

const TEXT: Uint8Array = Buffer.from("the same words again, ".repeat(50));

test("one handle packs, another unpacks, and both count what they moved", () => {
  const packed = new Uint8Array(2_000);
  const packer = new ZlibHandle(createDeflateRaw());
  assert.ok(packer.write(constants.Z_FINISH, TEXT, 0, TEXT.length, packed, 0));
  assert.equal(packer.consumedBytes, TEXT.length);
  const unpacked = new Uint8Array(2_000);
  const unpacker = new ZlibHandle(createInflateRaw());
  assert.ok(unpacker.write(0, packed, 0, packer.producedBytes, unpacked, 0));
  assert.equal(unpacker.consumedBytes, packer.producedBytes);
  assert.deepEqual(unpacked.subarray(0, unpacker.producedBytes), new Uint8Array(TEXT));
});

test("a handle stops when the output is full and continues from there", () => {
  const packed = deflateRawSync(TEXT);
  const handle = new ZlibHandle(createInflateRaw());
  const parts: Buffer[] = [];
  let at = 0;
  do {
    const room = new Uint8Array(100);
    assert.ok(handle.write(0, packed, at, packed.length, room, 0));
    at += handle.consumedBytes;
    parts.push(Buffer.from(room.subarray(0, handle.producedBytes)));
  } while (handle.producedBytes > 0);
  assert.deepEqual(Buffer.concat(parts), Buffer.from(TEXT));
});

test("a handle that failed says why and has produced nothing", () => {
  const handle = new ZlibHandle(createInflateRaw());
  assert.equal(handle.write(0, Uint8Array.of(7, 7, 7, 7), 0, 4, new Uint8Array(10), 0), false);
  assert.notEqual(handle.failure, null);
  assert.equal(handle.producedBytes, 0);
  handle.close();
});

test("what is not a stream of Node is refused", () => {
  for (const other of [null, {}, { _handle: {}, _writeState: new Uint32Array(2) }]) {
    assert.throws(() => new ZlibHandle(other), /unknown zlib handles/);
  }
});
