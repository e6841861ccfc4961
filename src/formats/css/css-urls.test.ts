import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cssUrls } from "./css-urls.ts";

function urlsOf(css: string | Uint8Array): string[] {
  const urls: string[] = [];
  cssUrls(typeof css === "string" ? Buffer.from(css) : css, (url, isImport) => {
    urls.push(isImport ? `import ${url}` : url);
  });
  return urls;
}

test("url() is found with and without quotes, in any case, with white space around", () => {
  assert.deepEqual(
    urlsOf("a{background:url(a.png)} b{src:URL( 'b.woff2' ) format('woff2'), url(\n\"c.woff\"\t)}"),
    ["a.png", "b.woff2", "c.woff"],
  );
});

test("@import names a sheet by a string or by url()", () => {
  assert.deepEqual(
    urlsOf('@charset "utf-8";@import \'a.css\' screen;@IMPORT url(b.css);@import/**/"c.css"'),
    ["import a.css", "import b.css", "import c.css"],
  );
  assert.deepEqual(urlsOf("@import 'a.css' supports(content: 'b') 'c';d{e:url(f.png)}"), [
    "import a.css",
    "f.png",
  ]);
});

test("the strings of image-set() are images, others are words", () => {
  assert.deepEqual(
    urlsOf("a{background:image-set('a.png' 1x, url(b.png) 2x, \"c\" type('d')) , x('e')}"),
    ["a.png", "b.png", "c"],
  );
  assert.deepEqual(urlsOf("a{b:image-set(url('c.png') 1x, 'd.png' 2x), x('e')}"), [
    "c.png",
    "d.png",
  ]);
  assert.deepEqual(urlsOf("a{content:'url(x.png)';quotes:'<' '>'} [href='y.png']{}"), []);
});

test("what only looks like a URL is not reported", () => {
  assert.deepEqual(
    urlsOf("/* url(a.png) */ a{b:myurl(c.png); d: url-x(e.png); f:url (g.png)}"),
    [],
  );
  assert.deepEqual(urlsOf("@namespace svg url(http://www.w3.org/2000/svg); a{b:url(c.png)}"), [
    "c.png",
  ]);
  assert.deepEqual(urlsOf("@-moz-document url(http://a.test/){b{c:url(d.png)}}"), ["d.png"]);
  assert.deepEqual(urlsOf("a{b:url(#id);c:url(data:image/png;base64,AA==);d:url()}"), []);
  assert.deepEqual(urlsOf("a{b:url(x y.png);c:url(q'r);d:url(ok.png)}"), ["ok.png"]);
  assert.deepEqual(urlsOf("a{b:url('broken\n.png');\nc:url(ok.png)}"), ["ok.png"]);
});

test("escapes are decoded", () => {
  assert.deepEqual(
    urlsOf("a{b:url(a\\)b.png);c:url('d\\'e\\26 f\\0000E9.png');f:url(\"g\\\nh\")}"),
    ["a)b.png", "d'e&fé.png", "gh"],
  );
  assert.deepEqual(urlsOf("a{b:url(é.png)}"), ["é.png"]);
  // No character has these numbers.
  assert.deepEqual(urlsOf("a{b:url('c\\0 d\\D800 e\\110000 f')}"), ["c\ufffdd\ufffde\ufffdf"]);
});

test("a URL that is too long to be fetched is skipped", () => {
  const long = "x".repeat(16_385);
  assert.deepEqual(urlsOf(`a{b:url(${long});c:url('${long}');d:url(e.png)}`), ["e.png"]);
  assert.deepEqual(urlsOf(`a{b:url(${long.slice(1)})}`), [long.slice(1)]);
});

test("a sheet that ends too early gives what there was, and nothing throws", () => {
  const css = "@import 'a\\66.css';a{b:url( \"c.png\" );d:image-set('e' 1x)}/*f*/g{h:url(i)}";
  for (let length = 0; length <= css.length; length += 1) urlsOf(css.slice(0, length));
  assert.deepEqual(urlsOf("a{b:url(c.png"), ["c.png"]);
  assert.deepEqual(urlsOf("\\"), []);
});

test("any bytes are read to their end, and a URL among them is found", () => {
  const pieces = fc.constantFrom(
    ...[
      "url(",
      "'",
      '"',
      "\\",
      "/*",
      "*/",
      "@import ",
      "(",
      ")",
      "{",
      "}",
      ";",
      "\n",
      "a",
      "image-set(",
    ],
  );
  const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 3 })));
  fc.assert(
    fc.property(hostile, (parts) => {
      for (const url of urlsOf(parts.join(""))) assert.notEqual(url, "");
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 20_000 : 200 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      urlsOf(bytes);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[\w./?&=%-]{1,40}$/), (url) => {
      assert.deepEqual(urlsOf(`a{b:url(${url})}c{d:url('${url}')}`), [url, url]);
    }),
  );
});

test("the work is linear, whatever a sheet repeats", () => {
  for (const piece of ["url(", "url('", "/*", "@import '", "\\", "a", "image-set(", "(", "url( "]) {
    const sheet = Buffer.from(piece.repeat(Math.ceil(300_000 / piece.length)));
    urlsOf(sheet);
  }
});
