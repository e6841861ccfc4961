import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FetchableUrl, keyOf, LinkResolver, parseUrl, partsOf } from "./index.ts";

const resolver = new LinkResolver({
  fingerprintKey: new Uint8Array(16),
  shards: 64,
  urlLengthMax: 2048,
});

test("file URLs are accepted only if the caller asks for them", () => {
  assert.deepEqual(parseUrl("file:///tmp/a.html"), {
    kind: "refused",
    reason: "scheme-unsupported",
  });
  assert.equal(fileUrl("file:///tmp/a.html#top"), "file:///tmp/a.html");
  assert.equal(fileUrl("FILE:/tmp/x/../a"), "file:///tmp/a");
});

test("files of another machine are always refused", () => {
  for (const text of ["file://server/share/a", "file://127.0.0.1/a"]) {
    assert.equal(parseUrl(text, { files: true }).kind, "refused", text);
  }
});

test("a file has no host, and its key is made like any other", () => {
  const url = fileUrl("file:///tmp/a%7Eb.html?x");
  assert.deepEqual(partsOf(url), {
    scheme: "file",
    host: "",
    port: "",
    path: "/tmp/a%7Eb.html",
    query: "?x",
  });
  assert.equal(keyOf(url), "file:///tmp/a~b.html?x");
});

test("a page of the web cannot link to a file", () => {
  const base = resolver.base("http://example.org/a/" as FetchableUrl);
  for (const link of ["file:///etc/passwd", "FILE:/etc/passwd", "file:etc", " file:///x"]) {
    assert.equal(resolver.resolve(link, base), "scheme-unsupported", link);
  }
});

test("the links of a file are what the parser makes of them", () => {
  const base = resolver.base(fileUrl("file:///data/site/index.html"));
  const piece = fc.constantFrom("..", ".", "a", "b.html", "/", "//", "?q", "#f", "%2e", "c|", "\\");
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  const prefix = fc.constantFrom("", "file:", "file://", "http:", "https://e.org/", "mailto:");
  fc.assert(
    fc.property(prefix, text, (start, rest) => {
      const link = start + rest;
      const outcome = parseUrl(link, { base: base.url, files: true, lengthMax: 2048 });
      const resolved = resolver.resolve(link, base);
      if (outcome.kind === "refused") assert.equal(resolved, outcome.reason);
      else {
        assert(typeof resolved !== "string", link);
        assert.equal(resolved.url, outcome.url);
        assert.equal(resolved.key, keyOf(outcome.url));
      }
    }),
  );
});

function fileUrl(text: string): FetchableUrl {
  const outcome = parseUrl(text, { files: true });
  assert(outcome.kind === "accepted");
  return outcome.url;
}
