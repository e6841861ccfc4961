/** A small random web for clusters: which URLs there are, and what each leads to. It never changes. */
import type { Random } from "../../base/seams/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";

export interface SmallWebOptions {
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly linksMax: number;
  readonly seeds: number;
}

export class SmallWeb {
  readonly urls: readonly string[];
  readonly seeds: readonly string[];
  readonly #links = new Map<string, readonly string[]>();

  constructor({ hosts, pagesPerHost, linksMax, seeds }: SmallWebOptions, random: Random) {
    this.urls = Array.from(
      { length: hosts * pagesPerHost },
      (_none, at) => `http://h${at % hosts}.example/${Math.floor(at / hosts)}`,
    );
    this.seeds = this.urls.slice(0, seeds);
    for (const [at, url] of this.urls.entries()) {
      // A chain through all of them, so that one seed leads to everything.
      const links = [this.urls[at + 1 + random.below(2)], this.urls[at + seeds]];
      for (let count = random.below(linksMax); count > 0; count -= 1) {
        links.push(this.urls[random.below(this.urls.length)]);
      }
      this.#links.set(
        url,
        links.filter((link) => link !== undefined),
      );
    }
  }

  linksOf(url: string): readonly string[] {
    return this.#links.get(url) ?? [];
  }

  /** Everything that these URLs lead to, within a depth, themselves included. */
  reachedFrom(
    seeds: Iterable<string>,
    depthMax: number = Number.POSITIVE_INFINITY,
  ): ReadonlySet<string> {
    const depths = new Map<string, number>();
    for (const seed of seeds) depths.set(seed, 0);
    for (const [url, depth] of depths) {
      if (depth >= depthMax) continue;
      for (const link of this.linksOf(url)) if (!depths.has(link)) depths.set(link, depth + 1);
    }
    return new Set(depths.keys());
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
