/** What both framings promise: a frame proves itself, and nothing else is taken for one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BinaryFraming } from "./binary-framing.ts";
import { FrameBatch } from "./frame-batch.ts";
import { FrameScanner } from "./frame-scanner.ts";
import { type Framing, type Salt, viewOf, type Window } from "./framing.ts";
import { LineFraming } from "./line-framing.ts";

const SALT: Salt = [0x1234567, 0x89abcdef];
const makers = {
  binary: (salt: Salt): Framing => new BinaryFraming(salt),
  line: (salt: Salt): Framing => new LineFraming(salt),
};
const payloads = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 12 });
const positions = fc.constantFrom(0, 17, 2 ** 32 - 50, 2 ** 45 + 3);

function encoded(framing: Framing, all: readonly Uint8Array[], position: number): Uint8Array {
  const length = all.reduce((sum, payload) => sum + framing.frameBytes(payload), 0);
  const bytes = new Uint8Array(length);
  const chunk = { bytes, view: viewOf(bytes), position, usedBytes: 0 };
  for (const payload of all) framing.encode(payload, chunk);
  assert.equal(chunk.usedBytes, length);
  return bytes;
}

function windowOf(bytes: Uint8Array, position: number, isLast = true): Window {
  return { bytes, view: viewOf(bytes), position, isLast };
}

interface Found {
  readonly payloads: Uint8Array[];
  readonly positions: number[];
  readonly damage: { readonly from: number; readonly to: number }[];
}

/** Scans bytes that are cut into windows of this size at most, as a reader would. */
function scanned(framing: Framing, bytes: Uint8Array, position = 0, windowBytes = 64): Found {
  const scanner = new FrameScanner(framing);
  const batch = new FrameBatch(framing);
  const found: Found = { payloads: [], positions: [], damage: [] };
  const end = position + bytes.length;
  let at = 0;
  let size = windowBytes;
  for (let rounds = 0; at < bytes.length; rounds += 1) {
    assert.ok(rounds < 10 * bytes.length + 10, "the scanner gets on");
    const isLast = at + size >= bytes.length;
    const window = windowOf(bytes.slice(at, at + size), position + at, isLast);
    batch.reset(window);
    const { doneBytes, neededBytes } = scanner.scan(window, batch);
    at += doneBytes;
    if (isLast) scanner.endDamage(end, batch, position + at);
    for (let index = 0; index < batch.count; index += 1) {
      found.payloads.push(batch.payloadOf(index));
      found.positions.push(batch.positionOf(index));
    }
    found.damage.push(...batch.damage);
    if (isLast) break;
    size = Math.max(windowBytes, neededBytes);
  }
  return found;
}

for (const kind of ["binary", "line"] as const) {
  const framing = makers[kind](SALT);

  test(`${kind} frames come back as they went in, wherever the log is and windows end`, () => {
    fc.assert(
      fc.property(payloads, positions, fc.integer({ min: 20, max: 300 }), (all, position, size) => {
        const found = scanned(framing, encoded(framing, all, position), position, size);
        assert.deepEqual(found.damage, []);
        assert.deepEqual(found.payloads, all);
        let expected = position;
        for (const [index, payload] of all.entries()) {
          assert.equal(found.positions[index], expected);
          expected += framing.frameBytes(payload);
        }
      }),
    );
  });

  test(`damage anywhere among ${kind} frames is reported, and every other frame is found`, () => {
    const damage = fc.record({
      at: fc.nat(),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }),
    });
    fc.assert(
      fc.property(payloads, damage, (all, { at, bytes }) => {
        const good = encoded(framing, all, 0);
        const start = at % good.length;
        const bad = good.slice();
        bad.set(bytes.subarray(0, good.length - start), start);
        if (Buffer.compare(good, bad) === 0) return;
        const end = start + bytes.length;
        const found = scanned(framing, bad);
        let position = 0;
        const expected = all.filter((payload) => {
          const from = position;
          position += framing.frameBytes(payload);
          const isTouched = Buffer.compare(
            good.subarray(from, position),
            bad.subarray(from, position),
          );
          assert.ok(isTouched === 0 || (from < end && position > start));
          return isTouched === 0;
        });
        assert.deepEqual(found.payloads, expected);
        assert.ok(found.damage.length > 0);
        for (const range of found.damage) assert.ok(range.from < range.to);
      }),
      { numRuns: 300 },
    );
  });

  test(`a ${kind} frame in another place, or of another log, is not a frame`, () => {
    const all = [new Uint8Array(30).fill(1), new Uint8Array(40).fill(2)];
    const bytes = encoded(framing, all, 100);
    assert.equal(scanned(framing, bytes, 100).payloads.length, 2);
    assert.equal(scanned(framing, bytes, 101).payloads.length, 0);
    assert.equal(scanned(framing, bytes, 100 + 2 ** 32).payloads.length, 0);
    assert.equal(scanned(makers[kind]([SALT[0], 1]), bytes, 100).payloads.length, 0);
    assert.equal(scanned(makers[kind]([1, SALT[1]]), bytes, 100).payloads.length, 0);
  });

  test(`bytes in a payload that look like a ${kind} frame are never taken for one`, () => {
    // An attacker knows the format, guesses the salt and the place, and fills a page with attempts.
    const tries: Uint8Array[] = [];
    for (let guess = 0; guess < 2000; guess += 1) {
      const place = guess * 30 + 10;
      tries.push(encoded(makers[kind]([guess, 7]), [new Uint8Array(10).fill(65)], place));
    }
    const payload = Buffer.concat(tries);
    const bytes = encoded(framing, [payload, new Uint8Array(5)], 0);
    bytes[1] = (bytes[1] ?? 0) ^ 1;
    const found = scanned(framing, bytes, 0, 4096);
    assert.deepEqual(found.payloads, [new Uint8Array(5)]);
    assert.equal(found.damage.length, 1);
  });

  test(`the first ${kind} frame after a sync says so, and is whole`, () => {
    const all = [Uint8Array.of(1, 2, 3), Uint8Array.of(10, 92), new Uint8Array(0)];
    const bytes = encoded(framing, all, 50);
    const chunk = { bytes, view: viewOf(bytes), position: 50, usedBytes: bytes.length };
    const second = framing.frameBytes(all[0] ?? new Uint8Array(0));
    for (const times of [1, 2]) {
      framing.markFirstAfterSync(chunk, second);
      assert.deepEqual(scanned(framing, bytes, 50).payloads, all, `marked ${times} times`);
    }
    const lengthBytes = framing.check(windowOf(bytes, 50), second);
    assert.ok(framing.isFirstAfterSync(bytes, second, lengthBytes));
    assert.ok(!framing.isFirstAfterSync(bytes, 0, second));
  });

  test(`whatever bytes there are, scanning them for ${kind} frames is linear`, () => {
    // Counts what the scanner asks for: places it tries, and bytes it wants to see again.
    const hostile = [
      new Uint8Array(5_000_000),
      new Uint8Array(400_000).fill(255),
      new Uint8Array(400_000).fill(10),
      new Uint8Array(400_000).map((_, at) => (at % 7 === 0 ? 10 : 48)),
      new TextEncoder().encode("\t.0f0000.00000000\n".repeat(20_000)),
      new TextEncoder().encode("\t.000013.00000000\n".repeat(20_000)),
      new Uint8Array(400_000).map((_, at) => Math.imul(at, 0x9e3779b1) >>> 24),
    ];
    for (const bytes of hostile) {
      let tried = 0;
      let wanted = 0;
      const counting: Framing = Object.create(framing, {
        check: {
          value: (window: Window, at: number) => {
            const outcome = framing.check(window, at);
            tried += 1;
            if (outcome < 0) wanted -= outcome;
            return outcome;
          },
        },
        seek: { value: (window: Window, at: number) => framing.seek(window, at) },
      });
      const found = scanned(counting, bytes, 0, 100_000);
      assert.equal(found.payloads.length, 0);
      assert.ok(tried <= bytes.length + 100, `${tried} places were tried`);
      assert.ok(wanted <= 4 * bytes.length, `${wanted} bytes were wanted again`);
    }
  });
}

test("a line is text that people can search, with its checksum at the end", () => {
  const framing = makers.line(SALT);
  const text = new TextEncoder().encode("200 https://example.org/ 1234\nforged line");
  const line = new TextDecoder().decode(encoded(framing, [text], 0));
  assert.match(line, /^200 https:\/\/example\.org\/ 1234\\nforged line\t\.00003c\.[0-9a-f]{8}\n$/);
});
