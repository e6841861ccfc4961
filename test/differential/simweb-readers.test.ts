/**
 * The crawler's own readers on synthetic webs: what the extractor finds in a page, what the page
 * says to robots, and what robots.txt allows must be what the model meant. parse5 has shown that the
 * pages say it; this shows that our readers find it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodingOfLabel } from "../../src/formats/charset/index.ts";
import { documentBase, type Page, PageParser, resolveLink } from "../../src/formats/html/index.ts";
import { parseContentType } from "../../src/formats/http/index.ts";
import { openLanguageIdentifier } from "../../src/formats/language/index.ts";
import { FOLLOWABLE_KINDS } from "../../src/formats/link/index.ts";
import { pageDirectives, parseRobots } from "../../src/formats/robots/index.ts";
import { keyOf, parseUrl } from "../../src/formats/url/index.ts";
import { type GeneratedWeb, Truth, type WebResponse } from "../../src/lab/simweb/index.ts";
import { Chance } from "../../src/lab/simweb/model/chance.ts";
import { closesRole } from "../../src/lab/simweb/model/robots-model.ts";
import { sentences } from "../../src/lab/simweb/pages/language-text.ts";
import { ENGLISH, OTHER_LANGUAGES } from "../../src/lab/simweb/pages/languages.ts";
import { answerTo, smallWeb } from "../support/lab/small-web.ts";

const TOKEN = "trobar";
const SEEDS = process.env["TROBAR_FULL"] === "1" ? 40 : 2;
/** Strings in scripts are not links of the page. */
const KINDS = FOLLOWABLE_KINDS;
const parser = new PageParser({
  kinds: KINDS,
  linksMax: 1_000_000,
  robotsNames: ["robots", TOKEN],
});

function fieldOf({ headers }: WebResponse, name: string): string | undefined {
  return headers.find(([one]) => one === name)?.[1];
}

/** `kind key`, of every link that leads somewhere else. */
function linksIn(page: Page, url: string): Set<string> {
  const base = documentBase(url, page.base, page.encoding);
  const own = keyOf(accepted(url));
  const links = page.links.flatMap((link) => {
    const resolved = parseUrl(resolveLink(link.url, base, page.encoding) ?? "");
    const isNofollow = /\bnofollow\b/i.test(link.rel);
    if (resolved.kind === "refused") return [];
    const key = keyOf(resolved.url);
    return key === own || isTrap(key) ? [] : [`${link.kind} ${isNofollow} ${key}`];
  });
  return new Set(links);
}

function accepted(url: string) {
  const parsed = parseUrl(url);
  assert.ok(parsed.kind === "accepted");
  return parsed.url;
}

function isTrap(key: string): boolean {
  const { hostname, pathname } = new URL(key);
  return /^\/(?:calendar|loop|shop)\b/.test(pathname) || /\.maze-\w+\.test$/.test(hostname);
}

function isNofollowPage(web: GeneratedWeb, url: string): boolean {
  const { hostname, pathname, search } = new URL(url);
  const content = web.model.hosts.contentOf(web.model.hosts.names.find(hostname)?.host ?? 0);
  const slot = web.model.paths.find(content, pathname + search)?.slot ?? 0;
  return web.model.slots.role(content, slot) === "nofollow-page";
}

function checkPages(web: GeneratedWeb): number {
  const truth = new Truth(web, { seeds: web.seeds(), scope: "any", robots: "ignore" });
  const told = new Map<string, Set<string>>();
  for (const { from, to, kind, isNofollow } of truth.links()) {
    told.set(from, (told.get(from) ?? new Set()).add(`${kind} ${isNofollow} ${to}`));
  }
  let pages = 0;
  for (const { url, key, outcomes, isNoarchive } of truth.expectations()) {
    const response = answerTo(web, url, 9);
    const contentType = fieldOf(response, "Content-Type");
    const isPage = outcomes.length === 1 && outcomes[0] === "page";
    if (!isPage || !contentType?.startsWith("text/html") || response.body.length === 0) continue;
    const page = parser.read(response.body, {
      headerEncoding: encodingOfLabel(parseContentType(contentType).charset),
    });
    assert.deepEqual(linksIn(page, url), told.get(key) ?? new Set(), url);
    const headers = response.headers
      .filter(([name]) => name === "X-Robots-Tag")
      .map(([, value]) => value);
    const said = pageDirectives({ headers, metas: page.robots }, TOKEN);
    assert.equal(said.noarchive, isNoarchive, url);
    assert.equal(said.nofollow, isNofollowPage(web, url), url);
    pages += 1;
  }
  return pages;
}

for (const name of ["plain", "realistic", "hostile"] as const) {
  test(`the extractor finds every link of ${name} webs and no other`, () => {
    for (let seed = 0; seed < SEEDS; seed += 1) {
      assert.ok(checkPages(smallWeb(name, `own ${seed}`)) > 100);
    }
  });
}

test("robots.txt of every kind means to our reader what the model says", () => {
  const web = smallWeb("hostile", "robots", { hosts: { count: 200, pages: 2000 } });
  const { hosts, slots } = web.model;
  for (let host = 0; host < hosts.count; host += 1) {
    const { name } = web.hostAt(host);
    let response = answerTo(web, `http://${name}/robots.txt`, 1);
    for (let hops = 0; hops < 5 && response.status >= 300 && response.status < 400; hops += 1) {
      response = answerTo(
        web,
        new URL(fieldOf(response, "Location") ?? "", `http://${name}/`).href,
      );
    }
    if (response.status !== 200 || response.oddity !== null) continue;
    const { rules } = parseRobots(response.body, TOKEN);
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      const { pathname, search } = new URL(web.model.url(host, slot));
      const isClosed = closesRole(hosts.robotsKind(host), slots.role(hosts.contentOf(host), slot));
      assert.equal(rules.allows(pathname + search), !isClosed, `${name}${pathname}`);
    }
  }
});

test("texts of every language are taken for that language", async () => {
  const identifier = await openLanguageIdentifier();
  for (const language of [ENGLISH, ...OTHER_LANGUAGES]) {
    for (let sample = 0; sample < 10; sample += 1) {
      const text = sentences(language, 600, new Chance("language", "sample").at(sample, 0));
      assert.equal(identifier.identify(text), language.code, text);
    }
  }
});
