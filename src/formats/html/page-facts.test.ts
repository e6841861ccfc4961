import assert from "node:assert/strict";
import { test } from "node:test";
import { UTF_8 } from "../charset/index.ts";
import { LINK_KINDS } from "../link/index.ts";
import { documentBase, type ExtractOptions, type Page, PageParser } from "./index.ts";

function read(html: string, options: ExtractOptions = {}): Page {
  const source = { headerEncoding: UTF_8 };
  return new PageParser({ text: true, ...options }).read(Buffer.from(html), source);
}

function links(html: string, kinds: ExtractOptions["kinds"] = LINK_KINDS): string[] {
  return read(html, { kinds: kinds ?? LINK_KINDS }).links.map((link) => `${link.kind} ${link.url}`);
}

test("every kind of link is found, with its own name", () => {
  const page = `
    <a href=a><map><area href=area></map><audio src=audio></audio><embed src=embed>
    <form action=form><button formaction=button></button><input type=submit formaction=submit>
    <input type=IMAGE src=input><input type=text src=no></form><iframe src=iframe></iframe>
    <img src=img srcset="set1 1x, set2 2x"><image src=image><link rel=next href=link>
    <object data=object></object><meta http-equiv=REFRESH content="0; url=refresh">
    <script src=script></script><video src=video poster=poster><source src=source srcset="s 1x">
    <track src=track></video><frame src=frame>`;
  assert.deepEqual(links(page), [
    "a a",
    "area area",
    "audio audio",
    "embed embed",
    "form form",
    "form button",
    "form submit",
    "input input",
    "iframe iframe",
    "img img",
    "img set1",
    "img set2",
    "img image",
    "link link",
    "object object",
    "refresh refresh",
    "script script",
    "video video",
    "video poster",
    "source source",
    "source s",
    "track track",
    "frame frame",
  ]);
});

test("only links that lead to pages are found unless others are asked for", () => {
  const page = "<a href=a><img src=b><script src=c></script><iframe src=d></iframe><form action=e>";
  const found = read(page).links.map((link) => link.url);
  assert.deepEqual(found, ["a", "d"]);
});

test("hints to open a connection are not links", () => {
  const page = `<link rel=dns-prefetch href=a><link rel="preconnect  DNS-Prefetch" href=b>
    <link rel="preload" href=c><link href=d><link rel="stylesheet preconnect" href=e>`;
  assert.deepEqual(links(page), ["link c", "link d", "link e"]);
});

test("an empty link leads to the page only where the standard says so", () => {
  const page = "<a href=''>x</a><area href><img src=''><link href=''><iframe src></iframe><a>y</a>";
  assert.deepEqual(links(page), ["a ", "area "]);
});

test("rel and text come with the link", () => {
  const [link] = read(
    "<p><a href=x rel=' nofollow  ugc '>\n One <b>two</b>\tthree&nbsp;\n</a>",
  ).links;
  assert.deepEqual(link, { url: "x", kind: "a", rel: "nofollow  ugc", text: "One two three" });
});

test("the text of a link ends at its end tag or at the next link", () => {
  const page = "<a href=1>one<a href=2>two</a>three<a href=4>four<p>five</p></a><a href=5>six";
  assert.deepEqual(
    read(page).links.map((link) => link.text),
    ["one", "two", "four five", "six"],
  );
});

test("links inside SVG count, by either attribute", () => {
  const page = `<svg><a href=one xlink:href=no></a><a xlink:href=two></a><image href=three />
    <script href=four></script><a src=no></a></svg><a xlink:href=no></a>`;
  assert.deepEqual(links(page), ["a one", "a two", "img three", "script four"]);
});

test("noscript is markup, since scripts are not run", () => {
  assert.deepEqual(links("<head><noscript><meta http-equiv=refresh content='0;x'></noscript>"), [
    "refresh x",
  ]);
  assert.deepEqual(links("<noscript><a href=x></a></noscript>"), ["a x"]);
});

test("links in a template count; its text, base, title and metas do not", () => {
  const page = read(`<template><base href=/no/><title>no</title><meta name=robots content=none>
    <meta http-equiv=refresh content="0;no"><a href=x>no</a></template>yes`);
  assert.deepEqual(
    page.links.map((link) => link.url),
    ["x"],
  );
  assert.deepEqual([page.base, page.title, page.robots, page.text], [undefined, "", [], "yes"]);
});

test("a shadow root is part of the page", () => {
  assert.equal(read("<div><template shadowrootmode=open>seen</template></div>").text, "seen");
});

test("the first base, title, description and canonical link count", () => {
  const page = read(`<base target=x><base href=" one/ "><base href=two>
    <title> A&amp;B
    <b> </title><title>no</title><svg><title>no</title></svg>
    <meta name=Description content="first"><meta name=description content=second>
    <link rel="x CANONICAL" href=c1><link rel=canonical href=c2>`);
  assert.deepEqual(
    [page.base, page.title, page.description, page.canonical],
    ["one/", "A&B <b>", "first", "c1"],
  );
});

test("the language is that of the html element", () => {
  assert.equal(read("<html LANG=' de-AT '><p lang=fr>").language, "de-AT");
  assert.equal(read("<html xml:lang=it>").language, "it");
  assert.equal(read("<p lang=fr>").language, "");
});

test("directives for robots are kept as written, with their name", () => {
  const page = `<META NAME=Robots CONTENT="NoIndex, nofollow"><meta name=robots content=noarchive>
    <meta name=otherbot content=none><meta name=mybot content=nofollow>`;
  assert.deepEqual(read(page).robots, [
    { name: "robots", content: "NoIndex, nofollow" },
    { name: "robots", content: "noarchive" },
  ]);
  assert.deepEqual(read(page, { robotsNames: ["mybot"] }).robots, [
    { name: "mybot", content: "nofollow" },
  ]);
});

test("the visible text has a line for each block and no markup, style or script", () => {
  const page =
    read(`<title>no</title><style>no</style><h1>Head  line</h1><p>One<b>two</b> &lt;three&gt;
    <br>four<script>no</script><!-- no --><ul><li>five<li>six</ul><table><td>7<td>8</table>
    <textarea>nine</textarea><svg><style>no</style><text>ten</text><title>no</title></svg>
    <iframe>no</iframe><noframes>no</noframes>a\0b`);
  assert.equal(page.text, "Head line\nOnetwo <three>\nfour\nfive\nsix\n7\n8\nnine\nten\nab");
});

test("URL-like strings in scripts are links of their own kind, if asked for", () => {
  const page = `<script>go("/one")</script><script type=application/json>{"u":"\\/two"}</script>
    <style>"/no"</style><script>"/three"`;
  assert.deepEqual(links(page, ["string"]), ["string /one", "string /two", "string /three"]);
  assert.deepEqual(links(page, ["a"]), []);
});

test("the base of a page is absolute, whatever the page says", () => {
  const url = "https://example.org/dir/page";
  const { encoding } = read("");
  const base = (written: string | undefined) => documentBase(url, written, encoding);
  assert.equal(base(undefined), url);
  assert.equal(base("../x/"), "https://example.org/x/");
  assert.equal(base("//other.example/"), "https://other.example/");
  assert.equal(base("http://[::"), url);
  assert.equal(base("data:text/plain,x"), url);
  assert.equal(base("javascript:x"), url);
});
