/**
 * What looks like a link but is none: text inside comments, scripts, styles and other elements whose
 * content is no markup, and links to places where no crawler goes. The pages that decoys name exist
 * (*ghosts*), so that a crawler that follows one is noticed.
 */
import type { Chance } from "../model/chance.ts";
import { pronounceable } from "../model/slug.ts";

/** A path that no link of the model ever names. */
export function ghostPath(word: number): string {
  return `/ghost/${pronounceable(word)}-${word % 100_000}`;
}

export function isGhost(target: string): boolean {
  return target.startsWith("/ghost/");
}

const DECOYS: readonly ((link: string, path: string) => string)[] = [
  (link) => `<!-- ${link} -->`,
  (link) => `<!-- a -- b > ${link} --!>`,
  (link) => `<script>document.write('${link}');</script>`,
  (_link, path) => `<script type="application/ld+json">{"url": "${path}"}</script>`,
  (link) => `<style>/* ${link} */</style>`,
  (link) => `<textarea>${link}</textarea>`,
  (link) => `<xmp>${link}</xmp>`,
  (link) => `<noembed>${link}</noembed>`,
  (link) => `<iframe>${link}</iframe>`,
  (link) => `<![CDATA[${link.slice(0, link.indexOf(">") + 1)}]]>`,
  (link) => `<?php echo "${link.slice(0, link.indexOf(">") + 1)}" ?>`,
  (link) => `<span title='${link}'>x</span>`,
  (_link, path) => `<span data-href="${path}" href="${path}">x</span>`,
  (link) => `&lt;${link.slice(1).replaceAll("<", "&lt;")}`,
];

/** Markup that holds no link. */
export function decoy(row: Chance): string {
  const path = ghostPath(row.u32());
  return `${row.pick(DECOYS)(`<a href="${path}">x</a>`, path)}\n`;
}

const NOISE: readonly string[] = [
  '<a href="mailto:someone@example.test">mail</a>',
  '<a href="javascript:void(0)">menu</a>',
  '<a href="tel:+3612345678">call</a>',
  '<a href="data:text/html,<p>hello">data</a>',
  '<a href="ftp://ftp.example.test/file">ftp</a>',
  '<a name="anchor">anchor</a>',
  '<a href="http://">nothing</a>',
  '<a href="http://[broken/">broken</a>',
  '<a href="http://exa mple.test/">space</a>',
  '<a href="about:blank">blank</a>',
];

/** With a `base` this would lead to the base. */
const TO_ITSELF = '<a href="#top">top</a>';

/** A link that leads to no other page of any web. */
export function noise(row: Chance, hasBase: boolean): string {
  return `${row.pick(hasBase ? NOISE : [...NOISE, TO_ITSELF])}\n`;
}

const BROKEN: readonly string[] = [
  "<b><i>wrong</b></i>",
  "</div></p></span>",
  "<table><tr><td>open",
  "<li>item<li>item",
  "<!-->",
  "<!--->",
  "<!doctype html>",
  "</>",
  "a < b && c > d",
  "<3",
  "<font color=red><p>x</font>",
  "</br>",
  "<p/>",
  "&nbsp &copy &notit; &#0; &#xD800;",
  '<div class="a" class="b" "c">',
  "<html><body bgcolor=white>",
  "<noscript>no scripts here</noscript>",
  "<h1><h2>heading</h1></h2>",
  "<dl><dt>x<dd>y",
  "<p><table></p></table>",
];

/** Markup that no validator lets pass; links before and after it stay links. */
export function brokenMarkup(row: Chance): string {
  return `${row.pick(BROKEN)}\n`;
}
