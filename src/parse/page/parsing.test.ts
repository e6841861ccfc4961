import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { MemoryBody, parsed, parsingWith } from "../../../test/support/parse/parse-rig.ts";
import type { Header } from "../../base/seams/index.ts";
import { type DocumentParser, digestHex, type ParsedPage, type ParseSource } from "./index.ts";
import { NOTHING_FOUND } from "./parsed-page.ts";

const PAGE_URL = "https://example.org/dir/page.html";

function read(
  content: string | Uint8Array,
  headers: readonly Header[] = [["Content-Type", "text/html; charset=utf-8"]],
  more: Partial<ParseSource> = {},
): ParsedPage {
  return parsed(parsingWith(), { url: PAGE_URL, headers, ...more }, new MemoryBody(content));
}

function typed(content: string | Uint8Array, contentType: string | undefined): ParsedPage {
  return read(content, contentType === undefined ? [] : [["content-type", contentType]]);
}

const URLSET = '<?xml version="1.0"?><urlset><url><loc>https://example.org/a</loc></url></urlset>';
const RSS = "<rss><channel><item><link>https://example.org/a</link></item></channel></rss>";
const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");

describe("the parser of a document", () => {
  const cases: readonly [contentType: string | undefined, content: string | Buffer, by: string][] =
    [
      ["text/html", "<p>x", "html"],
      ["TEXT/HTML;charset=utf-8", "x", "html"],
      ["application/xhtml+xml", "<html><p>x</p></html>", "html"],
      ["text/html", PNG, "binary"],
      ["text/html", "", "html"],
      [undefined, "<!DOCTYPE html><p>x", "html"],
      [undefined, " \n<!-- a --><HTML><p>x", "html"],
      [undefined, "<body>x", "html"],
      [undefined, "just words", "text"],
      [undefined, PNG, "binary"],
      [undefined, "", "text"],
      ["*/*", "<title>x</title>", "html"],
      ["text/html", URLSET, "html"],
      ["application/xml", URLSET, "sitemap"],
      ["text/xml", `\ufeff<!-- c -->${URLSET}`, "sitemap"],
      ["application/xml", '<sitemapindex xmlns="x"><sitemap/></sitemapindex>', "sitemap"],
      ["application/xml", "<html xmlns='x'><p>x</p></html>", "html"],
      ["application/xml", "<other/>", "text"],
      ["application/rss+xml", "<whatever/>", "feed"],
      ["text/xml", RSS, "feed"],
      [undefined, RSS, "feed"],
      ["text/xml", Buffer.from(`\ufeff${RSS}`, "utf16le"), "feed"],
      ["application/xml", "<rdf:RDF><item/></rdf:RDF>", "feed"],
      ["text/plain", "<p>x", "text"],
      ["application/json", "{}", "text"],
      ["text/plain", PNG, "binary"],
      ["image/png", PNG, "binary"],
      ["application/octet-stream", "<html>", "binary"],
      ["no media type at all", "<html>", "html"],
    ];
  for (const [contentType, content, by] of cases) {
    const shown = JSON.stringify(content.toString("latin1").slice(0, 40));
    test(`of ${contentType ?? "no media type"} that begins with ${shown} is ${by}`, () => {
      assert.equal(typed(content, contentType).parser, by);
    });
  }

  test("what a page declares is kept only on request, and the header says when it was modified", () => {
    const headers = [
      ["Content-Type", "text/html"],
      ["Last-Modified", "Sat, 31 Jan 2026 12:00:00 GMT"],
    ];
    const pageOf = (html: string, wantsFacts: boolean) =>
      parsed(
        parsingWith({}, { wantsFacts }),
        { url: "https://a.example/x/", headers } as never,
        new MemoryBody(html),
      );
    assert.equal(pageOf("<time datetime=2026-01-01>", false).declared, null);
    const html = "<link rel=alternate href=../de hreflang=de><link rel=alternate href='http://[x'>";
    assert.deepEqual(pageOf(html, true).declared, {
      alternates: [{ url: "https://a.example/de", language: "de", type: "" }],
      ...{ published: "", modified: "2026-01-31T12:00:00.000Z", types: [] },
    });
    const said = pageOf("<meta name=last-modified content=2026-01-30>", true).declared;
    assert.equal(said?.modified, "2026-01-30");
  });

  test("the Link header declares what the page could, and the page comes first", () => {
    const link =
      '<../c>; rel="nofollow Canonical", <de>; rel=alternate; hreflang=de, ' +
      '</feed>; rel=alternate; type="Application/RSS+XML", <s>; rel="alternate stylesheet", ' +
      '<http://[x>; rel=alternate, <o>; rel=alternate; anchor="/other"';
    const pageOf = (html: string) =>
      parsed(
        parsingWith({ links: [] }, { wantsFacts: true }),
        {
          url: "https://a.example/x/",
          headers: [
            ["Content-Type", "text/html"],
            ["Link", link],
          ],
        } as never,
        new MemoryBody(html),
      );
    const page = pageOf("<base href=/b/><link rel=alternate hreflang=fr href=fr>");
    assert.equal(page.canonical, "https://a.example/c");
    assert.deepEqual(page.declared?.alternates, [
      { url: "https://a.example/x/de", language: "de", type: "" },
      { url: "https://a.example/feed", language: "", type: "application/rss+xml" },
      { url: "https://a.example/b/fr", language: "fr", type: "" },
    ]);
    assert.deepEqual(page.links, [], "which links are followed is another matter");
    assert.equal(pageOf("<link rel=canonical href=/mine>").canonical, "https://a.example/mine");
  });

  test("is the first in the configured order that accepts it", () => {
    const source = { url: PAGE_URL, headers: [["Content-Type", "text/html"]] as const };
    const page = parsed(parsingWith({ parsers: ["text", "html"] }), source, new MemoryBody("<p>"));
    assert.equal(page.parser, "text");
    const none = parsed(parsingWith({ parsers: [] }), source, new MemoryBody("<p>"));
    assert.equal(none.parser, "binary");
  });

  test("may be a user's, and an unknown one is refused with the known ones", () => {
    const own: DocumentParser = {
      media: "text/x-own",
      digest: "bytes",
      accepts: ({ media }) => media === "text/x-own",
      open: () => ({
        write: () => {},
        end: () => NOTHING_FOUND,
      }),
    };
    const modules = new Map([["./own.ts", own]]);
    const parsing = parsingWith({ parsers: ["./own.ts", "html"] }, { modules });
    assert.equal(parsing.terms, null, "another process does not have the module");
    const source = { url: PAGE_URL, headers: [["Content-Type", "text/x-own"]] as const };
    assert.equal(parsed(parsing, source, new MemoryBody("x")).parser, "./own.ts");
    assert.throws(() => parsingWith({ parsers: ["htlm"] }), {
      code: "PARSE_PARSER_UNKNOWN",
      message: /"htlm": parse\.parsers takes html, sitemap, /,
    });
  });
});

test("a page says what it says", () => {
  const page = read(
    `<html lang=de><title> A  page </title><meta name=description content="About">
     <base href="/other/"><link rel=canonical href=here><a href=x rel="nofollow">One</a><p>Text`,
    [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Content-Language", "fr"],
    ],
  );
  assert.equal(page.title, "A page");
  assert.equal(page.description, "About");
  assert.equal(page.base, "https://example.org/other/");
  assert.equal(page.canonical, "https://example.org/other/here");
  assert.equal(page.declaredLanguage, "de");
  assert.equal(page.encoding, "UTF-8".toLowerCase());
  assert.equal(page.media, "text/html");
  assert.equal(page.text, "One\nText");
  const links = page.links.map(({ url, kind, rel, text }) =>
    `${kind} ${url} ${rel} ${text}`.trim(),
  );
  assert.deepEqual(links, ["link here canonical", "a x nofollow One"]);
  assert.deepEqual([page.words, page.truncated, page.failure], [null, [], null]);
});

test("the whole text is made only when somebody asks for it", () => {
  const source = { url: PAGE_URL, headers: [["Content-Type", "text/html"]] as const };
  const textWith = (text: "auto" | boolean, wantsText: boolean): string =>
    parsed(parsingWith({ text }, { wantsText }), source, new MemoryBody("<p>words")).text;
  assert.deepEqual([textWith("auto", false), textWith("auto", true)], ["", "words"]);
  assert.deepEqual([textWith(true, false), textWith(false, true)], ["words", ""]);
});

test("links, text and words are as configured", () => {
  const source = { url: PAGE_URL, headers: [["Content-Type", "text/html"]] as const };
  const body = new MemoryBody(
    "<img src=i><a href=a>b </a><script>'/s/t'</script><a href=z>b B</a>",
  );
  const settings = { links: ["img"] as const, text: false, words: true, scripts: true };
  const page = parsed(parsingWith(settings, { linksMax: 2 }), source, body);
  assert.deepEqual(
    page.links.map(({ kind }) => kind),
    ["img", "string"],
  );
  assert.equal(page.text, "");
  assert.deepEqual([...(page.words ?? [])], [["b", 3]]);
  const first = parsed(parsingWith({}, { linksMax: 1 }), source, body);
  assert.deepEqual(first.truncated, ["links"]);
});

test("entries of sitemaps and feeds are links of their kinds", () => {
  const index = "<sitemapindex><sitemap><loc>/s.xml</loc></sitemap></sitemapindex>";
  const shown = (page: ParsedPage) =>
    page.links.map(({ kind, url, rel }) => `${kind} ${url} ${rel}`);
  assert.deepEqual(shown(typed(index, "text/xml")), ["sitemap https://example.org/s.xml sitemap"]);
  assert.deepEqual(shown(typed(RSS, "text/xml")), ["feed https://example.org/a "]);
  const alternates = URLSET.replace(
    "</url>",
    '<xhtml:link rel="alternate" hreflang="de" href="https://example.org/de"/></url>',
  );
  assert.deepEqual(shown(typed(alternates, "text/xml")), [
    "sitemap https://example.org/a ",
    "sitemap https://example.org/de alternate",
  ]);
});

test("what is named as a sitemap is read as one, compressed, as a list, or under any media type", () => {
  const asked = { isSitemap: true };
  for (const [content, type] of [
    [gzipSync(URLSET), "application/gzip"],
    [gzipSync(URLSET), "text/html"],
    [URLSET, "text/html"],
    ["https://example.org/a\n", "text/plain"],
  ] as const) {
    const page = read(content, [["Content-Type", type]], asked);
    assert.deepEqual([page.parser, page.links.length], ["sitemap", 1], type);
  }
  assert.equal(read("<p>Not found", undefined, asked).parser, "html");
});

test("a page is directed by its headers and its meta elements, if they are addressed to us", () => {
  const html = (meta: string) => `<meta name=${meta}>`;
  const tag = (value: string): readonly Header[] => [
    ["content-type", "text/html"],
    ["X-Robots-Tag", value],
  ];
  assert.equal(read(html("robots content=noarchive")).directives.noarchive, true);
  assert.equal(read(html("Trobar content=nofollow")).directives.nofollow, true);
  assert.equal(read(html("otherbot content=nofollow")).directives.nofollow, false);
  assert.equal(read("x", tag("noindex, nofollow")).directives.nofollow, true);
  assert.equal(read("x", tag("otherbot: none")).directives.noindex, false);
  assert.equal(read(PNG, tag("noarchive")).directives.noarchive, true);
});

test("after its unavailable_after a page must be neither indexed nor kept, before it may be", () => {
  const at = (date: string) => read(`<meta name=robots content="unavailable_after: ${date}">`);
  const over = at("25 Jun 2025 15:00:00 GMT").directives;
  assert.deepEqual([over.noindex, over.noarchive, over.nofollow], [true, true, false]);
  const early = at("25 Jun 2026 15:00:00 GMT").directives;
  assert.deepEqual([early.noindex, early.noarchive], [false, false]);
  assert.equal(early.unavailableAfterMs, Date.UTC(2026, 5, 25, 15));
});

test("links of the header count, before those of the page", () => {
  const page = read("<a href=a>", [
    ["Content-Type", "text/html"],
    ["Link", '<c>; rel="canonical", <n>; rel=next, <https://cdn.example>; rel=preconnect'],
  ]);
  assert.deepEqual(
    page.links.map(({ kind, url }) => `${kind} ${url}`),
    ["link c", "link n", "a a"],
  );
  assert.equal(page.canonical, "https://example.org/dir/c");
  assert.equal(read(PNG, [["link", "<c>; rel=canonical"]]).canonical, "https://example.org/dir/c");
});

describe("digests", () => {
  test("are equal for pages that differ in numbers, and near for those that differ in little", () => {
    const story = "The old harbour of the town was rebuilt after the storm took the lighthouse. ";
    const one = read(`<h1>Harbour</h1><p>${story.repeat(3)} 12`);
    const other = read(`<h1 class=x>Harbour</h1><p>${story.repeat(3)} 99`);
    assert.deepEqual(one.stripped, other.stripped);
    assert.deepEqual(one.near, other.near);
    assert.notDeepEqual(one.payloadSha1, other.payloadSha1);
    assert.notDeepEqual(read("<p>other").stripped, one.stripped);
  });

  test("are reported when there is nothing to compare", () => {
    assert.deepEqual([read("").stripped, read("").near], [null, null]);
    assert.equal(read("<p>12 34").near, null);
    assert.equal(typed(PNG, "image/png").near, null);
    assert.notEqual(typed(PNG, "image/png").stripped, null);
    assert.equal(read("<p>four words of text").near, null);
    assert.notEqual(typed("some words ".repeat(8), "text/plain").near, null);
    const source = { url: PAGE_URL, headers: [] };
    const off = parsed(parsingWith({ nearDuplicates: false }), source, new MemoryBody("words"));
    assert.equal(off.near, null);
  });

  test("of redirects tell apart where they lead", () => {
    const to = (redirectTo: string) => read("<p>Moved", undefined, { redirectTo }).stripped;
    assert.deepEqual(to("https://example.org/a"), to("https://example.org/a"));
    assert.notDeepEqual(to("https://example.org/a"), to("https://example.org/b"));
  });

  test("of the payload are SHA-1 of what was received", () => {
    const sha1 = Buffer.from(read("abc").payloadSha1);
    assert.equal(sha1.toString("hex"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    const received = new MemoryBody("abc");
    const packed = read("something else", undefined, { received });
    assert.deepEqual(packed.payloadSha1, read("abc").payloadSha1);
  });

  test("are written as sixteen digits", () => {
    assert.equal(digestHex({ high: 1, low: 0xffffffff }), "00000001ffffffff");
  });
});

test("the language is identified by the text, also where no text is kept", () => {
  const seen: string[] = [];
  const language = {
    identify: (text: string) => {
      seen.push(text);
      return "xx";
    },
  };
  const source = { url: PAGE_URL, headers: [["Content-Type", "text/html"]] as const };
  const parsing = parsingWith({ text: false }, { language });
  const page = parsed(parsing, source, new MemoryBody(`<p>${"word ".repeat(5000)}`));
  assert.deepEqual([page.language, page.text], ["xx", ""]);
  assert.ok((seen[0] ?? "").length > 800 && (seen[0] ?? "").length <= 4096);
  const off = parsingWith({ language: false }, { language });
  assert.equal(parsed(off, source, new MemoryBody("<p>word")).language, "");
});

describe("a document whose end is missing", () => {
  const cases: readonly [type: string, content: string, cut: string, isSitemap?: boolean][] = [
    ["text/plain", "https://a.org/1\nhttps://a.org/2", "https://a.org/2", true],
    ["text/plain", "see https://a.org/1 and https://a.org/2", "https://a.org/2"],
    ["text/css", "a{background:url(1.png)} b{background:url(2.pn", "2.pn"],
    ["text/css", '@import "1.css"; @import "2.c', "2.c"],
    ["text/html", "<style>a{background:url(1.png)}</style><style>b{background:url(2.pn", "2.pn"],
    ["text/html", "<a href=1>one</a><a href=2", "2"],
  ];
  for (const [type, content, cut, isSitemap] of cases) {
    test(`is read up to its last whole link (${type}: …${content.slice(-12)})`, () => {
      const requisites = type !== "text/plain";
      const linksOf = (isCut: boolean) => {
        const headers: Header[] = [["content-type", type]];
        const source = { url: PAGE_URL, headers, isSitemap, isCut };
        const parsing = parsingWith({ requisites, links: ["a"], scripts: true });
        return parsed(parsing, source, new MemoryBody(content)).links.map(({ url }) => url);
      };
      const kept = linksOf(true);
      assert.equal(kept.length, 1, String(kept));
      assert.ok(!kept.includes(cut));
      // Tags are markup's own: what no bracket ends is never one.
      assert.deepEqual(linksOf(false), cut === "2" ? kept : [...kept, cut]);
    });
  }
});
