import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { ExampleUrl } from "../../../../test/support/rules/example-views.ts";
import { compileGlob, globTest } from "./glob.ts";

/** The glob as a regular expression, for the linear-time engine: another way to the same answer. */
function byEngine(glob: string): (text: string) => boolean {
  const pattern = glob.replaceAll(/\*|\?|\[[!^]?\]?(?:\\.|[^\]])*\]|\\.|[^*?[\\]/g, (part) => {
    if (part === "*") return ".*";
    if (part === "?") return ".";
    if (part.startsWith("[")) return part.replace("[!", "[^");
    return RE2JS.quote(part.replace(/^\\/, ""));
  });
  const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
  return (text) => compiled.testExact(text);
}

const part = fc.constantFrom(
  "*",
  "**",
  "?",
  "[ab]",
  "[!a]",
  "[a-c]",
  "[]a]",
  "[\\]\\-b]",
  "\\*",
  "a",
  "B",
  "ab",
  "/",
  ".",
);

test("a glob matches what the same regular expression matches", () => {
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(..."aAbBc/.*]-"), maxLength: 12 }),
      (parts, text) => {
        const glob = parts.join("");
        assert.equal(compileGlob(glob)(text), byEngine(glob)(text), `${glob} on ${text}`);
      },
    ),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 50_000 : 5000 },
  );
});

const CASES: readonly { readonly glob: string; readonly url: string; readonly accepts: boolean }[] =
  [
    { glob: "*/login*", url: "https://example.org/login", accepts: true },
    { glob: "*/login*", url: "https://example.org/a/b/Login.php?x=/", accepts: true },
    { glob: "*/login*", url: "https://example.org/blog", accepts: false },
    { glob: "*.pdf", url: "https://example.org/a.PDF", accepts: true },
    { glob: "*.pdf", url: "https://example.org/a.pdf?page=2", accepts: false },
    { glob: "https://example.org/*", url: "https://example.org/a/b", accepts: true },
    { glob: "https://example.org/*", url: "http://example.org/a/b", accepts: false },
    { glob: "example.org/*", url: "http://example.org/a/b", accepts: true },
    { glob: "example.org/*", url: "http://www.example.org/a/b", accepts: false },
    { glob: "example.org/", url: "http://example.org/", accepts: true },
    { glob: "/private/*", url: "http://example.org/private/x?y", accepts: true },
    { glob: "/private/*", url: "http://example.org/not/private/x", accepts: false },
    { glob: "*/page/[0-9]", url: "http://example.org/page/7", accepts: true },
    { glob: "*/page/[!0-9]", url: "http://example.org/page/7", accepts: false },
    { glob: "*/a\\[1\\]", url: "http://example.org/a[1]", accepts: true },
    { glob: "*/straße/*", url: "http://example.org/straße/1", accepts: true },
    { glob: "*/[\\]]x", url: "http://example.org/]x", accepts: true },
    { glob: "bücher.example/*", url: "http://bücher.example/x", accepts: true },
    { glob: "https://*.bücher.example/ü*", url: "https://a.bücher.example/ü", accepts: true },
    { glob: "*münchen*", url: "http://example.org/münchen/1", accepts: true },
  ];

for (const { glob, url, accepts } of CASES) {
  test(`the glob ${glob} ${accepts ? "accepts" : "refuses"} ${url}`, () => {
    assert.equal(globTest(glob)(new ExampleUrl(url)), accepts);
  });
}

test("a class that is not closed is a mistake", () => {
  assert.throws(() => compileGlob("*[a"), /a \[ without its \]/);
});

test("a class that can match no character of a URL is a mistake", () => {
  assert.throws(() => compileGlob("*[ü]"), /a class with characters outside ASCII/);
  assert.throws(() => compileGlob("*[z-a]"), /a range that ends before it begins/);
});

test("many stars are matched without going back", () => {
  const glob = `${"*a".repeat(1000)}*b`;
  assert.equal(compileGlob(glob)("a".repeat(100_000)), false);
  assert.equal(compileGlob(`${"?*".repeat(1000)}b`)("a".repeat(100_000)), false);
});
