import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryBody, parsed, parsingWith } from "../../../test/support/parse/parse-rig.ts";
import { isRequisite } from "./requisites.ts";

const SOURCE = { url: "https://example.org/a/b.css" };

function links(content: string | Uint8Array, type: string, requisites = true): string[] {
  const source = { ...SOURCE, headers: [["Content-Type", type]] as const };
  const page = parsed(parsingWith({ requisites }), source, new MemoryBody(content));
  return page.links.map(({ kind, url }) => `${kind} ${url}`);
}

test("style sheets are read only where requisites are asked for", () => {
  const sheet = "@import 'c.css';d{e:url(f.png)}";
  assert.deepEqual(links(sheet, "text/css"), ["style c.css", "style f.png"]);
  assert.deepEqual(links(sheet, "text/css", false), []);
  assert.deepEqual(links(sheet, "text/plain"), []);
});

test("a sheet is read in the encoding that its answer declares", () => {
  const sheet = Buffer.from("a{b:url(\xe9.png)}", "latin1");
  assert.deepEqual(links(sheet, "text/css; charset=iso-8859-1"), ["style é.png"]);
});

test("a page is searched for what it needs only where that is asked for", () => {
  const html = "<a href=a></a><img src=b><link rel=stylesheet href=c><script src=d></script>";
  assert.deepEqual(links(html, "text/html"), ["a a", "img b", "link c", "script d"]);
  assert.deepEqual(links(html, "text/html", false), ["a a", "link c"]);
});

test("of the relations of a link, those that show the page name requisites", () => {
  const of = (rel: string): boolean => isRequisite({ kind: "link", rel });
  for (const rel of [
    "stylesheet",
    "SHORTCUT ICON",
    "alternate stylesheet",
    "preload",
    "modulepreload",
    "manifest",
    "mask-icon",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
  ]) {
    assert.ok(of(rel), rel);
  }
  for (const rel of ["", "canonical", "alternate", "next", "prefetch", "iconic"]) {
    assert.ok(!of(rel), rel);
  }
  assert.ok(isRequisite({ kind: "img", rel: "" }));
  for (const kind of ["a", "frame", "iframe", "refresh", "sitemap", "string"]) {
    assert.ok(!isRequisite({ kind, rel: "stylesheet" }), kind);
  }
});
