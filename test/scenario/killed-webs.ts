/** Webs on which crawls are killed, each with the flags of a crawl that makes the most of it. */
import { linking } from "../support/agent/crawl-rig.ts";
import type { TableHost, TablePage } from "../support/lab/table-web.ts";

export interface KilledWeb {
  readonly name: string;
  readonly flags: readonly string[];
  /** Pages of each host beyond those that every web has. */
  readonly more?: (at: (path: string) => string) => Readonly<Record<string, TablePage>>;
  /** What the first page of each host also says. */
  readonly front?: string;
  /** What each host also is. */
  readonly host?: Partial<TableHost>;
  /** Fetched, and not in the archive. */
  readonly isUnstored?: (place: string) => boolean;
  /** Only so many pages are to be fetched. */
  readonly pagesMax?: number;
  /** Where each page has a row: in the files of the store, or in that of `--pages`. */
  readonly rows?: "store" | "pages";
}

export const HOSTS = 4;
const PAGES_PER_HOST = 14;

const text = (body: string): TablePage => ({ headers: [["Content-Type", "text/plain"]], body });
const xml = (body: string): TablePage => ({ headers: [["Content-Type", "application/xml"]], body });
const image = (body: string): TablePage => ({ headers: [["Content-Type", "image/png"]], body });
const moved = (to: string): TablePage => ({ status: 302, headers: [["Location", to]], body: "" });
/** The same path of the next host, or of another one. */
const elsewhere = (url: string, further = 1): string =>
  url.replace(/\/h(\d)/, (_, host) => `/h${(Number(host) + further + HOSTS) % HOSTS}`);
const set = (...settings: readonly string[]): string[] => settings.flatMap((one) => ["--set", one]);

export const KILLED_WEBS: readonly KilledWeb[] = [
  { name: "plain", flags: [] },
  { name: "with a depth limit", flags: ["--depth", "30"] },
  { name: "with a limit on pages", flags: ["-n", "60"], pagesMax: 60 },
  {
    name: "with sitemaps",
    flags: set("sitemaps=true"),
    more: (at) => ({
      "/robots.txt": moved(at("/robots-1.txt")),
      // Another host has the file itself.
      "/robots-1.txt": moved(elsewhere(at("/robots-2.txt"))),
      "/robots-2.txt": text(
        `User-agent: *\nDisallow: /no/\nSitemap: ${elsewhere(at("/index.xml"), -1)}\n`,
      ),
      "/index.xml": xml(
        `<sitemapindex><sitemap><loc>${at("/map.xml")}</loc></sitemap></sitemapindex>`,
      ),
      "/map.xml": xml(
        `<urlset>${["/a", "/b"].map((path) => `<url><loc>${at(path)}</loc></url>`).join("")}</urlset>`,
      ),
      "/a": linking("/c"),
      "/b": { body: "<p>only a sitemap leads here" },
      "/c": { body: `<p>a link from ${at("/a")}` },
    }),
  },
  {
    name: "with page requisites",
    flags: [...set("parse.requisites=true"), "--depth", "30"],
    front: "<img src=/one.png><link rel=stylesheet href=/site.css>",
    more: (at) => ({
      "/one.png": image(`one of ${at("/")}`),
      "/two.png": image(`two of ${at("/")}`),
      "/site.css": {
        headers: [["Content-Type", "text/css"]],
        body: "body{background:url(/two.png)}",
      },
    }),
  },
  {
    name: "with pages that are not to be stored",
    flags: set("filters.store=not PathEndsWithOneOf(/5,/6)"),
    isUnstored: (place) => /\/[56]$/.test(place),
  },
  {
    ...{ name: "in order of priority, with rows in a file", rows: "pages" },
    flags: set("frontier.traversal=priority"),
  },
  {
    name: "with aliases",
    flags: set("dns.aliases=true"),
    host: { dns: { aliases: ["all.test"] } },
  },
  {
    name: "with texts, and small archive files",
    flags: set("store.text=true", "parse.words=true", "store.refused=true", "store.warcSize=4Ki"),
  },
  {
    ...{ name: "into lines of JSON", rows: "store", isUnstored: () => true },
    flags: set("store.kind=jsonl", "store.warcSize=2Ki"),
  },
];

/** Hosts that link to each other; pages with the same body, redirects, pages that must not be archived or fetched. */
export function hostsOf(web: KilledWeb, port: number): Record<string, TableHost> {
  const hosts: Record<string, TableHost> = {};
  for (let number = 0; number < HOSTS; number += 1) {
    const name = `h${number}.test`;
    const at = (path: string): string => `http://${name}:${port}${path}`;
    const pages: Record<string, TablePage> = {
      "/robots.txt": text("User-agent: *\nDisallow: /no/\n"),
      "/same": { body: "<p>the same on all hosts" },
      "/moved": { status: 301, headers: [["Location", "/again"]], body: "" },
      "/again": { status: 302, headers: [["Location", "/hidden"]], body: "" },
      "/hidden": { body: `<p>only a redirect leads here, on ${name}` },
      "/private": { body: '<meta name="robots" content="noarchive"><a href="/secret">secret</a>' },
      "/secret": { body: `<p>only a page that is not archived leads here, on ${name}` },
    };
    for (let page = 0; page < PAGES_PER_HOST; page += 1) {
      const links = [2 * page + 1, 2 * page + 2]
        .filter((child) => child < PAGES_PER_HOST)
        .map((child) => `/${child}`);
      if (page % 4 === 0) links.push(`http://h${(number + 1) % HOSTS}.test:${port}/${page || ""}`);
      if (page === 3) links.push("/same", "/moved", "/private", "/no/entry");
      const { body } = linking(...links);
      const front = page === 0 ? (web.front ?? "") : "";
      pages[`/${page || ""}`] = { body: `${body}${front}<p>page ${page} of ${name}` };
    }
    hosts[name] = { ...web.host, pages: { ...pages, ...web.more?.(at) } };
  }
  return hosts;
}
