import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { UTF_8 } from "../charset/index.ts";
import { type Declared, type ExtractOptions, type Page, PageParser } from "./index.ts";

function read(html: string, options: ExtractOptions = {}): Page {
  return new PageParser({ facts: true, ...options }).read(Buffer.from(html), {
    headerEncoding: UTF_8,
  });
}

function declared(html: string): Declared {
  return read(html).declared ?? assert.fail("it was asked for");
}

test("what nobody asks for is not collected", () => {
  assert.equal(read("<time datetime=2026-01-01>", { facts: false }).declared, null);
});

test("alternates are found with language and type, style sheets are not among them", () => {
  const { alternates } = declared(
    "<link rel=alternate hreflang=de href=/de><link rel='ALTERNATE home' type='Application/RSS+xml' " +
      "href='/feed?a&amp;b'><link rel='alternate stylesheet' href=/dark.css><link rel=alternate>" +
      "<template><link rel=alternate href=/no></template>",
  );
  assert.deepEqual(alternates, [
    { url: "/de", language: "de", type: "" },
    { url: "/feed?a&b", language: "", type: "application/rss+xml" },
  ]);
});

test("dates are declared by meta elements, times and JSON-LD; the more deliberate count first", () => {
  const pieces = [
    "<time datetime=2026-01-04>",
    "<time itemprop=datePublished datetime=2026-01-03><time itemprop=dateModified datetime=2026-02-03>",
    "<meta property=article:published_time content=2026-01-02>" +
      "<meta name=last-modified content=2026-02-02>",
    "<script type='application/ld+json'>" +
      '{"@graph":[{"@type":"WebSite"},{"datePublished":"2026-01-01","dateModified":"2026-02-01"}]}' +
      "</script>",
  ];
  const dates = pieces.map((_, at) => {
    const { published, modified } = declared(pieces.slice(0, at + 1).join("<p>"));
    return [published, modified];
  });
  assert.deepEqual(dates, [
    ["2026-01-04", ""],
    ["2026-01-03", "2026-02-03"],
    ["2026-01-02", "2026-02-02"],
    ["2026-01-01", "2026-02-01"],
  ]);
  const reversed = declared(pieces.toReversed().join("<p>"));
  assert.deepEqual([reversed.published, reversed.modified], ["2026-01-01", "2026-02-01"]);
});

test("what is not a date is passed over", () => {
  const page =
    "<meta name=date content=yesterday><meta name=dc.date content=2026-01-02>" +
    "<meta itemprop=datePublished content='2026-01-03T04:05:06+01:00'><time pubdate datetime=2025>";
  assert.equal(declared(page).published, "2026-01-02");
});

test("types are those of the outermost things of JSON-LD, each once", () => {
  const data = [
    { "@type": ["NewsArticle", "https://schema.org/Article"], author: { "@type": "Person" } },
    { "@graph": [{ "@type": "WebPage" }, { "@type": "NewsArticle" }, 5, null] },
  ];
  const page =
    `<script type="application/LD+json">${JSON.stringify(data)}</script>` +
    "<script type=application/ld+json>{broken</script><script>{'@type':'No'}</script>" +
    '<script type=application/ld+json>{"@type":"Person"}</script>';
  assert.deepEqual(declared(page).types, ["NewsArticle", "Article", "WebPage", "Person"]);
});

test("asking for facts changes nothing else of a page", () => {
  const tags = [
    "<a href=x>",
    "<time datetime=2026-01-01>",
    "</time>",
    "<script>",
    "</script>",
    "text",
  ];
  const more = [
    "<script type=application/ld+json>",
    '{"@type":"A"}',
    "'/in/script'",
    "<title>",
    "</title>",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tags, ...more)), (pieces) => {
      const options: ExtractOptions = { text: true, kinds: ["a", "string", "script"] };
      const { declared: _facts, ...page } = read(pieces.join(""), options);
      const { declared: none, ...bare } = read(pieces.join(""), { ...options, facts: false });
      assert.deepEqual(page, bare);
      assert.equal(none, null);
    }),
  );
});
