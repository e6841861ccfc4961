import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "parse5";
import { rewriteCss, rewriteHtml } from "./site-html.ts";

const keep = (link: string): string => link;
const safe = (link: string): string | null =>
  /^\s*(?:javascript|data):/i.test(link) ? null : link;

const PAYLOADS = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.test/x.js></SCRIPT>",
  "<script>alert(1)",
  '<img src=x onerror="alert(1)">',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<math><mtext><script>alert(1)</script></mtext></math>",
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" JaVaScRiPt:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<body onload="alert(1)"><p>x',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="javascript:alert(1)">',
  "<!--[if IE]><script>alert(1)</script><![endif]-->",
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  "<template><script>alert(1)</script></template>",
];

for (const payload of PAYLOADS) {
  test(`nothing is left that runs of ${payload}`, async () => {
    const html = await rewriteHtml(`<!doctype html><html><head></head>${payload}`, safe);
    assert.doesNotMatch(
      html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ""),
      /<script|\son\w+=|javascript:|srcdoc/i,
    );
    assert.match(html, /script-src 'none'/);
  });
}

test("the policy stands before everything that a page has, and the doctype stays first", async () => {
  const policy = /^<!doctype html><meta charset="utf-8"><meta http-equiv="Content-S/;
  for (const rest of ["<html><head><title>x</title>", "<p>x", "text", "<title>x</title>"]) {
    assert.match(await rewriteHtml(`<!doctype html>${rest}`, keep), policy, rest);
  }
  assert.match(await rewriteHtml("", keep), /script-src/);
});

const BEGINNINGS = [
  ...["</br>", "</html>", "</p>", "</body>", "\u00a0", "\u3000text", "&nbsp;", "x", "\0", "<p>"],
  ...["<body>", "<frameset>", "<html></head></html>", "<html><body>", "<head></head><p>", "</x>"],
  ...["<html lang=en>\n</br>", "<!-- c --></br>", "<?xml version='1.0'?></br>", "<table></br>"],
  ...["\n\t ", "<template>", "<svg>", "<noscript>", "<script></script></br>", "<base></html>"],
];

test("however a page begins, the policy is in the head, where browsers heed it", async () => {
  for (const doctype of ["", "<!doctype html>", " \n<!-- a --><!DOCTYPE html>\n"]) {
    for (const beginning of BEGINNINGS) {
      const html = await rewriteHtml(`${doctype}${beginning}<title>t</title>`, keep);
      const document = parse(html);
      const root = document.childNodes.find(({ nodeName }) => nodeName === "html");
      const parts = root !== undefined && "childNodes" in root ? root.childNodes : [];
      const head = parts.find(({ nodeName }) => nodeName === "head");
      const metas = head !== undefined && "childNodes" in head ? head.childNodes : [];
      const [charset, policy] = metas.filter(({ nodeName }) => nodeName === "meta");
      assert.ok(charset !== undefined && policy !== undefined, JSON.stringify(html));
      assert.match("attrs" in policy ? (policy.attrs[1]?.value ?? "") : "", /script-src 'none'/);
      assert.equal(document.mode, doctype === "" ? "quirks" : "no-quirks", html);
    }
  }
});

test("links are rewritten wherever they stand, and the rest is as it was written", async () => {
  const html =
    "<p  CLASS='x'>&amp;<a href=a>1</a><img src='b' srcset='c 1x, d 2x'><style>p{background:url(e)}</style>" +
    '<video poster=f></video><p style="background:url(\'g\')"><meta http-equiv=refresh content="3; url=h">';
  const links: string[] = [];
  const text = await rewriteHtml(html, (link) => {
    links.push(link);
    return `new-${link}`;
  });
  assert.deepEqual(links.sort(), ["a", "b", "c", "d", "e", "f", "g", "h"]);
  assert.ok(text.includes("<p  CLASS='x'>&amp;"));
  for (const link of links) assert.ok(text.includes(`new-${link}`), text);
});

test("what the encoding and the policies of the original said is taken out", async () => {
  const html =
    '<meta charset=latin1><meta http-equiv=Content-Type content="text/html; charset=latin1">' +
    '<meta http-equiv=content-security-policy content="img-src none"><link integrity=x href=y>';
  const text = await rewriteHtml(html, keep);
  assert.doesNotMatch(text, /latin1|img-src|integrity/);
  assert.match(text, /href="?y/);
});

test("style sheets keep their text around the links", () => {
  const css = "@import 'a.css'; b{c:url( \"d.png\" ) no-repeat; e:url(f.png)}";
  const text = rewriteCss(css, (link) => `x/${link}`);
  assert.equal(text, '@import "x/a.css"; b{c:url( "x/d.png" ) no-repeat; e:url("x/f.png")}');
});
