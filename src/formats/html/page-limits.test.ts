/** Pages that are large or deep on purpose: the work stays linear, memory bounded, cuts are told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { UTF_8 } from "../charset/index.ts";
import { type ExtractOptions, type Page, PageParser } from "./index.ts";

const SOURCE = { headerEncoding: UTF_8 };

function read(html: string, options: ExtractOptions = {}): Page {
  return new PageParser(options).read(Buffer.from(html), SOURCE);
}

/** Bytes and nodes looked at for each byte of the page, fed in chunks. */
function stepsPerByte(html: string, chunkBytes: number): number {
  const bytes = Buffer.from(html);
  const reader = new PageParser({ text: true }).open(SOURCE);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    reader.write(bytes.subarray(at, at + chunkBytes));
  }
  const steps = reader.steps;
  reader.end();
  return steps / bytes.length;
}

/** Pages of a size, each hostile in its way. */
const HOSTILE: readonly [name: string, page: (size: number) => string][] = [
  ["open divs", (size) => "<div>".repeat(size / 5)],
  ["open and closed links", (size) => "<a href=x>y</a>".repeat(size / 15)],
  ["one tag of attributes", (size) => `<a ${"x=y ".repeat(size / 4)}href=z>`],
  ["one long value", (size) => `<a title="${"x".repeat(size)}" href=z>`],
  ["one long tag without an end", (size) => `<a ${"x".repeat(size)}`],
  ["one long name", (size) => `<${"x".repeat(size)}>`],
  ["a comment without an end", (size) => `<!--${"-".repeat(size)}`],
  ["comments that nearly end", (size) => `<!--${"--!".repeat(size / 3)}`],
  ["open comments", (size) => "<!--".repeat(size / 4)],
  ["less-than signs", (size) => "<".repeat(size)],
  ["end tags", (size) => "</x>".repeat(size / 4)],
  ["ampersands", (size) => "&".repeat(size)],
  ["open references", (size) => "&#0".repeat(size / 3)],
  ["one long number", (size) => `&#${"0".repeat(size)}65;`],
  ["a script that nearly ends", (size) => `<script>${"</scrip".repeat(size / 7)}`],
  ["a script of comments", (size) => `<script>${"<!--<script>".repeat(size / 12)}`],
  ["a title that nearly ends", (size) => `<title>${"</title".repeat(size / 7)}`],
  ["deep SVG", (size) => `<svg>${"<g>".repeat(size / 3)}`],
  ["deep SVG with strange end tags", (size) => "<svg>".repeat(200) + "</x>".repeat(size / 4)],
  ["deep HTML in SVG", (size) => `<svg><desc>${"<b><p>".repeat(size / 6)}`],
  ["misnested HTML in SVG", (size) => `<svg><desc>${"<b><p></b>".repeat(size / 10)}`],
  ["lists in SVG", (size) => `<svg><desc>${"<li><b>x".repeat(size / 8)}`],
  ["tables in SVG", (size) => `<svg><desc>${"<table><td>".repeat(size / 11)}`],
  ["CDATA sections", (size) => `<svg><![CDATA[${"]]".repeat(size / 2)}`],
  ["templates", (size) => "<template>".repeat(size / 10)],
  ["templates with columns", (size) => "<template><col>".repeat(size / 15)],
  ["NULs", (size) => "\0".repeat(size)],
  ["quotes", (size) => `<a ${"='\"".repeat(size / 3)}`],
];

for (const [name, page] of HOSTILE) {
  test(`the work for a page of ${name} grows with its size, however it is cut`, () => {
    // A deep stack is walked at most to its limit of 64 elements, a few times for each tag.
    const stepsMax = /SVG/.test(name) ? 25 : 8;
    for (const [size, chunkBytes] of [
      [60_000, 60_000],
      [240_000, 240_000],
      [240_000, 1000],
      [30_000, 7],
    ] as const) {
      const steps = stepsPerByte(page(size), chunkBytes);
      assert.ok(steps <= stepsMax, `${steps} steps for each of ${size} bytes`);
    }
  });
}

test("ten megabytes of divs are read", () => {
  const page = read(`${"<div>".repeat(2_000_000)}<a href=x>`, { text: true });
  assert.equal(page.links.length, 1);
});

test("a hundred thousand attributes hide nothing", () => {
  const page = read(`<a ${"data-x=y ".repeat(100_000)} href=z>`);
  assert.deepEqual([page.links[0]?.url, page.truncated], ["z", []]);
});

test("a megabyte of picture inside an attribute hides nothing", () => {
  const picture = `data:image/png;base64,${"A".repeat(1_000_000)}`;
  const page = read(`<img alt=x src="${picture}"><a title="${picture}" href=x>y</a>`, {
    kinds: ["a", "img"],
  });
  assert.deepEqual(page.links, [{ url: "x", kind: "a", rel: "", text: "y" }]);
  assert.deepEqual(page.truncated, ["attribute"]);
});

test("a tag of more than four megabytes is skipped, and what follows it is read", () => {
  const page = read(`<a href=no title="${"x>".repeat(2_200_000)}"><a href=yes>`);
  assert.deepEqual(
    page.links.map((link) => link.url),
    ["yes"],
  );
  assert.deepEqual(page.truncated, ["tag"]);
});

test("a script with a tag of more than four megabytes is still a script", () => {
  const page = read(`<script ${"x ".repeat(2_200_000)}><a href=no></script><a href=yes>`);
  assert.deepEqual(
    page.links.map((link) => link.url),
    ["yes"],
  );
});

test("links, text and values are cut at their limits, and the page says so", () => {
  const links = read("<a href=x>".repeat(20), { linksMax: 5 });
  assert.equal(links.links.length, 5);
  assert.deepEqual(links.truncated, ["links"]);
  const text = read("<p>ab cd é é é", { text: true, textBytesMax: 7 });
  assert.deepEqual([text.text, text.truncated], ["ab cd", ["text"]]);
  const value = read("<a href=12345678>", { attributeBytesMax: 7 });
  assert.deepEqual([value.links, value.truncated], [[], ["attribute"]]);
  assert.deepEqual([value.linksTooLong, links.linksTooLong], [1, 0]);
  const script = read("<script>'/aa' '/bb'</script>", { kinds: ["string"], scriptBytesMax: 6 });
  assert.deepEqual([script.links.length, script.truncated], [1, ["script"]]);
});

test("a text that just fits is not cut", () => {
  assert.deepEqual(read("<p>ab cd", { text: true, textBytesMax: 5 }).truncated, []);
  assert.deepEqual(read("<a href=x>", { linksMax: 1 }).truncated, []);
});

test("links keep their text when the page's own text has no room left", () => {
  const page = read("<p>long text here <a href=x>één</a> more <a href=y>two</a>", {
    text: true,
    textBytesMax: 6,
    linkTextBytesMax: 4,
  });
  assert.deepEqual(
    page.links.map((link) => link.text),
    ["éé", "two"],
  );
  assert.equal(page.text, "long t");
});
