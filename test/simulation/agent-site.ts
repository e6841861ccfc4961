/**
 * A small web in which pages of every kind occur, drawn from a seed: redirects in a row, pages that ask not
 * to be archived, that a filter does not store, that fail once or always, twins with the same body,
 * requisites, sitemaps, forbidden pages, hosts that share an address; if wanted also robots.txt files and
 * sitemaps that are elsewhere, or cannot be had. What a crawl of it must lead to is in `agent-truth.ts`.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { type TableHost, type TablePage, TableWeb } from "../support/lab/table-web.ts";

export type PageKind =
  | "plain"
  /** Asks not to be archived. */
  | "noarchive"
  /** Is refused by the filter of what is stored. */
  | "unstored"
  /** Has the same body as other twins. */
  | "twin"
  | "redirect"
  | "missing"
  /** Fails once. */
  | "busy"
  /** Fails always, with and without an answer. */
  | "broken"
  | "mute"
  /** In a folder that most hosts forbid. */
  | "forbidden"
  /** A requisite. */
  | "image"
  /** Only a sitemap leads there. */
  | "listed";

export interface SitePage {
  readonly url: string;
  readonly host: string;
  readonly kind: PageKind;
  /** URLs. Of a redirect, the only one is where it leads. */
  readonly links: string[];
  readonly images: string[];
}

/** What its host answers to `/robots.txt`: rules, that there are none, or what a page of that kind would. */
export type RobotsKind = "plain" | "missing" | "moved" | "busy" | "broken" | "mute";

export interface SiteHost {
  readonly name: string;
  readonly address: string;
  readonly forbids: boolean;
  /** 0 for none. */
  readonly crawlDelayMs: number;
  readonly robots: RobotsKind;
  /** URL of the file itself. */
  readonly robotsUrl: string;
  /** URL of its sitemap; null for none. */
  readonly sitemap: string | null;
  /** URL of the list of pages that this names; null if it is a list itself. */
  readonly sitemapList: string | null;
}

export interface Site {
  readonly hosts: ReadonlyMap<string, SiteHost>;
  readonly pages: ReadonlyMap<string, SitePage>;
  readonly seeds: readonly string[];
  readonly web: TableWeb;
}

const KINDS: readonly (readonly [kind: PageKind, prefix: string, share: number])[] = [
  ["plain", "/p", 8],
  ["noarchive", "/a", 3],
  ["unstored", "/u", 3],
  ["twin", "/t", 4],
  ["redirect", "/r", 3],
  ["missing", "/m", 1],
  ["busy", "/b", 2],
  ["broken", "/x", 1],
  ["mute", "/z", 1],
  ["forbidden", "/no/", 2],
  ["image", "/i", 2],
  ["listed", "/l", 2],
];
const SHARES = KINDS.reduce((sum, [, , share]) => sum + share, 0);
/** Kinds of pages that have links. */
const LINKING = new Set<PageKind>(["plain", "noarchive", "unstored", "twin", "busy", "listed"]);
const ROBOTS: readonly RobotsKind[] = [
  ...(["plain", "missing", "moved", "moved", "busy", "broken", "mute"] as const),
];

/** `hasOddFiles`: whether robots.txt files and sitemaps may be elsewhere, or not to be had. */
export function drawSite(seed: string, hasOddFiles = false): Site {
  const random = new SeededRandom(`site ${seed}`);
  const hosts = drawHosts(random);
  const names = [...hosts.keys()];
  const pages = new Map<string, SitePage>();
  const add = (kind: PageKind, prefix: string): SitePage => {
    const host = names[random.below(names.length)] as string;
    const url = `http://${host}${prefix}${pages.size}`;
    const page = { url, host, kind, links: [], images: [] };
    pages.set(url, page);
    return page;
  };
  add("plain", "/p");
  const count = 8 + random.below(8);
  while (pages.size < count) {
    const [kind, prefix] = drawKind(random);
    add(kind, prefix);
  }
  link([...pages.values()], random);
  if (hasOddFiles) drawFiles(hosts, new SeededRandom(`files ${seed}`), names);
  const seeds = [...pages.keys()].slice(0, 1);
  return { hosts, pages, seeds, web: webOf(hosts, [...pages.values()]) };
}

function drawHosts(random: Random): Map<string, SiteHost> {
  const hosts = new Map<string, SiteHost>();
  const count = 2 + random.below(3);
  for (let number = 0; number < count; number += 1) {
    const name = `h${number}.example`;
    hosts.set(name, {
      name,
      address: `192.0.2.${1 + random.below(2)}`,
      forbids: random.below(4) > 0,
      crawlDelayMs: random.below(3) === 0 ? 200 : 0,
      ...{ robots: "plain", robotsUrl: `http://${name}/robots.txt`, sitemapList: null },
      sitemap: random.below(2) === 0 ? `http://${name}/sitemap.xml` : null,
    });
  }
  return hosts;
}

/** Gives each host a robots.txt of some kind. The host of the first page, which is a seed, has one. */
function drawFiles(hosts: Map<string, SiteHost>, random: Random, names: readonly string[]): void {
  const anyOf = (all: readonly string[]): string => all[random.below(all.length)] as string;
  for (const [at, name] of names.entries()) {
    const host = hosts.get(name) as SiteHost;
    const kind = ROBOTS[random.below(at === 0 ? ROBOTS.length - 2 : ROBOTS.length)] as RobotsKind;
    const hasRules = kind !== "missing" && !isUnreachable(kind);
    hosts.set(name, {
      ...host,
      robots: kind,
      robotsUrl: kind === "moved" ? `http://${anyOf(names)}/robots-of-${at}.txt` : host.robotsUrl,
      ...(hasRules ? {} : { forbids: false, crawlDelayMs: 0, sitemap: null }),
    });
  }
  const reached = names.filter((name) => !isUnreachable(hosts.get(name)?.robots ?? "plain"));
  for (const [at, name] of names.entries()) {
    const host = hosts.get(name) as SiteHost;
    if (host.sitemap === null) continue;
    const sitemap = `http://${anyOf(reached)}/sitemap-of-${at}.xml`;
    const isIndex = random.below(2) === 0;
    const sitemapList = isIndex ? `http://${anyOf(reached)}/sitemap-list-of-${at}.xml` : null;
    hosts.set(name, { ...host, sitemap, sitemapList });
  }
}

/** Whether nothing of a host may be fetched since its robots.txt cannot be had. */
export function isUnreachable(kind: RobotsKind): boolean {
  return kind === "broken" || kind === "mute";
}

function drawKind(random: Random): readonly [PageKind, string] {
  let left = random.below(SHARES);
  for (const [kind, prefix, share] of KINDS) {
    if (left < share) return [kind, prefix];
    left -= share;
  }
  return ["plain", "/p"];
}

/** Every page is linked by one that was drawn before, and there are links in all directions. */
function link(pages: readonly SitePage[], random: Random): void {
  const twins = pages.filter(({ kind }) => kind === "twin");
  const from = (page: SitePage, to: SitePage): void => {
    const sources = page.kind === "twin" ? twins : [page];
    for (const { links, images } of sources) (to.kind === "image" ? images : links).push(to.url);
  };
  const one = (list: readonly SitePage[]): SitePage => list[random.below(list.length)] as SitePage;
  for (const [at, page] of pages.entries()) {
    const earlier = pages.slice(0, at).filter(({ kind }) => LINKING.has(kind));
    if (page.kind !== "listed" && earlier.length > 0) from(one(earlier), page);
    const linked = pages.filter(({ kind }) => kind !== "listed" && kind !== "image");
    if (page.kind === "redirect") page.links.push(one(linked).url);
    else if (LINKING.has(page.kind) && random.below(2) === 0) from(page, one(linked));
  }
}

function webOf(hosts: ReadonlyMap<string, SiteHost>, pages: readonly SitePage[]): TableWeb {
  const table: Record<string, TableHost & { pages: Record<string, TablePage> }> = {};
  for (const { name, address } of hosts.values()) table[name] = { addresses: [address], pages: {} };
  const put = (url: string, page: TablePage | null): void => {
    const { hostname, pathname } = new URL(url);
    const host = table[hostname];
    if (page !== null && host !== undefined) host.pages[pathname] = page;
  };
  for (const host of hosts.values()) {
    const listed = pages.filter((page) => page.kind === "listed" && page.host === host.name);
    put(host.robotsUrl, { headers: [["Content-Type", "text/plain"]], body: robotsOf(host) });
    put(`http://${host.name}/robots.txt`, robotsAnswer(host));
    const { sitemap, sitemapList } = host;
    if (sitemap !== null) put(sitemapList ?? sitemap, sitemapOf(listed));
    if (sitemap !== null && sitemapList !== null) put(sitemap, indexOf(sitemapList));
  }
  for (const page of pages) put(page.url, answerOf(page));
  return new TableWeb(table);
}

/** Null for a file that is there. */
function robotsAnswer(host: SiteHost): TablePage | null {
  switch (host.robots) {
    case "missing":
      return { status: 404, reason: "Not Found", body: "no rules" };
    case "moved":
      return { status: 302, reason: "Found", headers: [["Location", host.robotsUrl]] };
    case "busy":
      return { body: robotsOf(host), first: [{ status: 503, reason: "Busy", body: "later" }] };
    case "broken":
      return { status: 500, reason: "Broken", body: "broken" };
    case "mute":
      return { oddity: "reset-before-head" };
    default:
      return null;
  }
}

function robotsOf({ forbids, crawlDelayMs, sitemap }: SiteHost): string {
  return [
    "User-agent: *",
    forbids ? "Disallow: /no/" : "Disallow:",
    ...(crawlDelayMs === 0 ? [] : [`Crawl-delay: ${crawlDelayMs / 1000}`]),
    ...(sitemap === null ? [] : [`Sitemap: ${sitemap}`]),
  ].join("\n");
}

function sitemapOf(pages: readonly SitePage[]): TablePage {
  const entries = pages.map(({ url }) => `<url><loc>${url}</loc></url>`).join("");
  const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
  const body = `<?xml version="1.0"?><urlset xmlns="${namespace}">${entries}</urlset>`;
  return { headers: [["Content-Type", "application/xml"]], body };
}

function indexOf(url: string): TablePage {
  const body = `<?xml version="1.0"?><sitemapindex><sitemap><loc>${url}</loc></sitemap></sitemapindex>`;
  return { headers: [["Content-Type", "application/xml"]], body };
}

/** Null for what is not there. */
function answerOf(page: SitePage): TablePage | null {
  const body = bodyOf(page);
  switch (page.kind) {
    case "missing":
      return null;
    case "redirect":
      return { status: 302, reason: "Found", headers: [["Location", page.links[0] ?? ""]] };
    case "busy":
      return { body, first: [{ status: 503, reason: "Busy", body: "later" }] };
    case "broken":
      return { status: 500, reason: "Broken", body: `broken ${page.url}` };
    case "mute":
      return { oddity: "reset-before-head" };
    case "image":
      return { headers: [["Content-Type", "image/png"]], body };
    default:
      return { body };
  }
}

function bodyOf({ url, kind, links, images }: SitePage): string {
  if (kind === "image") return `image ${url}`;
  const title = kind === "twin" ? "twins" : url;
  const robots = kind === "noarchive" ? '<meta name="robots" content="noarchive">' : "";
  const anchors = links.map((to) => `<a href="${to}">${to}</a>`);
  const shown = images.map((to) => `<img src="${to}">`);
  return `<title>${title}</title>${robots}<p>${title}</p>${anchors.join("\n")}${shown.join("\n")}`;
}
