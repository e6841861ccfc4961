import assert from "node:assert/strict";
import { test } from "node:test";
import { readHtml } from "./html.ts";

const URL_OF_PAGE = "https://example.org/dir/page";

test("links are absolute, and the page says what it is", () => {
  const page = readHtml(
    `<html lang=en><title>A  page</title><base href=/other/><meta name=description content=short>
     <meta name=robots content=noindex><link rel=canonical href=/c>
     <a href=next rel=nofollow>To the <b>next</b></a><a href="http://[">none</a><img src=i>`,
    { url: URL_OF_PAGE, text: true },
  );
  const links = [
    { url: "https://example.org/c", kind: "link", rel: "canonical", text: "" },
    { url: "https://example.org/other/next", kind: "a", rel: "nofollow", text: "To the next" },
  ];
  assert.deepEqual(page.links, links);
  assert.equal(page.base, "https://example.org/other/");
  assert.deepEqual([page.title, page.description, page.language], ["A page", "short", "en"]);
  assert.equal(page.canonical, "https://example.org/c");
  assert.deepEqual(page.robots, [{ name: "robots", content: "noindex" }]);
  assert.match(page.text, /To the next/);
});

test("other kinds of links, and text, only when they are asked for", () => {
  const page = readHtml("<a href=a>a</a><img src=i>", { url: URL_OF_PAGE, kinds: ["img"] });
  assert.deepEqual(
    page.links.map(({ url }) => url),
    ["https://example.org/dir/i"],
  );
  assert.equal(page.text, "");
  assert.equal(page.canonical, null);
});

test("bytes are read by their encoding, a text as it is", () => {
  const bytes = Buffer.from("<title>\xe9</title>", "latin1");
  const contentType = "text/html; charset=iso-8859-1";
  const page = readHtml(bytes, { url: URL_OF_PAGE, contentType });
  assert.deepEqual([page.title, page.charset], ["é", "windows-1252"]);
  assert.equal(readHtml("<title>é</title>", { url: URL_OF_PAGE, contentType }).title, "é");
  assert.throws(() => readHtml("", { url: "/page" }), TypeError);
});
