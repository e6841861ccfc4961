import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type SitemapEntry,
  type SitemapLimits,
  type SitemapOutcome,
  SitemapReader,
} from "./index.ts";
import { SITEMAP_LIMITS } from "./sitemap-reader.ts";

interface Read {
  readonly entries: SitemapEntry[];
  readonly outcome: SitemapOutcome;
}

function read(
  content: string | Uint8Array,
  limits: Partial<SitemapLimits> = {},
  whole = true,
): Read {
  const entries: SitemapEntry[] = [];
  const take = (entry: SitemapEntry) => void entries.push(entry);
  const reader = new SitemapReader({ url: "https://a.org/dir/map.xml", take, limits });
  reader.push(typeof content === "string" ? Buffer.from(content) : content);
  return { entries, outcome: reader.end(whole) };
}

function urls(content: string | Uint8Array): string[] {
  return read(content).entries.map((entry) => entry.url);
}

const page = (url: string) => `<url><loc>${url}</loc></url>`;
const urlset = (body: string) => `<?xml version="1.0"?><urlset>${body}</urlset>`;

test("an entry has its URL and nothing of its other fields", () => {
  const { entries, outcome } = read(
    urlset(
      "<url><loc> https://a.org/x </loc><lastmod>2020-02-03T04:05:06Z</lastmod>" +
        "<changefreq>Daily</changefreq><priority>0.5</priority></url>",
    ),
  );
  assert.deepEqual(entries, [{ kind: "page", url: "https://a.org/x", alternates: [] }]);
  assert.deepEqual(outcome, {
    form: "urlset",
    entries: 1,
    invalid: 0,
    tooLong: 0,
    endedBy: "end",
  });
});

test("references, CDATA and comments are read, and a forgotten escape is forgiven", () => {
  const cases: [text: string, path: string][] = [
    ["/a?b&amp;c", "/a?b&c"],
    ["/a?b&c=1&copy=2", "/a?b&c=1&copy=2"],
    ["/&#65;&#x42;&apos;", "/AB'"],
    ["/<![CDATA[a?b&amp;c]]>", "/a?b&amp;c"],
    ["<![CDATA[/a]b]]c]]]>", "/a]b]]c]"],
    ["/a<!-- no --->/b", "/a/b"],
    ["/&#0;&#x110000;&bogus;", "/&#0;&#x110000;&bogus;"],
    ["\n\t/a\r\n", "/a"],
    ["/ü", "/%C3%BC"],
  ];
  for (const [text, path] of cases) {
    const expected = new URL(path, "https://a.org").href;
    assert.deepEqual(urls(urlset(page(text))), [expected], text);
  }
});

test("broken markup loses only what is broken", () => {
  const two = ["https://a.org/1", "https://a.org/2"];
  const bodies = [
    "<url><loc>/1<url><loc>/2",
    "<url><loc>/1</url><url><loc>/2</url>",
    "<url><changefreq>daily<loc>/1</loc></url></url></loc><url><loc>/2</loc></url>",
    '<url a="1><loc>/1</loc></url><url><loc x=y z>/2</loc></url>',
    "<URL><Loc>/1</LOC></uRL><url ><loc\n>/2</loc\t></url>",
    "<s:url><s:loc>/1</s:loc></s:url><url><ns:loc>/2</ns:loc></url>",
    "<url><loc><url><![CDATA[https://a.org/1]]></url></loc></url><url>https://a.org/2</url>",
    "<url><loc>/1</loc><loc>/other</loc></url><url><image:loc>/no</image:loc><loc>/2</loc></url>",
    "<url><image:image><image:loc>/no</image:loc><loc>/no</loc></image:image><loc>/1</loc></url><url><loc>/2</loc></url>",
    "<!DOCTYPE x [<!ENTITY a '<b>'> <url><loc>/no</loc></url> ]><url><loc>/1</loc></url>< ><<url><loc>/2</loc></url>",
    "<?php echo 1 ?><url><loc>/1</loc></url><![x]><!><!-x><url><loc>/2</loc></url>",
    `<url><loc>/1</loc>${"<x>".repeat(100)}<loc>/no</loc></url><url><loc>/2</loc></url>`,
  ];
  for (const body of bodies) assert.deepEqual(urls(urlset(body)), two, body);
});

test("the file may lack its root, or have another one", () => {
  assert.deepEqual(urls(page("/1")), ["https://a.org/1"]);
  assert.deepEqual(urls(`<pages>${page("/1")}</pages>`), ["https://a.org/1"]);
  assert.equal(read(`<pages>${page("/1")}</pages>`).outcome.form, "unknown");
});

test("an index may contain pages, and a sitemap sitemaps", () => {
  const body = `${page("/1")}<sitemap><loc>/2</loc></sitemap>`;
  for (const root of ["urlset", "sitemapindex"]) {
    const kinds = read(`<${root}>${body}</${root}>`).entries.map((entry) => entry.kind);
    assert.deepEqual(kinds, ["page", "sitemap"]);
  }
});

test("RSS 1.0 gives the links or names of its items, not of its picture", () => {
  const rdf =
    '<rdf:RDF><channel rdf:about="/c"><link>/c</link></channel><image><link>/i</link><url>/u</url></image>' +
    '<item rdf:about="https://a.org/1"><link>/1</link><dc:date>2000-01-02</dc:date></item>' +
    '<item rdf:about="https://a.org/2"><title>x</title></item></rdf:RDF>';
  const { entries, outcome } = read(rdf);
  assert.equal(outcome.form, "rss");
  assert.deepEqual(
    entries.map(({ url }) => url),
    ["https://a.org/1", "https://a.org/2"],
  );
});

test("of Atom's links the alternate one is the page", () => {
  const entry =
    '<entry><link rel="self" href="/no"/><link href="/1&amp;2"/><content><link href="/no"/></content></entry>';
  assert.deepEqual(urls(`<feed><link href="/no"/>${entry}</feed>`), ["https://a.org/1&2"]);
});

test("a web page is not read", () => {
  const { entries, outcome } = read(`<!doctype html><html><body>${page("/1")}</body></html>`);
  assert.deepEqual([entries.length, outcome.form, outcome.endedBy], [0, "html", "form"]);
});

test("plain text is one URL per line, and other lines are counted", () => {
  const text = "\ufeffhttps://a.org/1\r\n\n  HTTP://b.org/2 \r# no\rhttps://a.org/3";
  const { entries, outcome } = read(text);
  assert.deepEqual(
    entries.map(({ url }) => url),
    ["https://a.org/1", "http://b.org/2", "https://a.org/3"],
  );
  assert.deepEqual([outcome.form, outcome.invalid], ["text", 1]);
  assert.equal(read("just words\nand more").outcome.form, "unknown");
  assert.equal(read(" \n ").outcome.form, "empty");
});

test("what a broken transfer may have cut is not used", () => {
  assert.equal(read("https://a.org/1\nhttps://a.org/2", {}, false).entries.length, 1);
  const cut = read(
    urlset(`${page("/1")}<url><loc>/2</loc><loc>/3`).replace("</urlset>", ""),
    {},
    false,
  );
  assert.deepEqual(
    cut.entries.map(({ url }) => url),
    ["https://a.org/1", "https://a.org/2"],
  );
  assert.equal(read("<urlset><url><loc>https://a.org/1").outcome.entries, 0);
});

test("other encodings are read", () => {
  const text = '<?xml version="1.0" encoding="X"?><urlset><url><loc>/ü</loc></url></urlset>';
  const latin = text.replace("X", "iso-8859-1");
  const expected = ["https://a.org/%C3%BC"];
  assert.deepEqual(urls(Buffer.from(latin, "latin1")), expected);
  assert.deepEqual(urls(Buffer.from(text.replace("X", "bogus"))), expected);
  assert.deepEqual(urls(Buffer.from(text.replace("X", "utf-16"))), expected);
  assert.deepEqual(urls(Buffer.from(`\ufeff${text}`, "utf8")), expected);
  assert.deepEqual(urls(Buffer.from(`\ufeff${text}`, "utf16le")), expected);
  assert.deepEqual(urls(Buffer.from(text, "utf16le")), expected);
  assert.deepEqual(urls(Buffer.from("https://a.org/ü\n", "utf16le")), expected);
  assert.deepEqual(urls(Buffer.from(`\ufeff${text}`, "utf16le").swap16()), expected);
});

test("gzip is decompressed, even twice, and damage is reported", () => {
  const packed = gzipSync(urlset(page("/1")));
  assert.deepEqual(urls(packed), ["https://a.org/1"]);
  assert.deepEqual(urls(gzipSync(packed)), ["https://a.org/1"]);
  assert.equal(read(gzipSync(gzipSync(packed))).outcome.form, "unknown");
  const many = gzipSync(
    urlset(Array.from({ length: 9_000 }, (_, n) => page(`/${n * n}`)).join("")),
  );
  const half = read(many.subarray(0, many.length / 2));
  assert.equal(half.outcome.endedBy, "damage");
  assert.ok(half.entries.length > 1_000);
});

test("limits end the reading, and say which", () => {
  const body = urlset(page("/1") + page("/2") + page("/3"));
  const few = read(body, { entriesMax: 2 });
  assert.deepEqual([few.entries.length, few.outcome.endedBy], [2, "entries"]);
  assert.equal(read(body, { entriesMax: 3 }).outcome.endedBy, "end");
  assert.equal(read(body, { bytesMax: body.length }).outcome.endedBy, "end");
  const short = read(body, { bytesMax: body.indexOf("/2") });
  assert.deepEqual([short.entries.length, short.outcome.endedBy], [1, "bytes"]);
});

test("the limits are the protocol's unless others are given", () => {
  const body = urlset(page("/1").repeat(SITEMAP_LIMITS.entriesMax + 1));
  const { outcome } = read(body);
  assert.deepEqual([outcome.entries, outcome.endedBy], [50_000, "entries"]);
});

test("a bomb is stopped at the limit", () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000, "<x>"), { level: 1 });
  const { outcome } = read(bomb, { bytesMax: 1_000_000 });
  assert.deepEqual([outcome.entries, outcome.endedBy], [0, "bytes"]);
});

test("URLs that are too long or of other kinds are counted and left out", () => {
  const long = `/${"a".repeat(3_000)}`;
  const encoded = `/${"ü".repeat(400)}`;
  const body = [long, encoded, "mailto:a@b.org", "http://", "", "javascript:1", "/ok"].map(page);
  const { entries, outcome } = read(urlset(body.join("")));
  assert.deepEqual(
    entries.map(({ url }) => url),
    ["https://a.org/ok"],
  );
  assert.deepEqual([outcome.tooLong, outcome.invalid], [2, 4]);
  assert.equal(read(`https://a.org${long}\nhttps://a.org/`).outcome.tooLong, 1);
});

test("a reader that has all it wants says so", () => {
  const reader = new SitemapReader({
    url: "https://a.org/",
    take: () => undefined,
    limits: { entriesMax: 1 },
  });
  assert.equal(reader.push(Buffer.from(`<urlset>${page("/1")}`.padEnd(600))), true);
  assert.equal(reader.push(Buffer.from(page("/2"))), false);
  assert.equal(reader.end().endedBy, "entries");
});

test("entries come as soon as they are read, in order", () => {
  const numbers: number[] = [];
  const reader = new SitemapReader({
    url: "https://a.org/",
    take: ({ url }) => numbers.push(Number(url.slice("https://a.org/".length))),
  });
  for (let n = 0; n < 600; n += 1) reader.push(Buffer.from(`https://a.org/${n}\n`));
  assert.ok(numbers.length > 500, `${numbers.length} entries before the end`);
  reader.end();
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n),
  );
  assert.equal(numbers.length, 600);
});
