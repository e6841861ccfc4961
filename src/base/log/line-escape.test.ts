import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { escapedBytes, escapeInto, unescaped } from "./line-escape.ts";

function escaped(payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(escapedBytes(payload));
  assert.equal(escapeInto(bytes, 0, payload), bytes.length);
  return bytes;
}

test("any bytes become one line without control characters, and come back as they were", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (payload) => {
      const line = escaped(payload);
      assert.ok(line.every((byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 0x09));
      assert.deepEqual(unescaped(line), payload);
    }),
  );
});

test("ordinary text stays as it is, and what is escaped can be read", () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const line = (string: string): string => text(escaped(new TextEncoder().encode(string)));
  assert.equal(line("200 https://example.org/é?a=b\tok"), "200 https://example.org/é?a=b\tok");
  assert.equal(line("a\nb\r\\n\x1b[31m\0"), "a\\nb\\r\\\\n\\x1b[31m\\x00");
});
