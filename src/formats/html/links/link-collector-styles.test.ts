import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkKind } from "../../link/index.ts";
import { PageParser } from "../page-parser.ts";

function linksOf(html: string, kinds: readonly LinkKind[]): string[] {
  const parser = new PageParser({ kinds });
  // The second page must not see what the first left behind.
  parser.read(Buffer.from("<style>a{b:url(first.png"), {});
  const page = parser.read(Buffer.from(html), {});
  return page.links.map(({ kind, url }) => `${kind} ${url}`);
}

test("the URLs of styles are links only if they are asked for", () => {
  const html =
    "<body background=paper.gif><style>@import 'a.css';b{c:url(d.png)}</style>" +
    '<p style="background:url(&quot;e.png&quot;)">x<my-own style="f:url(g.png)">' +
    '<svg><rect style="fill:url(h.svg)"/></svg><a href=i style="j:url(k)">l</a>';
  assert.deepEqual(linksOf(html, ["style"]), [
    ...["style paper.gif", "style a.css", "style d.png", "style e.png", "style g.png"],
    ...["style h.svg", "style k"],
  ]);
  assert.deepEqual(linksOf(html, ["a"]), ["a i"]);
});

test("a style that arrives in pieces, or is not closed, is read", () => {
  const parser = new PageParser({ kinds: ["style"] });
  const reader = parser.open({});
  for (const byte of Buffer.from("<style>a{b:url(c.png)} d{e:url(f.png)}")) {
    reader.write(Buffer.from([byte]));
  }
  assert.deepEqual(
    reader.end().links.map(({ url }) => url),
    ["c.png", "f.png"],
  );
});

test("images that a preload names by width are images", () => {
  const html = '<link rel=preload as=image imagesrcset="a.png 1x, b.png 2x">';
  assert.deepEqual(linksOf(html, ["link", "style"]), ["img a.png", "img b.png"]);
});
