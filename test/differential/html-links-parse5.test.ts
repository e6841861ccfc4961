/**
 * The extractor against parse5: the same links in the same order, URL by URL, on pages that were
 * made to be misunderstood and on the HTML that ships inside npm packages. A failing page prints its
 * seed; `hostilePage(seed)` gives it back.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { decodeText, UTF_8 } from "../../src/formats/charset/index.ts";
import { type Page, PageParser } from "../../src/formats/html/index.ts";
import { FOLLOWABLE_KINDS } from "../../src/formats/link/index.ts";
import { hostilePage } from "../support/formats/hostile-html.ts";
import { type OtherPage, otherPage } from "../support/formats/parse5-links.ts";
import { DATA_ABSENT } from "../support/requirement.ts";

const DOCUMENT_URL = "https://example.org/dir/page.html";
const kinds = FOLLOWABLE_KINDS;
const parser = new PageParser({ kinds, linksMax: 1_000_000 });

/** `kind url`, resolved by the page's base. */
function resolved(links: readonly string[], base: string | undefined): string[] {
  const against = base === undefined ? undefined : URL.parse(base, DOCUMENT_URL)?.href;
  return links.map((link) => {
    const [, kind, url] = /^(\S+) ([\s\S]*)$/.exec(link) as unknown as [string, string, string];
    return `${kind} ${URL.parse(url, against ?? DOCUMENT_URL)?.href ?? `invalid ${url}`}`;
  });
}

function ours(page: Page): string[] {
  const links = page.links.map((link) => `${link.kind} ${link.url}`);
  return resolved(links, page.base);
}

function theirs(page: OtherPage): string[] {
  return resolved(page.links, page.base);
}

const pages = process.env["TROBAR_FULL"] === "1" ? 60_000 : 6000;

/** How many pages differ for a reason of `Exception`. */
const DIFFERING_SHARE_MAX = 0.005;

test(`the links of ${pages} hostile pages are parse5's, URL by URL`, (context) => {
  let links = 0;
  const differing: string[] = [];
  for (let number = 0; number < pages; number++) {
    const seed = `hostile ${number}`;
    const html = hostilePage(seed);
    const other = otherPage(html);
    const own = parser.read(Buffer.from(html), { headerEncoding: UTF_8 });
    links += other.links.length;
    if (isDeepStrictEqual(ours(own), theirs(other))) continue;
    if (other.exceptions.size > 0) differing.push(`${seed} (${[...other.exceptions].join(", ")})`);
    else assert.deepEqual(ours(own), theirs(other), `seed ${JSON.stringify(seed)}: ${html}`);
  }
  context.diagnostic(`${links} links; ${differing.length} pages differ: ${differing.join("; ")}`);
  assert.ok(links > pages * 5, `${links} links are too few to prove anything`);
  assert.ok(differing.length < pages * DIFFERING_SHARE_MAX, differing.join("; "));
});

/** HTML of the packages here, and of npm itself, which brings its manual along. */
function packagedPages(): string[] {
  const npm = process.env["npm_execpath"];
  const folders = ["node_modules", ...(npm === undefined ? [] : [join(dirname(npm), "..")])];
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{html,htm,xhtml,svg}`))
    .sort()
    .slice(0, 2000);
}

test("the links of the HTML inside npm packages are parse5's, URL by URL", (context) => {
  const files = packagedPages();
  if (files.length === 0) {
    context.skip(`${DATA_ABSENT}HTML inside npm packages`);
    return;
  }
  for (const file of files) {
    const bytes = readFileSync(file);
    const own = parser.read(bytes);
    const other = otherPage(decodeText(bytes, own.encoding).replace(/^\ufeff/, ""));
    if (other.exceptions.size > 0) continue;
    assert.deepEqual(ours(own), theirs(other), file);
  }
});
