import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keyOf, parseUrl, URL_LENGTH_MAX, URL_REFUSALS, type UrlRefusal } from "./index.ts";

function urlOrReason(text: string, base?: string): string {
  const outcome = parseUrl(text, { base });
  return outcome.kind === "accepted" ? outcome.url : outcome.reason;
}

const ACCEPTED: readonly (readonly [text: string, url: string])[] = [
  ["HTTP://EXAMPLE.org", "http://example.org/"],
  ["https://bücher.example:443/ü?ü", "https://xn--bcher-kva.example/%C3%BC?%C3%BC"],
  ["http://example.org./a", "http://example.org./a"],
  ["http://example.org/a/%2e%2E/./b", "http://example.org/b"],
  ["http://example.org/%7e%41%c3", "http://example.org/%7e%41%c3"],
  ["http://0x7f.1/", "http://127.0.0.1/"],
  ["  http://example.org/a\tb\n ", "http://example.org/ab"],
  ["http://example.org/\u0000\u001fx", "http://example.org/%00%1Fx"],
  ["http:\\\\example.org\\a", "http://example.org/a"],
];

test("the fetchable form is the parser's, with no rule of the key applied", () => {
  for (const [text, url] of ACCEPTED) assert.equal(urlOrReason(text), url);
});

test("fragment, user name and password are never sent", () => {
  assert.equal(urlOrReason("http://a.test/b#c#d"), "http://a.test/b");
  assert.equal(urlOrReason("http://a.test#"), "http://a.test/");
  assert.equal(urlOrReason("http://u:p@a.test/x@y"), "http://a.test/x@y");
  assert.equal(urlOrReason("http://u@p@a.test:81?@"), "http://a.test:81/?@");
  assert.equal(urlOrReason("x", "http://u:p@a.test/b/#c"), "http://a.test/b/x");
});

const REFUSED: readonly (readonly [reason: UrlRefusal, text: string, base?: string])[] = [
  ["scheme-unsupported", "mailto:a@b.c"],
  ["scheme-unsupported", "java\nscript:alert(1)"],
  ["scheme-unsupported", "ftp://a b/"],
  ["scheme-unsupported", "x", "file:///folder/"],
  ["host-missing", "http://"],
  ["host-missing", "https://user@:80/"],
  ["host-missing", "//", "http://a.test/"],
  ["host-invalid", "http://a b/"],
  ["host-invalid", "http://1.2.3.4.5/"],
  ["host-invalid", "http://[::1/"],
  ["host-invalid", "http://\u00ad/"],
  ["host-invalid", "//a^b/", "http://a.test/"],
  ["port-invalid", "http://a.test:port/"],
  ["port-invalid", "http://a.test:65536"],
  ["port-invalid", "http://[::1]:-1/"],
  ["base-missing", "page.html"],
  ["base-missing", ""],
  ["base-invalid", "page.html", "folder/"],
  ["base-invalid", "http://a.test/", "folder/"],
  ["base-invalid", "page.html", "mailto:a@b.c"],
];

test("what cannot be crawled is refused with its reason", () => {
  for (const [reason, text, base] of REFUSED) {
    assert.equal(urlOrReason(text, base), reason, `${text} at ${base}`);
  }
});

test("every reason occurs", () => {
  const met = new Set([...REFUSED.map(([reason]) => reason), "url-too-long"]);
  assert.deepEqual([...met].sort(), Object.keys(URL_REFUSALS).sort());
});

test("the limit is on the fetchable form, not on the text", () => {
  const lengthMax = "http://a.test/%C3%BC".length;
  assert.equal(parseUrl("http://a.test/ü", { lengthMax }).kind, "accepted");
  assert.equal(parseUrl("http://a.test/üx", { lengthMax }).kind, "refused");
  const long = `http://user:password@a.test/${"b/../".repeat(100)}#${"c".repeat(100)}`;
  assert.equal(parseUrl(long, { lengthMax }).kind, "accepted");
  const longest = `http://a.test/${"d".repeat(URL_LENGTH_MAX)}`;
  const outcome = parseUrl(longest, { lengthMax: Number.POSITIVE_INFINITY });
  assert.equal(outcome.kind === "refused" && outcome.reason, "url-too-long");
});

test("no string makes the parser throw, and its result parses to itself", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.webUrl(),
  );
  const prefix = fc.constantFrom(
    "",
    "http://",
    "https://a.test/",
    "//",
    "http://[",
    "http://a.test:",
  );
  fc.assert(
    fc.property(prefix, text, fc.option(text, { nil: undefined }), (start, end, base) => {
      const outcome = parseUrl(start + end, { base });
      if (outcome.kind === "refused") assert.ok(outcome.reason in URL_REFUSALS);
      else {
        assert.match(outcome.url, /^https?:\/\/[^/?#@]+\/[!-~]*$/);
        assert.deepEqual(parseUrl(outcome.url), outcome);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("a hostile text of a megabyte is answered without delay", () => {
  for (const piece of ["@", ":", "/../", "ü.", "%", " ", "[", "\\", "xn--", "?#", ".", ";"]) {
    for (const start of ["http://", "http://a.test/", ""]) {
      const text = start + piece.repeat(1_000_000 / piece.length);
      const outcome = parseUrl(text, { base: "http://base.test/" });
      if (outcome.kind === "accepted") assert.ok(keyOf(outcome.url).length > 0);
    }
  }
});
