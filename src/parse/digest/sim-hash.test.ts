import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { feedPage } from "../../../test/support/parse/feed-page.ts";
import { bitCount, hammingDistance } from "./hamming.ts";
import { SimHash } from "./sim-hash.ts";

const KEY = new Uint8Array(16).fill(3);

function hashOf(html: string, cut?: number, key: Uint8Array = KEY): { high: number; low: number } {
  const simHash = new SimHash(key);
  simHash.begin();
  feedPage(html, [simHash], cut);
  simHash.finish();
  return { high: simHash.high, low: simHash.low };
}

function distance(one: string, other: string): number {
  const a = hashOf(one);
  const b = hashOf(other);
  return hammingDistance(a.high, a.low, b.high, b.low);
}

const STORY =
  "The old harbour of the town was rebuilt after the storm had taken the lighthouse, and the " +
  "council asked a painter to record what was left of it. He worked through the winter in a room " +
  "above the market, and when spring came the canvas showed a place that nobody remembered but " +
  "everybody recognised, with a bridge that had never been there and a tower that still was.";
const OTHER_STORY =
  "A glacier in the northern valley has been measured every summer for a century by volunteers " +
  "who carry poles and drills across the ice. This year the school of the village joined them, " +
  "and the children wrote down how far the stones had moved since their parents had marked them " +
  "with red paint, which turned out to be farther than any model had said.";
const MENU = `<nav><ul>${"<li><a>Home</a></li><li><a>About us</a></li><li><a>News</a></li>".repeat(5)}</ul></nav>`;
const LEGAL = `<footer><p>${"All rights reserved by the owner of this site and by nobody else. ".repeat(5)}</p></footer>`;

function page(main: string, around = ""): string {
  return `<html><body>${MENU}<main><h1>What happened</h1>${main}</main>${around}${LEGAL}</body></html>`;
}

test("pages with the same text have the same hash, whatever numbers are in it", () => {
  assert.equal(distance(page(`<p>${STORY} 12</p>`), page(`<p class="x">${STORY} 9,999</p>`)), 0);
});

const near: readonly [what: string, other: string][] = [
  ["a date and a counter", page(`<div>Monday, 3 May, 17 views</div><p>${STORY}</p>`)],
  ["an advertisement", page(`<p>${STORY}</p>`, "<div>Cheap flights to sunny islands now</div>")],
  ["other teasers", page(`<p>${STORY}</p>`, "<aside><ul><li><a>More</a></li></ul></aside>")],
  ["no frame at all", `<h1>What happened</h1><p>${STORY}</p>`],
  ["a corrected word", page(`<p>${STORY.replace("winter", "autumn")}</p>`)],
];

for (const [what, other] of near) {
  test(`a page with ${what} is a near duplicate`, () => {
    const found = distance(page(`<p>${STORY}</p>`), other);
    assert.ok(found <= 3, `${found} bits differ`);
  });
}

test("another story in the same frame is not a near duplicate", () => {
  assert.ok(distance(page(`<p>${STORY}</p>`), page(`<p>${OTHER_STORY}</p>`)) > 10);
  const short = "The museum is closed on Mondays and on the first day of the year.";
  const otherShort = "Nothing was found that has all the words that you have asked for.";
  assert.ok(distance(page(`<p>${short}</p>`), page(`<p>${otherShort}</p>`)) > 3);
});

test("the line that repeats the title is the headline, if there is no h1", () => {
  const plain = (story: string, title: string): string =>
    `<title>${title} - The Site</title><div>${MENU}<div><b>${title}</b><p>${story}</p></div>` +
    `<div>${LEGAL.repeat(3)}</div></div>`;
  const title = "Harbour painter remembers";
  const withoutFrame = `<title>${title}</title><div>${title}</div><p>${STORY}</p>`;
  assert.ok(distance(plain(STORY, title), withoutFrame) <= 3);
});

test("a headline may be a link, or be in a separate element", () => {
  const plain = page(`<p>${STORY}</p>`);
  for (const inside of ["<a>What happened</a>", "<div><span>What</span> happened</div>"]) {
    assert.equal(distance(plain, plain.replace("What happened", inside)), 0, inside);
  }
});

test("a page without words has none, and its hash is zero", () => {
  const simHash = new SimHash(KEY);
  simHash.begin();
  feedPage("<title>A title only</title><p>12 345</p><script>f()</script>", [simHash]);
  simHash.finish();
  assert.equal(simHash.words, 0);
  assert.deepEqual([simHash.high, simHash.low], [0, 0]);
});

test("hashes of different keys have nothing in common", () => {
  const one = hashOf(page(`<p>${STORY}</p>`));
  const other = hashOf(page(`<p>${STORY}</p>`), undefined, new Uint8Array(16).fill(4));
  assert.ok(hammingDistance(one.high, one.low, other.high, other.low) > 10);
});

test("a hash does not depend on where the text was cut, nor on what came before", () => {
  const simHash = new SimHash(KEY);
  const piece = fc.oneof(
    fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[<>]/g, " ")),
    fc.constantFrom("<h1>", "</h1>", "<a>", "</a>", "<div>", "</div>", "</main>", "<title>", "<p>"),
    fc.constantFrom("</title>", "<script>", STORY, "词语".repeat(300), "word ".repeat(400)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.integer({ min: 1, max: 99 }),
      (pieces, cut) => {
        const html = pieces.join("");
        simHash.begin();
        feedPage(html, [simHash], cut);
        simHash.finish();
        assert.deepEqual({ high: simHash.high, low: simHash.low }, hashOf(html));
      },
    ),
  );
});

test("any tags and any bytes in any order make a hash", () => {
  const simHash = new SimHash(KEY);
  const call = fc.oneof(
    fc.record({ open: fc.nat({ max: 142 }) }),
    fc.record({ close: fc.nat({ max: 142 }) }),
    fc.record({ bytes: fc.uint8Array({ maxLength: 100 }) }),
  );
  fc.assert(
    fc.property(fc.array(call, { maxLength: 200 }), (calls) => {
      simHash.begin();
      for (const each of calls) {
        if ("open" in each) simHash.openTag(each.open);
        else if ("close" in each) simHash.closeTag(each.close);
        else simHash.text(each.bytes, 0, each.bytes.length);
      }
      simHash.finish();
      for (const lane of [simHash.high, simHash.low]) {
        assert.ok(Number.isInteger(lane) && lane >= 0 && lane < 2 ** 32);
      }
    }),
  );
});

test("bits are counted right", () => {
  fc.assert(
    fc.property(fc.integer(), (word) => {
      const ones = [...(word >>> 0).toString(2)].filter((digit) => digit === "1").length;
      assert.equal(bitCount(word), ones);
    }),
  );
});
