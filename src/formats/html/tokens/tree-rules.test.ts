/** What hides a link and what does not: one page for each rule, by the standard. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PageParser } from "../index.ts";

const parser = new PageParser();

/** The markup; links to `yes` must be found, all others must not. */
const PAGES: readonly [rule: string, page: string][] = [
  ["a comment hides links", "<!-- <a href=no> --><a href=yes>"],
  ["a comment may end at once", "<!--><a href=yes><!---><a href=yes>"],
  ["a comment may end with a bang", "<!-- <a href=no> --!><a href=yes>"],
  ["a comment ends at the first end", "<!-- <!-- <a href=no> --><a href=yes> -->"],
  ["a comment without end hides all", "<a href=yes><!-- -- > <a href=no>"],
  ["a document type ends at the first >", '<!DOCTYPE html "<a href=no>"><a href=yes>'],
  [
    "a bogus comment ends at the first >",
    "<! <a href=no> <a href=yes><?x <a href=no> </ <a href=no>",
  ],
  ["CDATA outside of foreign content is a bogus comment", "<![CDATA[ > <a href=yes> ]]>"],
  ["CDATA in SVG hides links", "<svg><![CDATA[ > <a href=no> ]]><a href=yes></svg>"],
  ["CDATA in an integration point is CDATA", "<svg><desc><![CDATA[ > <a href=no> ]]></svg>"],
  ["CDATA in HTML inside SVG is a bogus comment", "<svg><desc><p><![CDATA[ > <a href=yes> ]]>"],
  ["a script hides links", "<script>'<a href=no>'</SCRIPT ><a href=yes>"],
  [
    "a script in a comment in a script is hidden",
    "<script><!--<script></script><a href=no>--></script>",
  ],
  ["a comment in a script does not hide its end", "<script><!-- </script><a href=yes> -->"],
  ["a script does not close itself in HTML", "<script/><a href=no></script><a href=yes>"],
  ["a script closes itself in SVG", "<svg><script/><a href=yes>"],
  ["a script in SVG is markup", "<svg><script><a href=yes></script></svg>"],
  ["a style hides links", "<style><a href=no></stylex></style/><a href=yes>"],
  ["a style in SVG is markup", "<svg><style><a href=yes></style>"],
  [
    "a style in HTML inside SVG hides links",
    "<svg><foreignObject><p><style><a href=no></style><a href=yes>",
  ],
  ["a title hides links", "<title><a href=no></title><a href=yes>"],
  ["a title in SVG is markup", "<svg><title><a href=yes></title></svg>"],
  ["a title without end hides all", "<title><a href=no>"],
  ["a textarea hides links", "<textarea><a href=no></textarea><a href=yes>"],
  ["an iframe's content is no markup", "<iframe><a href=no></iframe><a href=yes>"],
  ["plaintext never ends", "<a href=yes><plaintext><a href=no></plaintext><a href=no>"],
  ["noscript is markup", "<noscript><a href=yes></noscript>"],
  ["a paragraph ends SVG", "<svg><p><title><a href=no></title><a href=yes>"],
  ["a font with a colour ends SVG", "<svg><font color=red><title><a href=no></title>"],
  ["a font without one does not", "<svg><font id=x><title><a href=yes></title>"],
  ["MathML text is HTML", "<math><mi><title><a href=no></title></mi><title><a href=yes></title>"],
  [
    "annotations are HTML if they say so",
    "<math><annotation-xml encoding='TEXT/HTML'><title><a href=no></title>",
  ],
  ["annotations are not HTML otherwise", "<math><annotation-xml><title><a href=yes></title>"],
  ["nothing is special in a frameset", "<frameset><script><frame src=yes></script></frameset>"],
  [
    "noframes is special in a frameset",
    "<frameset><noframes><a href=no></noframes><frame src=yes>",
  ],
  ["a frameset after text is none", "text<frameset><script><frame src=no></script>"],
  ["a frame outside of a frameset is found", "<p><frame src=yes>"],
  ["a select holds anything nowadays", "<select><title><a href=no></title><a href=yes></select>"],
  [
    "a template of columns ignores the rest",
    "<template><col><style><a href=yes></style></template>",
  ],
  ["a template of anything does not", "<template><p><style><a href=no></style><a href=yes>"],
  ["a tag that does not end is no tag", "<a href=yes><a href=no "],
  ["a quote that does not end hides all", "<a href=yes><a title='<a href=no>"],
  ["a quote in a name is no quote", "<a 'x href=yes><a href=yes '>"],
  ["the first of two attributes counts", "<a href=yes href=no>"],
  ["a less-than sign in a tag is part of it", "<a <b href=yes>"],
  ["names are not cut at NUL", "<a\0 href=no><a hre\0f=no><a href=yes>"],
];

for (const [rule, page] of PAGES) {
  test(rule, () => {
    const links = parser.read(Buffer.from(page)).links.map((link) => link.url);
    const expected = Array.from(page.matchAll(/(?:href|src)=yes/g), () => "yes");
    assert.deepEqual(links, expected);
  });
}
