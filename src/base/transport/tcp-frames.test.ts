import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeTcpFrame, type TcpFrame, TcpFrameReader } from "./tcp-frames.ts";
import { MESSAGE_BYTES_MAX } from "./transport.ts";

const RUNS = { numRuns: process.env["TROBAR_FULL"] === "1" ? 20_000 : 500 };

const frames: fc.Arbitrary<TcpFrame> = fc.record({
  purpose: fc.constantFrom("hello", "request", "reply", "unreachable", "broadcast"),
  number: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  kind: fc.stringMatching(/^[A-Za-z0-9.]{0,40}$/),
  body: fc.uint8Array({ maxLength: 300 }),
});

test("frames are read back as they were written, wherever the pieces are cut", () => {
  fc.assert(
    fc.property(fc.array(frames), fc.infiniteStream(fc.nat(50)), (written, cuts) => {
      const bytes = Buffer.concat(written.flatMap((frame) => encodeTcpFrame(frame)));
      const reader = new TcpFrameReader();
      const read: TcpFrame[] = [];
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + cuts.next().value;
        read.push(...(reader.take(bytes.subarray(at, end)) ?? assert.fail("refused")));
        at = end;
      }
      assert.deepEqual(read.map(plain), written.map(plain));
    }),
    RUNS,
  );
});

test("bytes that are no frames are refused or waited for, and never throw", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      const reader = new TcpFrameReader();
      for (const piece of pieces) if (reader.take(Buffer.from(piece)) === null) return;
    }),
    RUNS,
  );
});

test("a frame longer than the largest message is refused, at once if its length says so", () => {
  const bytesOf = (bodyBytes: number): Buffer =>
    Buffer.concat(
      encodeTcpFrame({
        ...{ purpose: "request", number: 1, kind: "x" },
        body: new Uint8Array(bodyBytes),
      }),
    );
  assert.equal(new TcpFrameReader().take(bytesOf(MESSAGE_BYTES_MAX))?.length, 1);
  assert.equal(new TcpFrameReader().take(bytesOf(MESSAGE_BYTES_MAX + 1)), null);
  assert.equal(new TcpFrameReader().take(bytesOf(MESSAGE_BYTES_MAX + 300).subarray(0, 4)), null);
});

test("a frame that ends within the kind of its message is refused", () => {
  const frame = { purpose: "request", number: 1, kind: "echo", body: new Uint8Array(0) } as const;
  const bytes = Buffer.concat(encodeTcpFrame(frame));
  bytes.writeUInt8(5, 9);
  assert.equal(new TcpFrameReader().take(bytes), null);
});

function plain(frame: TcpFrame): unknown {
  return { ...frame, body: [...frame.body] };
}

test("a frame that comes byte by byte is not kept as that many pieces", () => {
  const reader = new TcpFrameReader();
  const body = new Uint8Array(100_000).fill(7);
  const bytes = Buffer.concat(encodeTcpFrame({ purpose: "reply", number: 5, kind: "", body }));
  let frames: readonly TcpFrame[] = [];
  for (const byte of bytes) {
    assert.deepEqual(frames, []);
    frames = reader.take(Buffer.from([byte])) ?? [];
  }
  assert.ok(!reader.isMidway);
  assert.deepEqual(frames[0]?.body, Buffer.from(body));
});
