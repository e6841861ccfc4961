/**
 * What the parser tells a sink while it extracts links: on well-formed pages, the same as the small
 * reader that the digests are tested with; on broken pages, the same as parse5. And so the digests
 * are the same, however a page is cut.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { UTF_8 } from "../../src/formats/charset/index.ts";
import { PageParser, type PageSink } from "../../src/formats/html/index.ts";
import { TAG_NAMES } from "../../src/formats/html/tag-numbers.ts";
import { Truth } from "../../src/lab/simweb/index.ts";
import { KeyedBlocks, SimHash, StrippedDigest } from "../../src/parse/digest/index.ts";
import { hostilePage } from "../support/formats/hostile-html.ts";
import { otherPage } from "../support/formats/parse5-links.ts";
import { answerTo, smallWeb } from "../support/lab/small-web.ts";
import { makePageFamilies } from "../support/parse/families/page-families.ts";
import { makeSecondFamilies } from "../support/parse/families/page-families-second.ts";
import { feedPage } from "../support/parse/feed-page.ts";
import { ToldPage } from "./told-page.ts";

const KEY: Uint8Array = Buffer.from("sixteen bytes ok");
const isFull = process.env["TROBAR_FULL"] === "1";
const parser = new PageParser({ text: true });

function told(page: Uint8Array, pieceBytes: number, asked: PageParser = parser): readonly string[] {
  const sink = new ToldPage();
  readInPieces(page, pieceBytes, sink, asked);
  return sink.all;
}

function readInPieces(
  page: Uint8Array,
  pieceBytes: number,
  sink: PageSink,
  asked: PageParser,
): void {
  const reader = asked.open({ headerEncoding: UTF_8, sink });
  for (let at = 0; at < page.length; at += pieceBytes) {
    reader.write(page.subarray(at, at + pieceBytes));
  }
  reader.end();
}

function fed(html: string): readonly string[] {
  const sink = new ToldPage();
  feedPage(html, [sink]);
  return sink.all;
}

/** Both digests, fed by any parser. */
function digests(feed: (sinks: readonly [StrippedDigest, SimHash]) => void): string {
  const [stripped, near] = [new StrippedDigest(new KeyedBlocks(KEY)), new SimHash(KEY)];
  stripped.begin("");
  near.begin();
  feed([stripped, near]);
  stripped.finish();
  near.finish();
  return [stripped.high, stripped.low, near.high, near.low, near.words].join(" ");
}

function simwebPages(): string[] {
  const web = smallWeb("plain", "told", {
    hosts: { count: 3, pages: 200 },
    pages: { medianBytes: 8000, spread: 0.8, bytesMax: 100_000 },
  });
  const truth = new Truth(web, { seeds: web.seeds(), scope: "any" });
  return [...truth.expectations()].map(({ url }) =>
    Buffer.from(answerTo(web, url).body).toString(),
  );
}

/** To parse5 the brackets of a CDATA section belong to its text, and so does a `</>`. */
function withoutBrackets(all: readonly string[]): string {
  return all
    .join("\n")
    .replaceAll(/<!\[CDATA\[|\]\]>|<\/>/g, "")
    .replaceAll(/text \n/g, "");
}

const random = new SeededRandom("told pages");
const wellFormed: readonly [what: string, pages: () => readonly string[]][] = [
  [
    "the first family generator",
    () => makePageFamilies({ sites: 5, familiesPerSite: 12 }, random).map((page) => page.html),
  ],
  ["the second family generator", () => makeSecondFamilies(100, random).map((page) => page.html)],
  ["the synthetic web", simwebPages],
];

for (const [what, pages] of wellFormed) {
  test(`the digests of pages of ${what} are those of the small reader, whole and in pieces`, () => {
    const all = pages();
    assert.ok(all.length > 50, `${all.length} pages are too few to prove anything`);
    for (const html of all) {
      const bytes = Buffer.from(html);
      const expected = fed(html);
      const expectedDigests = digests((sinks) => feedPage(html, sinks));
      for (const pieceBytes of [bytes.length + 1, 1 + random.below(3000)]) {
        assert.deepEqual(told(bytes, pieceBytes), expected);
        const found = digests(([stripped, near]) => {
          readInPieces(bytes, pieceBytes, stripped, parser);
          readInPieces(bytes, pieceBytes, near, parser);
        });
        assert.equal(found, expectedDigests);
      }
    }
  });
}

const hostilePages = isFull ? 30_000 : 3000;

test(`${hostilePages} hostile pages are told as parse5 reads them, whole and in pieces`, (context) => {
  // Whatever the extractor looks for, a sink gets the same.
  const others = [new PageParser({ kinds: [], linkText: false }), parser];
  const excused: string[] = [];
  let tokens = 0;
  for (let number = 0; number < hostilePages; number++) {
    const seed = `told ${number}`;
    // parse5 turns CR LF into one character, and loses count of where it is.
    const html = hostilePage(seed).replaceAll("\r", "");
    const bytes = Buffer.from(html);
    const sink = new ToldPage();
    const { exceptions } = otherPage(html, sink);
    const own = told(bytes, bytes.length + 1, others[number % 2]);
    tokens += own.length;
    for (const pieceBytes of [1, 7]) assert.deepEqual(told(bytes, pieceBytes), own, seed);
    const [ours, theirs] = [withoutBrackets(own), withoutBrackets(sink.all)];
    if (exceptions.size > 0 && ours !== theirs) excused.push(seed);
    else assert.equal(ours, theirs, `seed ${JSON.stringify(seed)}: ${html}`);
  }
  context.diagnostic(`${tokens} tokens; excused: ${excused.join(", ")}`);
  assert.ok(tokens > hostilePages * 10, `${tokens} tokens are too few to prove anything`);
  assert.ok(excused.length < hostilePages * 0.01, excused.join(", "));
});

test("a sink gets every element that HTML knows by its number, in any case", () => {
  for (const [index, name] of TAG_NAMES.entries()) {
    for (const written of [name, name.toUpperCase()]) {
      const [first] = told(Buffer.from(`<${written} x=y>`), 100);
      assert.equal(first, `open ${index + 1}`, name);
    }
  }
});

test("a tag that is too long to be kept is reported without its target", () => {
  const long = `<p><iframe src="/x" alt="${"x".repeat(5 * 1024 * 1024)}">a</iframe>`;
  const kinds = told(Buffer.from(long), 1 << 20).map((one) => one.split(" ")[0]);
  assert.deepEqual(kinds, ["open", "open", "text", "close"]);
});
