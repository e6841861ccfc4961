/**
 * What a crawl of a site must lead to, found from the site alone: which URLs are asked for and how often,
 * and what the archive has of each.
 */
import { isUnreachable, type Site, type SitePage } from "./agent-site.ts";

/** Further attempts after a failure that may be temporary. */
export const RETRIES = 2;

export type RecordKind = "response" | "metadata" | "none";

export interface ExpectedPage {
  readonly url: string;
  readonly page: SitePage;
  /** Links between it and the nearest seed; null for a requisite. */
  readonly depth: number | null;
  readonly requests: number;
  /** Of its last line; null if there was no answer. */
  readonly status: number | null;
  /** Twins other than the first have a revisit in place of a response. */
  readonly record: RecordKind;
  /** Whether it counts for the limit on pages. */
  readonly isCounted: boolean;
}

export interface TruthOptions {
  readonly depthMax: number | null;
  readonly hasSitemaps: boolean;
  readonly hasRequisites: boolean;
  readonly seeds: readonly string[];
}

/** By URL: all pages that are asked for, if nothing but the depth is limited. */
export function truthOf(site: Site, options: TruthOptions): Map<string, ExpectedPage> {
  return new Reach(site, options).run();
}

class Reach {
  readonly #site: Site;
  readonly #options: TruthOptions;
  readonly #depths = new Map<string, number>();
  readonly #waiting: [url: string, depth: number][] = [];
  readonly #hosts = new Set<string>();
  readonly #images = new Set<string>();

  constructor(site: Site, options: TruthOptions) {
    this.#site = site;
    this.#options = options;
  }

  run(): Map<string, ExpectedPage> {
    for (const seed of this.#options.seeds) this.#waiting.push([seed, 0]);
    for (;;) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#visit(...next);
    }
    const { pages } = this.#site;
    const reached = [...this.#depths.keys(), ...this.#images].filter((url) => this.#mayFetch(url));
    return new Map(
      reached.map((url) => {
        const page = expected(pages.get(url) as SitePage);
        return [url, { ...page, depth: this.#depths.get(url) ?? null }];
      }),
    );
  }

  #visit(url: string, depth: number): void {
    const { pages } = this.#site;
    const page = pages.get(url);
    if (page === undefined || (this.#depths.get(url) ?? Number.POSITIVE_INFINITY) <= depth) return;
    this.#depths.set(url, depth);
    this.#meet(page.host);
    if (!this.#mayFetch(url)) return;
    const { depthMax, hasRequisites } = this.#options;
    const below = page.kind === "redirect" ? depth : depth + 1;
    if (depthMax === null || below <= depthMax) {
      for (const link of page.links) this.#waiting.push([link, below]);
    }
    // What is not archived is not to be shown.
    if (!hasRequisites || page.kind === "noarchive") return;
    for (const image of page.images) {
      this.#images.add(image);
      this.#meet(pages.get(image)?.host ?? "");
    }
  }

  /** The robots.txt of a host is read before anything else of it. */
  #meet(host: string): void {
    if (this.#hosts.has(host)) return;
    this.#hosts.add(host);
    const { hosts, pages } = this.#site;
    const { sitemap = null, sitemapList = null } = hosts.get(host) ?? {};
    if (sitemap === null || !this.#options.hasSitemaps) return;
    for (const url of [sitemap, sitemapList]) if (url !== null) this.#meet(new URL(url).hostname);
    for (const page of pages.values()) {
      if (page.kind === "listed" && page.host === host) this.#waiting.push([page.url, 0]);
    }
  }

  #mayFetch(url: string): boolean {
    const { pages, hosts } = this.#site;
    const page = pages.get(url);
    const host = hosts.get(page?.host ?? "");
    if (page === undefined || host === undefined || isUnreachable(host.robots)) return false;
    return !(page.kind === "forbidden" && host.forbids);
  }
}

function expected(page: SitePage): Omit<ExpectedPage, "depth"> {
  const { url, kind } = page;
  const whole = { url, page, requests: 1, status: 200, record: "response" } as const;
  switch (kind) {
    case "noarchive":
      return { ...whole, record: "metadata", isCounted: true };
    case "unstored":
      return { ...whole, record: "none", isCounted: true };
    case "redirect":
      return { ...whole, status: 302, isCounted: false };
    case "missing":
      return { ...whole, status: 404, isCounted: false };
    case "busy":
      return { ...whole, requests: 2, isCounted: true };
    case "broken":
      return { ...whole, requests: RETRIES + 1, status: 500, isCounted: false };
    case "mute":
      return { ...whole, requests: RETRIES + 1, status: null, record: "none", isCounted: false };
    default:
      return { ...whole, isCounted: kind !== "image" };
  }
}
