/** A small random web: which URLs there are, and what each leads to. */
import type { Random } from "../../src/base/seams/index.ts";
import type { Resolution } from "../../src/frontier/front/index.ts";
import type { TraversalName } from "../../src/frontier/traversal/index.ts";
import { resolvedTo } from "../support/frontier/toy-crawl.ts";

export interface RandomLinksOptions {
  readonly traversal: TraversalName;
  readonly hosts: number;
  readonly pagesPerHost: number;
}

const LINKS_MAX = 4;
const WALKERS = 5;

export class RandomLinks {
  readonly urls: readonly string[];
  readonly seeds: readonly string[];
  /** Of every host. */
  readonly robots: string = "User-agent: *\nDisallow: /3";
  readonly #links = new Map<string, readonly string[]>();

  constructor({ traversal, hosts, pagesPerHost }: RandomLinksOptions, random: Random) {
    const urls = Array.from(
      { length: hosts * pagesPerHost },
      (_none, at) => `http://h${at % hosts}.example/${Math.floor(at / hosts)}`,
    );
    this.urls = urls;
    const isWalk = traversal === "random-walk";
    this.seeds = urls.slice(0, isWalk ? WALKERS : 3);
    for (const [at, url] of urls.entries()) {
      // A walk never comes to one ticket twice: each of its steps is a URL of its own.
      const next = isWalk ? [urls[at + WALKERS]] : this.#draw(urls, at, random);
      this.#links.set(
        url,
        next.filter((link) => link !== undefined),
      );
    }
  }

  of(url: string): readonly string[] {
    return this.#links.get(url) ?? [];
  }

  /** Every page has the same answer whenever it is asked for, but for passing failures. */
  statusOf(url: string): number {
    return this.urls.indexOf(url) % 7 === 4 ? 404 : 200;
  }

  /** Found again at another depth, a URL may be worth more. */
  priorityOf(url: string, depth: number): number {
    return ((url.length * 7 + url.charCodeAt(url.length - 1)) % 30) + 40 / (1 + depth);
  }

  /** One host in nine cannot be found. */
  resolution(host: string, addresses: number, nowMs: number): Resolution {
    const number = Number(/\d+/.exec(host)?.[0] ?? 0);
    if (number % 9 === 8) return { kind: "failed", code: "DNS_NOT_FOUND" };
    return resolvedTo([`address-${number % addresses}`], nowMs + 3000);
  }

  /** Everything that seeds lead to through pages that have lines, at its least depth. */
  reached(hasLine: (url: string) => boolean, depthMax: number): ReadonlyMap<string, number> {
    const depths = new Map(this.seeds.map((url) => [url, 0]));
    for (const [url, depth] of depths) {
      if (!hasLine(url) || depth >= depthMax) continue;
      for (const link of this.of(url)) if (!depths.has(link)) depths.set(link, depth + 1);
    }
    return depths;
  }

  #draw(urls: readonly string[], at: number, random: Random): (string | undefined)[] {
    // A chain through all URLs, so that there is always something left to find.
    const links = [urls[at + 2 + random.below(3)]];
    for (let count = random.below(LINKS_MAX); count > 0; count -= 1) {
      links.push(urls[random.below(urls.length)]);
    }
    return links;
  }
}
