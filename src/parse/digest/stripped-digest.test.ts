import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { feedPage } from "../../../test/support/parse/feed-page.ts";
import { tagNumber } from "../../formats/html/index.ts";
import { KeyedBlocks } from "./keyed-blocks.ts";
import { StrippedDigest } from "./stripped-digest.ts";

const KEY = new Uint8Array(16).fill(1);
const blocks = new KeyedBlocks(KEY);

function hex(digest: StrippedDigest): string {
  digest.finish();
  return digest.high.toString(16).padStart(8, "0") + digest.low.toString(16).padStart(8, "0");
}

function digestOf(html: string, host = "", cut?: number): string {
  const digest = new StrippedDigest(blocks);
  digest.begin(host);
  feedPage(html, [digest], cut);
  return hex(digest);
}

const same: readonly [what: string, one: string, other: string][] = [
  ["attributes", '<p class="a">x</p>', "<p id=b style='c'>x</p>"],
  ["numbers", "<p>seen 1,204 times</p>", "<p>seen 99,3 times</p>"],
  ["how many digits a number has", "<p>in 7 days</p>", "<p>in 12345 days</p>"],
  ["white space", "<p>a  b\n\tc</p>", "<p>a b c</p>"],
  ["digits and white space side by side", "<p>a 1 2\n3 b</p>", "<p>a b</p>"],
  ["scripts", "<script>f(1)</script>x", "<script>g('y')</script>x"],
  ["styles", "<style>p{}</style>x", "<style>b{color:red}</style>x"],
  ["comments", "a<!-- one -->b", "a<!-- another -->b"],
  ["the case of tags", "<DIV>x</DIV>", "<div>x</div>"],
  ["the names of elements that HTML does not know", "<x-a>x</x-a>", "<x-b>x</x-b>"],
];

for (const [what, one, other] of same) {
  test(`pages that differ in ${what} have the same digest`, () => {
    assert.equal(digestOf(one), digestOf(other));
  });
}

const different: readonly [what: string, one: string, other: string][] = [
  ["a letter", "<p>abc</p>", "<p>abd</p>"],
  ["the case of a letter", "<p>abc</p>", "<p>Abc</p>"],
  ["a tag", "<p>abc</p>", "<div>abc</div>"],
  ["where a tag stands", "<p>ab<br>c</p>", "<p>a<br>bc</p>"],
  ["start and end of a tag", "<p>abc<p>", "<p>abc</p>"],
  ["where a frame points", '<iframe src="/a"></iframe>', '<iframe src="/b"></iframe>'],
  ["the number in where a frame points", '<frame src="/1">', '<frame src="/2">'],
  ["text that looks like a mark", "<p>x</p>", "<p>0px1p</p>"],
  ["whether there is a gap", "<p>a b</p>", "<p>ab</p>"],
];

for (const [what, one, other] of different) {
  test(`pages that differ in ${what} have different digests`, () => {
    assert.notEqual(digestOf(one), digestOf(other));
  });
}

test("with its host a page is not a duplicate of one from another host", () => {
  assert.notEqual(digestOf("<p>x</p>", "a.example"), digestOf("<p>x</p>", "b.example"));
  assert.notEqual(digestOf("<p>x</p>", "a.example"), digestOf("<p>x</p>"));
});

test("redirects with equal bodies are duplicates only when they lead to one place", () => {
  const redirect = (target: string): string => {
    const digest = new StrippedDigest(blocks);
    digest.begin("");
    feedPage("<p>Moved</p>", [digest]);
    digest.redirectTarget(target);
    return hex(digest);
  };
  assert.equal(redirect("https://example.org/a"), redirect("https://example.org/a"));
  assert.notEqual(redirect("https://example.org/a"), redirect("https://example.org/b"));
  assert.notEqual(redirect("https://example.org/a"), digestOf("<p>Moved</p>"));
});

test("without the crawl's key a digest cannot be predicted", () => {
  const other = new StrippedDigest(new KeyedBlocks(new Uint8Array(16).fill(2)));
  other.begin("");
  feedPage("<p>x</p>", [other]);
  assert.notEqual(hex(other), digestOf("<p>x</p>"));
});

test("a page of which nothing came is empty, and one tag is something", () => {
  const digest = new StrippedDigest(blocks);
  digest.begin("example.org");
  assert.ok(digest.isEmpty);
  digest.text(new Uint8Array(0), 0, 0);
  assert.ok(digest.isEmpty);
  digest.openTag(tagNumber("x-made-up"));
  assert.ok(!digest.isEmpty);
  digest.begin("");
  assert.ok(digest.isEmpty);
});

test("a digest does not depend on where the text was cut, nor on what came before", () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[<>]/g, " ")),
    fc.constantFrom("<p>", "</p>", "<br>", "<unknown>", " 12 ", "x".repeat(4090), " ".repeat(5000)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.integer({ min: 1, max: 5000 }),
      (pieces, cut) => {
        const html = pieces.join("");
        assert.equal(digestOf(html, "h", cut), digestOf(html, "h"));
        const used = new StrippedDigest(blocks);
        used.begin("");
        feedPage(html, [used]);
        used.begin("h");
        feedPage(html, [used]);
        assert.equal(hex(used), digestOf(html, "h"));
      },
    ),
  );
});

test("a body that is not a page counts byte by byte, however it is split", () => {
  const bodyDigest = (body: Uint8Array, cut: number): string => {
    const digest = new StrippedDigest(blocks);
    digest.begin("");
    for (let at = 0; at < body.length; at += cut) {
      digest.body(body, at, Math.min(body.length, at + cut));
    }
    return hex(digest);
  };
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 10_000, minLength: 1 }),
      fc.integer({ min: 1, max: 9000 }),
      fc.nat(),
      (body, cut, place) => {
        assert.equal(bodyDigest(body, cut), bodyDigest(body, body.length));
        const other = body.slice();
        const at = place % body.length;
        other[at] = (other[at] ?? 0) ^ 1;
        assert.notEqual(bodyDigest(other, cut), bodyDigest(body, cut));
      },
    ),
  );
});

test("digests side by side do not disturb each other", () => {
  const one = new StrippedDigest(blocks);
  const other = new StrippedDigest(blocks);
  one.begin("");
  other.begin("");
  const text = Buffer.from("a long page ".repeat(2000));
  for (let at = 0; at < text.length; at += 100) {
    one.text(text, at, at + 100);
    other.text(text, 0, 77);
  }
  const alone = new StrippedDigest(blocks);
  alone.begin("");
  alone.text(text, 0, text.length);
  assert.equal(hex(one), hex(alone));
});
