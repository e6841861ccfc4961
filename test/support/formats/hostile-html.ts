/**
 * Broken pages as they are found on the web: realistic markup, then damaged. First a page is grown
 * from pieces, each of them a known trap or a plain piece of a page, nested and left open at will;
 * then it is mutated as editors, templates and transfers mutate pages: bytes lost, doubled, swapped,
 * whole stretches moved, the end cut off. Every link has its own number, so that a link that is
 * missed, invented or given another's URL is noticed.
 */
import { SeededRandom } from "../../../src/base/random/index.ts";

type Piece = (make: PageMaker) => string;

export class PageMaker {
  readonly random: SeededRandom;
  #links = 0;

  constructor(seed: string) {
    this.random = new SeededRandom(seed);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.random.below(items.length)] as Item;
  }

  chance(oneIn: number): boolean {
    return this.random.below(oneIn) === 0;
  }

  /** A URL that no other link of the page has. */
  url(): string {
    const number = this.#links++;
    const tail = this.pick([
      "",
      "?a=1&amp;b=2",
      "?a=1&b=2",
      "?copy=1&copy=2&notit=3&not=4",
      "#part",
      "&#x41;&#66&lt;",
      "&eacute;t&eacute",
      "/ü/ß",
      "?q=%20&#0;&#128;",
    ]);
    return `/p${number}${tail}`;
  }

  /** An attribute with its value, quoted in one of the ways that exist. */
  attribute(name: string, value: string): string {
    const spelled = this.chance(4) ? name.toUpperCase() : name;
    const space = this.pick(["", "", "", " ", "\n"]);
    const quote = this.pick(['"', '"', '"', "'", ""]);
    const bare = quote === "" ? value.replace(/[\s>]/g, "") : value;
    return ` ${spelled}${space}=${space}${quote}${bare}${quote}`;
  }

  href(name = "href"): string {
    const padded = this.chance(6) ? ` ${this.url()}\n` : this.url();
    const written = this.attribute(name, padded);
    return this.chance(9) ? `${written}${this.attribute(name, "/second")}` : written;
  }

  noise(): string {
    return this.pick(["", "", "", "", ...NOISE]);
  }

  word(): string {
    return this.pick(WORDS);
  }

  content(depth: number): string {
    let text = "";
    const count = depth > 3 ? 1 : this.random.below(4);
    for (let index = 0; index < count; index++) text += this.piece(depth + 1);
    return text;
  }

  piece(depth = 0): string {
    const piece = this.chance(3) ? this.pick(PLAIN) : this.pick(this.chance(2) ? BROKEN : TRAPS);
    this.#depth = depth;
    return piece(this);
  }

  #depth = 0;

  get inner(): string {
    return this.#depth > 4 ? this.word() : this.content(this.#depth);
  }
}

const WORDS = [
  "word ",
  "text ",
  "a < b ",
  "x & y ",
  "&amp ",
  "&nosuch; ",
  "\n",
  "  ",
  "\0",
  "é ",
  "1>2 ",
  "--> ",
  "]]> ",
];
const NOISE = [
  " class=x",
  " disabled",
  ' title="a > b"',
  " title='<a href=/no>'",
  " / ",
  "/",
  ' "',
  " =x",
  ' ="y"',
  " a=b=c",
  ' a"b="c"',
  " <",
  " \0",
  " data-é=ü",
  ' x="1"y="2"',
];
const BLOCKS = ["div", "p", "li", "ul", "td", "h2", "section", "form", "dd", "pre", "center"];
const INLINE = ["b", "i", "em", "span", "font", "nobr", "code", "u", "x-y", "ruby", "button"];
const RAW = ["style", "xmp", "iframe", "noembed", "noframes", "textarea", "title", "script"];

const link: Piece = (make) => `<a${make.noise()}${make.href()}${make.noise()}>${make.inner}</a>`;
const no = "<a href=/no>";

/** What pages are made of. */
const PLAIN: readonly Piece[] = [
  link,
  link,
  link,
  (make) => make.word(),
  (make) => {
    const name = make.pick(BLOCKS);
    return `<${name}${make.noise()}>${make.inner}</${name}>`;
  },
  (make) => {
    const name = make.pick(INLINE);
    return `<${name}${make.noise()}>${make.inner}</${name}>`;
  },
  (make) => `<img${make.href("src")}${make.noise()}>`,
  (make) => `<img srcset="${make.url()} 1x, ${make.url()} 2x">`,
  (make) => `<area${make.href()}>`,
  (make) => `<table><tr><td>${make.inner}<td>${make.inner}</table>`,
  (make) => `<form${make.href("action")}><input type=hidden>${make.inner}</form>`,
  (make) => `<iframe${make.href("src")}>${no}</iframe>`,
  (make) => `<frame${make.href("src")}>`,
  (make) => `<link rel=next${make.href()}>`,
  (make) => `<link rel="dns-prefetch preconnect"${make.href()}>`,
  (make) => `<meta http-equiv=Refresh content="1; URL='${make.url()}'">`,
  (make) => `<script${make.href("src")}></script>`,
  (make) => `<video${make.href("src")} poster=${make.url()}><source${make.href("src")}></video>`,
  (make) => `<object${make.href("data")}><embed${make.href("src")}></object>`,
  (make) => `<noscript>${make.inner}</noscript>`,
  (make) => `<template>${make.inner}</template>`,
  (make) => `<select><option>${make.word()}<option${make.noise()}>${make.word()}</select>`,
  (make) => `<base${make.href()}>`,
];

/** Known traps of the tokenizer and of the tree. */
const TRAPS: readonly Piece[] = [
  () => `<!-- ${no} -->`,
  () => `<!--> <!---> <!----> <!--!> ${no} --!>`,
  () => `<!-- -- ${no} --!> <!-- - -- > ${no} -->`,
  () => `<!-- <!-- ${no} --> -->`,
  () => `<! ${no} <? ${no} </ ${no} <!x ${no} </> <>`,
  () => `<!DOCTYPE html PUBLIC "${no}" ''>`,
  () => `<![CDATA[ ${no} ]]>`,
  () => "<?php echo '<a href=/php>' ?>",
  (make) => {
    const name = make.pick(RAW);
    return `<${name}>${no}</x></${name}x> </ ${name}>${no}</${name.toUpperCase()}\n a="${no}">`;
  },
  () => `<script><!-- <script> ${no} </script> ${no} --></script>`,
  () => `<script><!--<script></script>${no}</script>`,
  () => `<script><!-- ${no} </script>`,
  () => `<script>"<!--<script>"; ${no} // --></script>`,
  () => `<script>var a = "</scr" + "ipt>${no}"; <!-- --> ${no}</script>`,
  () => `<script/>${no}</script>`,
  (make) => `<svg><title>${make.inner}</title><style>${link(make)}</style></svg>`,
  (make) => `<svg><a xlink:href=${make.url()}>${make.word()}</a><path d="M0"/></svg>`,
  (make) => `<svg><script>${link(make)}</script></svg>`,
  (make) => `<svg><script/>${link(make)}</svg>`,
  (make) => `<svg/>${link(make)}<title>${no}</title>`,
  (make) => `<svg><![CDATA[ ${no} ]]>${link(make)}</svg>`,
  (make) =>
    `<svg><foreignObject>${make.inner}<title>${no}</title></foreignObject><title>${link(make)}</title></svg>`,
  (make) => `<svg><desc>${make.inner}</desc><textarea>${link(make)}</textarea></svg>`,
  (make) => `<svg><g><div><style>${no}</style></div>${link(make)}`,
  (make) =>
    `<math><mi><style>${no}</style></mi><mo>${link(make)}</mo><style>${link(make)}</style></math>`,
  (make) =>
    `<math><annotation-xml encoding="text/html"><title>${no}</title></annotation-xml><title>${link(make)}</title></math>`,
  (make) => `<math><annotation-xml><svg><style>${link(make)}</style></svg></annotation-xml></math>`,
  (make) => `<template><col><style>${link(make)}</style></template>`,
  (make) => `<template><tr><td>${make.inner}</template>`,
  () => `<textarea>&lt;${no}</textarea>`,
  (make) => `<a${make.href()}<b>${make.word()}</a>`,
  (make) => `<div a='${make.word()}" b="><a ${make.href()}>'>`,
  (make) => `<image${make.href("src")}>`,
];

/** Ends without beginnings, beginnings without ends. */
const BROKEN: readonly Piece[] = [
  (make) => `</${make.pick([...BLOCKS, ...INLINE, "a", "svg", "math", "template", "title"])}>`,
  (make) => `<${make.pick([...BLOCKS, ...INLINE])}${make.noise()}>`,
  (make) => `<a${make.href()}>`,
  (make) => `<a${make.href()}`,
  (make) => `<${make.word()}`,
  (make) => `<svg>${make.inner}`,
  (make) => `<math>${make.inner}`,
  (make) => `<template>${make.inner}`,
  (make) => `<b><p>${make.inner}</b></p>`,
  (make) => `<table>${make.inner}<tr>${make.inner}</table>`,
  (make) => `<p><table><a${make.href()}>${make.inner}</table>`,
];

const HEADS = [
  "",
  "<!doctype html>",
  "<html lang=en><head><title>A &amp; b</title></head><body>",
  "<!doctype html><html><head><meta charset=utf-8><title>",
  "<html><frameset><frame src=/one><frame src=/two><noframes><a href=/no></noframes></frameset>",
  " <!-- --><p><frameset><frame src=/three><script><frame src=/four></script>",
];

/** One page; the same for the same seed. */
export function hostilePage(seed: string): string {
  const make = new PageMaker(seed);
  let page = make.pick(HEADS);
  const pieces = 1 + make.random.below(14);
  for (let index = 0; index < pieces; index++) page += make.piece();
  const mutations = make.pick([0, 0, 1, 2, 6]);
  for (let index = 0; index < mutations; index++) page = mutate(page, make);
  return Buffer.from(page, "utf8").toString("utf8");
}

const SPLINTERS = [
  "<",
  ">",
  '"',
  "'",
  "=",
  "/",
  "&",
  "-",
  "!",
  " ",
  "\n",
  "\r\n",
  "\r",
  "\0",
  "<!--",
  "]]>",
];

function mutate(page: string, make: PageMaker): string {
  const at = make.random.below(page.length + 1);
  const to = Math.min(page.length, at + 1 + make.random.below(12));
  switch (make.random.below(6)) {
    case 0:
      return page.slice(0, at) + page.slice(to);
    case 1:
      return page.slice(0, at) + make.pick(SPLINTERS) + page.slice(at);
    case 2:
      return page.slice(0, to) + page.slice(at);
    case 3: {
      const other = make.random.below(page.length + 1);
      return page.slice(0, other) + page.slice(at, to) + page.slice(other);
    }
    case 4:
      return page.slice(0, at) + page.slice(at, to).toUpperCase() + page.slice(to);
    default:
      return make.chance(4) ? page.slice(0, at) : page;
  }
}
