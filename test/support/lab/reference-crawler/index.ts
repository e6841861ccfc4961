/**
 * A crawler that is correct and nothing more: one request after the other, level by level, in
 * process. It is written from the standards alone (parse5, the platform's URL, a plain reading of
 * robots.txt), so that it shares no mistakes with the truth of a synthetic web. Only the key of a
 * URL is the project's own.
 *
 * A *strict* one takes nothing from an answer that is not quite right; a *forgiving* one takes all
 * it can get. Both are right, and the truth must allow for either.
 */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { keyOf, parseUrl, type UrlKey } from "../../../../src/formats/url/index.ts";
import type { SyntheticWeb, TruthRules, WebResponse } from "../../../../src/lab/simweb/index.ts";
import type { Oddity } from "../../../../src/lab/simweb/web/synthetic-web.ts";
import { decodeBody, type FoundLink, type ReadPage, readPage, valuesOf } from "./page.ts";
import { ALL_ALLOWED, type PlainRobots, plainRobots } from "./robots.ts";

export interface CrawledPage {
  readonly key: UrlKey;
  readonly depth: number;
  readonly outcome: "page" | "redirect" | "error" | "failed" | "unresolved";
  readonly fetches: number;
  readonly isNoarchive: boolean;
  /** Of the decoded body, where there is one. */
  readonly digest: string;
  readonly links: readonly (FoundLink & { readonly key: UrlKey })[];
}

export interface ReferenceOptions {
  readonly rules: TruthRules;
  readonly token: string;
  readonly isForgiving: boolean;
}

interface Found {
  readonly url: string;
  readonly redirects: number;
}

const ROBOTS_REDIRECTS_MAX = 5;
const ACCEPT: readonly [string, string] = ["Accept-Encoding", "gzip, deflate, br, zstd"];

const NO_ANSWER: ReadonlySet<Oddity> = new Set<Oddity>([
  "reset-before-head",
  "close-before-head",
  "huge-header",
  "garbage",
]);
const STRICTLY_NO_ANSWER: ReadonlySet<Oddity> = new Set<Oddity>([
  "many-interim",
  "folded-header",
  "bare-newlines",
  "http-0.9",
]);
const WHOLE: ReadonlySet<Oddity> = new Set<Oddity>(["chunked", "no-length-close"]);

export class ReferenceCrawler {
  readonly pages: Map<UrlKey, CrawledPage> = new Map();
  readonly #web: SyntheticWeb;
  readonly #options: ReferenceOptions;
  readonly #robots = new Map<string, PlainRobots | null>();
  readonly #scope: URL[] = [];
  readonly #tries = new Map<string, number>();
  #level: Found[] = [];
  #next: Found[] = [];
  #depth = 0;

  constructor(web: SyntheticWeb, options: ReferenceOptions) {
    this.#web = web;
    this.#options = options;
  }

  run(): ReadonlyMap<UrlKey, CrawledPage> {
    for (const seed of this.#options.rules.seeds) {
      this.#scope.push(new URL(seed));
      this.#level.push({ url: seed, redirects: 0 });
    }
    while (this.#level.length > 0 && !this.#isTooDeep(this.#depth)) {
      for (let at = 0; at < this.#level.length; at += 1) {
        const found = this.#level[at];
        if (found !== undefined) this.#visit(found);
      }
      this.#depth += 1;
      this.#level = this.#next;
      this.#next = [];
    }
    return this.pages;
  }

  #isTooDeep(depth: number): boolean {
    const { depthMax } = this.#options.rules;
    return depthMax !== null && depth > depthMax;
  }

  #visit({ url, redirects }: Found): void {
    const key = this.#keyOf(url);
    if (key === null || this.pages.has(key) || !this.#isWanted(new URL(url))) return;
    const { outcome, response, fetches } = this.#fetch(url);
    const page = { key, depth: this.#depth, outcome, fetches };
    const nothing = { isNoarchive: false, digest: "", links: [] };
    this.pages.set(key, { ...page, ...nothing });
    if (response === null) return;
    if (outcome === "redirect") this.#redirect(url, response, redirects);
    if (outcome !== "page") return;
    const body = decodeBody(response.body, response.headers);
    const digest = createHash("sha1")
      .update(body ?? response.body)
      .digest("hex");
    const read = this.#read(url, response, body);
    const links = (read?.links ?? []).flatMap((link) => {
      const to = this.#keyOf(link.url);
      return to === null ? [] : [{ ...link, key: to }];
    });
    this.pages.set(key, { ...page, isNoarchive: read?.isNoarchive ?? false, digest, links });
    if (read !== null) this.#follow(read);
  }

  #follow({ links, isNofollow }: ReadPage): void {
    const { rules } = this.#options;
    const isObeyed = rules.nofollow === "obey";
    if (isObeyed && isNofollow) return;
    const kinds = new Set<string>(rules.linkKinds);
    for (const link of links.slice(0, rules.linksPerPageMax)) {
      if (kinds.has(link.kind) && !(isObeyed && link.isNofollow)) {
        this.#next.push({ url: link.url, redirects: 0 });
      }
    }
  }

  #redirect(from: string, response: WebResponse, redirects: number): void {
    const [location] = valuesOf(response.headers, "location");
    const target = location === undefined ? null : URL.parse(location, from);
    const { rules } = this.#options;
    if (target === null || target.protocol !== "http:" || redirects >= rules.redirectsMax) return;
    target.hash = "";
    const key = this.#keyOf(from);
    // A redirect to another URL of the same page is still on its way to the page.
    if (key !== null && key === this.#keyOf(target.href) && target.href !== from) {
      this.pages.delete(key);
    }
    const isOfSeed = this.#scope.some((one) => one.href === new URL(from).href);
    if (isOfSeed) this.#scope.push(target);
    const found = { url: target.href, redirects: redirects + 1 };
    if (rules.redirectsAreSteps) this.#next.push(found);
    else this.#level.push(found);
  }

  #read(url: string, response: WebResponse, body: Uint8Array | null): ReadPage | null {
    const { isForgiving, token } = this.#options;
    const { oddity, headers } = response;
    if (!isForgiving && (body === null || (oddity !== null && !WHOLE.has(oddity)))) return null;
    const type = (valuesOf(headers, "content-type")[0] ?? "").toLowerCase();
    const bytes = body ?? response.body;
    const looksLikeIt = /^\s*(?:<!doctype html|<html)/i.test(Buffer.from(bytes).toString("latin1"));
    const isHtml = type.startsWith("text/html") || (isForgiving && looksLikeIt);
    return isHtml ? readPage(bytes, headers, { url, token }) : null;
  }

  /** Asks until there is an answer, or the tries are used up. */
  #fetch(url: string): {
    outcome: CrawledPage["outcome"];
    response: WebResponse | null;
    fetches: number;
  } {
    const { rules } = this.#options;
    if (!this.#isResolved(new URL(url).hostname)) {
      return { outcome: "unresolved", response: null, fetches: 0 };
    }
    for (let fetches = 1; ; fetches += 1) {
      const response = this.#ask(url);
      const isLast = fetches > rules.retries;
      if (this.#isNoAnswer(response)) {
        if (isLast) return { outcome: "failed", response: null, fetches };
      } else if ((response.status !== 429 && response.status !== 503) || isLast) {
        return { outcome: outcomeOf(response.status), response, fetches };
      }
    }
  }

  #isNoAnswer({ oddity }: WebResponse): boolean {
    if (oddity === null) return false;
    return NO_ANSWER.has(oddity) || (!this.#options.isForgiving && STRICTLY_NO_ANSWER.has(oddity));
  }

  #ask(url: string): WebResponse {
    const { hostname, pathname, search } = new URL(url);
    const name = `${hostname} ${pathname}${search}`;
    const earlierTries = this.#tries.get(name) ?? 0;
    this.#tries.set(name, earlierTries + 1);
    const target = pathname + search;
    return this.#web.respond({
      host: hostname,
      method: "GET",
      target,
      headers: [ACCEPT],
      earlierTries,
    });
  }

  #isResolved(hostname: string): boolean {
    const dns = this.#web.hostNamed(hostname)?.dns;
    if (dns === undefined) return false;
    if (dns.failure === "none" || dns.failingTries > 0) return true;
    return dns.failure === "truncated" && this.#options.isForgiving;
  }

  #isWanted(url: URL): boolean {
    if (!this.#isInScope(url)) return false;
    if (this.#options.rules.robots === "ignore" || !this.#isResolved(url.hostname)) return true;
    const robots = this.#robotsOf(url.origin);
    return robots !== null && this.#isUnhurried(robots) && robots.allows(url.pathname + url.search);
  }

  #isUnhurried({ crawlDelaySeconds }: PlainRobots): boolean {
    const { crawlDelayMaxMs, crawlDelayOver } = this.#options.rules;
    return crawlDelayOver === "cap" || crawlDelaySeconds * 1000 <= crawlDelayMaxMs;
  }

  #robotsOf(origin: string): PlainRobots | null {
    const known = this.#robots.get(origin);
    if (known !== undefined) return known;
    const robots = this.#askForRobots(`${origin}/robots.txt`);
    this.#robots.set(origin, robots);
    return robots;
  }

  /** Null when it cannot be fetched, and everything counts as closed. */
  #askForRobots(first: string): PlainRobots | null {
    let url = first;
    for (let redirects = 0; redirects <= ROBOTS_REDIRECTS_MAX; redirects += 1) {
      const { outcome, response } = this.#fetch(url);
      if (response === null || (outcome === "error" && response.status >= 500)) return null;
      if (outcome === "error") return ALL_ALLOWED;
      if (outcome === "page") return this.#readRobots(response.body);
      url = new URL(valuesOf(response.headers, "location")[0] ?? "", url).href;
    }
    return ALL_ALLOWED;
  }

  #readRobots(body: Uint8Array): PlainRobots {
    const robots = plainRobots(body, this.#options.token);
    for (const url of this.#options.rules.sitemaps ? robots.sitemaps : []) this.#readSitemap(url);
    return robots;
  }

  #readSitemap(url: string): void {
    const { response } = this.#fetch(url);
    if (response === null) return;
    const bytes = url.endsWith(".gz") ? gunzipSync(response.body) : response.body;
    const text = Buffer.from(bytes).toString();
    for (const [, location = ""] of text.matchAll(/<loc>(.*?)<\/loc>/g)) {
      const listed = location.replaceAll("&amp;", "&");
      if (text.includes("<sitemapindex")) this.#readSitemap(listed);
      else this.#level.push({ url: listed, redirects: 0 });
    }
  }

  #isInScope(url: URL): boolean {
    const { scope } = this.#options.rules;
    if (scope === "any") return true;
    return this.#scope.some((seed) => {
      if (scope === "domain") return domainOf(seed) === domainOf(url);
      if (scope === "host") return nameOf(seed) === nameOf(url);
      if (scope === "page") return this.#keyOf(seed.href) === this.#keyOf(url.href);
      const folder = pathOf(seed).replace(/[^/]*$/, "");
      return nameOf(seed) === nameOf(url) && pathOf(url).startsWith(folder);
    });
  }

  #keyOf(url: string): UrlKey | null {
    const parsed = parseUrl(url);
    return parsed.kind === "accepted" ? keyOf(parsed.url, this.#options.rules.url) : null;
  }
}

/** The dot of the root names the same host. */
function nameOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

function pathOf(url: URL): string {
  return decodeURI(url.pathname);
}

/** All names of these webs are under one top-level domain of a single label. */
function domainOf(url: URL): string {
  return nameOf(url).split(".").slice(-2).join(".");
}

function outcomeOf(status: number): "page" | "redirect" | "error" {
  if (status >= 200 && status < 300) return "page";
  return status >= 300 && status < 400 ? "redirect" : "error";
}
