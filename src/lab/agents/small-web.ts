/**
 * A small random web for clusters: which URLs there are, what each leads to, which hosts share an address,
 * and what their robots.txt files say. It never changes.
 *
 * A chain leads through all pages of the mainland, and other links lead anywhere, so that the shortest way
 * to a page is often found late. Islands are reached only from seeds that come late. Pages below `/no/` are
 * leaves that the robots.txt of their host, if it has one, disallows. If there are redirects, a fifth of the pages
 * of the mainland are nothing else, most of them to other hosts.
 */
import type { Random } from "../../base/seams/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";

export interface SmallWebOptions {
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly linksMax: number;
  readonly seeds: number;
  /** How many hosts share an address. */
  readonly hostsPerAddress: number;
  /** Whether some hosts have a robots.txt. */
  readonly robots: boolean;
  /** How many islands there are, each with a seed of its own. */
  readonly islands: number;
  /** Whether some pages redirect; none does unless given. */
  readonly redirects?: boolean;
}

/** What the robots.txt of a host says. */
interface Rules {
  readonly text: string;
  readonly crawlDelayMs: number;
}

const ISLAND_PAGES = 4;
const DISALLOWED = "/no/";

export class SmallWeb {
  readonly seeds: readonly string[];
  /** The seeds of the islands. */
  readonly lateSeeds: readonly string[];
  readonly #hosts: number;
  readonly #hostsPerAddress: number;
  readonly #links = new Map<string, readonly string[]>();
  readonly #rules = new Map<string, Rules>();
  readonly #redirects = new Set<string>();

  constructor(options: SmallWebOptions, random: Random) {
    const { hosts, pagesPerHost, seeds, islands, robots } = options;
    this.#hosts = hosts;
    this.#hostsPerAddress = options.hostsPerAddress;
    const pages = Array.from({ length: hosts * pagesPerHost }, (_none, at) =>
      this.#url(at, `/${Math.floor(at / hosts)}`),
    );
    this.seeds = pages.slice(0, seeds);
    this.lateSeeds = Array.from({ length: islands }, (_none, at) => this.#url(at, `/late${at}/0`));
    this.#linkMainland(pages, options, random);
    for (let island = 0; island < islands; island += 1) this.#linkIsland(island, pages, random);
    if (robots) this.#addRules(random.fork("robots"));
    if (options.redirects === true) this.#redirect(pages, random.fork("redirects"));
  }

  /** Whether the page is a redirect: it has one link, which is as near to a seed as the page. */
  isRedirect(url: string): boolean {
    return this.#redirects.has(url);
  }

  linksOf(url: string): readonly string[] {
    return this.#links.get(url) ?? [];
  }

  /** Some are longer than a piece in which pages are sent. */
  bodyOf(url: string): string {
    return `${url} `.repeat(1 + (fingerprintOf(url).low % 20));
  }

  addressOf(host: string): string {
    return `10.0.0.${Math.floor(Number(/\d+/.exec(host)?.[0] ?? 0) / this.#hostsPerAddress) + 1}`;
  }

  /** The robots.txt of a host; null if it has none. */
  robotsOf(host: string): string | null {
    return this.#rules.get(host)?.text ?? null;
  }

  /** What the robots.txt of a host asks for; 0 for nothing. */
  crawlDelayMsOf(host: string): number {
    return this.#rules.get(host)?.crawlDelayMs ?? 0;
  }

  isAllowed(url: string): boolean {
    return !(this.#rules.has(hostNameOf(url)) && url.includes(DISALLOWED));
  }

  /** Everything that these URLs lead to, within a depth, themselves included, by what robots.txt allows. */
  reachedFrom(seeds: Iterable<string>, depthMax: number | null): ReadonlySet<string> {
    const depths = new Map<string, number>();
    for (const seed of seeds) depths.set(seed, 0);
    for (const [url, depth] of depths) {
      const isRedirect = this.isRedirect(url);
      if (depthMax !== null && depth >= depthMax && !isRedirect) continue;
      const next = isRedirect ? depth : depth + 1;
      for (const link of this.linksOf(url)) {
        if ((depths.get(link) ?? Number.POSITIVE_INFINITY) <= next || !this.isAllowed(link))
          continue;
        // Once more, if a redirect makes the way shorter.
        depths.delete(link);
        depths.set(link, next);
      }
    }
    return new Set(depths.keys());
  }

  #url(at: number, path: string): string {
    return `http://h${at % this.#hosts}.example${path}`;
  }

  #linkMainland(
    pages: readonly string[],
    { linksMax, seeds, robots }: SmallWebOptions,
    random: Random,
  ): void {
    for (const [at, url] of pages.entries()) {
      // A chain through all of them, so that one seed leads to everything.
      const links = [pages[at + 1 + random.below(2)], pages[at + seeds]];
      for (let count = random.below(linksMax); count > 0; count -= 1) {
        links.push(pages[random.below(pages.length)]);
      }
      if (robots && random.below(5) === 0) links.push(this.#url(random.below(1000), DISALLOWED));
      this.#links.set(url, [...links.filter((link) => link !== undefined)]);
    }
  }

  #linkIsland(island: number, pages: readonly string[], random: Random): void {
    for (let page = 0; page < ISLAND_PAGES; page += 1) {
      const links =
        page + 1 < ISLAND_PAGES ? [this.#url(island + page + 1, `/late${island}/${page + 1}`)] : [];
      const mainland = pages[random.below(pages.length)];
      if (mainland !== undefined) links.push(mainland);
      this.#links.set(this.#url(island + page, `/late${island}/${page}`), links);
    }
  }

  #redirect(pages: readonly string[], random: Random): void {
    for (const url of pages) {
      const [target] = this.linksOf(url);
      if (target === undefined || random.below(5) > 0) continue;
      this.#redirects.add(url);
      this.#links.set(url, [target]);
    }
  }

  #addRules(random: Random): void {
    for (let host = 0; host < this.#hosts; host += 1) {
      if (random.below(3) === 0) continue;
      const crawlDelayMs = random.below(3) === 0 ? 700 : 0;
      const delay = crawlDelayMs === 0 ? "" : `Crawl-delay: ${crawlDelayMs / 1000}\n`;
      const text = `User-agent: *\nDisallow: ${DISALLOWED}\n${delay}`;
      this.#rules.set(`h${host}.example`, { text, crawlDelayMs });
    }
  }
}

export function hostNameOf(url: string): string {
  return url.slice("http://".length, url.indexOf("/", "http://".length));
}

export function ticketOf(url: string, depth: number): Ticket {
  return {
    ...{ url: url as FetchableUrl, ...fingerprintOf(url), depth, via: null },
    ...{ redirects: 0, priority: 0 },
  };
}

/** A fingerprint for small webs: any text has its own, nearly. */
function fingerprintOf(url: string): { readonly high: number; readonly low: number } {
  let high = 7;
  let low = 13;
  for (let at = 0; at < url.length; at += 1) {
    high = (Math.imul(high, 0x01000193) ^ url.charCodeAt(at)) >>> 0;
    low = (Math.imul(low, 0x5bd1e995) + url.charCodeAt(at) + 1) >>> 0;
  }
  return { high: Math.imul(high ^ (high >>> 15), 0x2c1b3c6d) >>> 0, low };
}
