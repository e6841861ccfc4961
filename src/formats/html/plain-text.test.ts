import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readPlainText } from "./index.ts";

test("a text gives its lines, and its URLs if asked for", () => {
  const page = readPlainText(
    Buffer.from(
      "\ufeff See  https://example.org/a?b=1. Or\r\n\r\n\t(http://other.example/x)!\n<meta charset=koi8-r>",
    ),
    {},
    { kinds: ["string"], text: true },
  );
  assert.deepEqual(
    page.links.map((link) => link.url),
    ["https://example.org/a?b=1", "http://other.example/x"],
  );
  assert.equal(
    page.text,
    "See https://example.org/a?b=1. Or\n(http://other.example/x)!\n<meta charset=koi8-r>",
  );
  assert.equal(page.encoding, "utf-8");
  assert.deepEqual(readPlainText(Buffer.from("https://example.org/")).links, []);
});

test("a meta element in a text declares nothing", () => {
  const page = readPlainText(
    Buffer.from("<meta charset=koi8-r> \xe9t\xe9", "latin1"),
    {},
    { text: true },
  );
  assert.equal(page.encoding, "windows-1252");
});

test("limits are applied and reported", () => {
  const text = Buffer.from("https://a.example/ https://b.example/ ".repeat(5));
  const page = readPlainText(
    text,
    {},
    { kinds: ["string"], text: true, linksMax: 3, textBytesMax: 9 },
  );
  assert.deepEqual(
    [page.links.length, page.text, page.truncated],
    [3, "https://a", ["links", "text"]],
  );
});

test("any bytes are a text, in linear time", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      readPlainText(bytes, {}, { kinds: ["string"], text: true });
    }),
  );
  for (const part of ["http://", " \n", "\t", "h", "http://a.)"]) {
    readPlainText(Buffer.from(part.repeat(100_000)), {}, { kinds: ["string"], text: true });
  }
});
