import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { printable, quoted, withoutCredentials } from "./index.ts";

test("printable text is one line without controls, whatever the input", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.doesNotMatch(printable(text), /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test("escape sequences, line ends and direction marks are shown, not obeyed", () => {
  assert.equal(printable("\u001b[31mred"), "\\x1b[31mred");
  assert.equal(printable("one\r\ntwo\tthree"), "one\\r\\ntwo\\tthree");
  assert.equal(printable("a\u202etxt.exe"), "a\\u{202e}txt.exe");
  assert.equal(printable("a\u2028b\u0000\u009b\ud800"), "a\\u{2028}b\\x00\\x9b\\u{d800}");
  assert.equal(printable("Grüße, 世界 👋"), "Grüße, 世界 👋");
});

test("a quoted value is short and shows no password", () => {
  assert.equal(quoted("x".repeat(100), 5), '"xxxxx…"');
  assert.equal(quoted("http://me:secret@proxy:8080"), '"http://…@proxy:8080"');
  assert.equal(withoutCredentials("mail me@example.org"), "mail me@example.org");
});

test("user and password of every URL in a text are left out, an @ in them or not", () => {
  const text = '["nats://me:a@b@first:1", "nats://second:2/@x"] http://u@h,http://u:p@h/?a@b';
  const shown = '["nats://…@first:1", "nats://second:2/@x"] http://…@h,http://…@h/?a@b';
  assert.equal(withoutCredentials(text), shown);
});
