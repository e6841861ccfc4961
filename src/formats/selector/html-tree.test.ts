import assert from "node:assert/strict";
import { test } from "node:test";
import { readExtraction } from "./extraction.ts";
import { readTree } from "./html-tree.ts";

const SHOP = `<!doctype html><title>Shop &amp; more</title>
<ul><li class="item"><a href="/1">One</a> <b class=price> 1.50 </b>
<li class="item"><a href="/2" title="second">Two</a> <b class=price>2.50</b></ul>`;

test("elements are found by selectors, the first or all of them", () => {
  const page = readTree(SHOP);
  assert.equal(page.$("title")?.text, "Shop & more");
  assert.deepEqual(
    page.$$(".item").map((item) => [item.$("a")?.attr("href"), item.$(".price")?.text]),
    [
      ["/1", "1.50"],
      ["/2", "2.50"],
    ],
  );
  assert.equal(page.$("li:nth-child(2) a")?.html, "Two");
  assert.equal(page.$("a[title]")?.name, "a");
  assert.equal(page.$(".none"), null);
  assert.deepEqual(page.$$(".none"), []);
});

test("an attribute that is not there is null, whatever objects have by themselves", () => {
  const link = readTree(SHOP).$("a");
  assert.equal(link?.attr("title"), null);
  assert.equal(link?.attr("constructor"), null);
});

test("names keep their case in XML, and elements there have no special meaning", () => {
  const feed = readTree("<Feed><link>a</link><Link>b</Link></Feed>", true);
  assert.equal(feed.$("Link")?.text, "b");
  assert.equal(feed.$("link")?.text, "a");
});

test("a text that is no selector is refused with the reason", () => {
  const bad = { code: "USAGE_BAD_SELECTOR", message: /"a\[" is not a CSS selector: / };
  assert.throws(() => readTree(SHOP).$("a["), bad);
  assert.throws(() => readTree(SHOP).$$("a["), bad);
});

test("markup that is nested without end is read, and answered", () => {
  const deep = readTree(`${"<div>".repeat(100_000)}<b class=x>end</b>`);
  assert.ok(["end", undefined].includes(deep.$(".x")?.text));
});

test("fields are texts, attributes or lists; what is not there is null or empty", () => {
  const fields = readExtraction({
    title: "title",
    "to[]": "a@href",
    second: "a[title]@title",
    no: "i",
  });
  assert.deepEqual(fields.names, ["title", "to", "second", "no"]);
  const found = { title: "Shop & more", to: ["/1", "/2"], second: "second", no: null };
  assert.deepEqual(fields.of(readTree(SHOP)), found);
  assert.deepEqual(fields.of(null), { title: null, to: [], second: null, no: null });
});

test("a field has a name of its own, and a selector", () => {
  assert.throws(() => readExtraction({ "a b": "p" }), /"a b" is not a name/);
  assert.throws(() => readExtraction({ url: "p" }, ["url"]), /field that every row has/);
  assert.throws(() => readExtraction({ a: "p[" }), { code: "USAGE_BAD_SELECTOR" });
  assert.throws(() => readExtraction({ a: " " }), { code: "USAGE_BAD_SELECTOR" });
});
