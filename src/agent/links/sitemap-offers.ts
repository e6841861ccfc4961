/**
 * Sitemaps: those that a robots.txt names, and those that an index among them names in turn. They may
 * lie outside of the scope on the host that names them, and what they list is as near as a seed.
 */
import { type FetchableUrl, hostOf, type ResolvedLink } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { FollowedLink } from "../../parse/page/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { CrawlScope } from "./crawl-scope.ts";
import type { LinkGate } from "./link-gate.ts";
import { NamedSitemaps, type SavedSitemap, type SitemapLevel } from "./named-sitemaps.ts";
import { SEED_PRIORITY, type Way } from "./offered-links.ts";

/** Sitemaps that one robots.txt may name; further ones are refused. */
const SITEMAPS_MAX = 200;

export interface SitemapOffersParts {
  readonly scope: CrawlScope;
  readonly gate: LinkGate;
  readonly counts: CrawlCounts;
  /** Whether links have priorities. */
  readonly isScored: boolean;
  /** What a text on this page leads to, or why it is not a URL to crawl. */
  readonly lead: (to: string, from: Pick<Ticket, "url" | "depth">) => FollowedLink | string;
  /** Makes a ticket. */
  readonly offer: (link: ResolvedLink, way: Way, priority: number) => void;
}

export class SitemapOffers {
  readonly #parts: SitemapOffersParts;
  readonly #named = new NamedSitemaps();

  constructor(parts: SitemapOffersParts) {
    this.#parts = parts;
  }

  /** Null unless a robots.txt or an index named this URL as a sitemap. */
  levelOf(ticket: Ticket): SitemapLevel | null {
    return this.#named.levelOf(ticket);
  }

  save(): readonly SavedSitemap[] {
    return this.#named.save();
  }

  restore(saved: readonly SavedSitemap[]): void {
    this.#named.restore(saved);
  }

  /** For a ticket that comes from another lane. */
  name(ticket: Ticket, level: SitemapLevel): void {
    this.#named.name(ticket, level);
  }

  forget(ticket: Ticket): void {
    this.#named.forget(ticket);
  }

  /** Those that the robots.txt at `via` names. */
  offerNamed(urls: readonly FetchableUrl[], via: FetchableUrl): void {
    const { counts, lead } = this.#parts;
    for (const url of urls.slice(0, SITEMAPS_MAX)) {
      const link = lead(url, { url: via, depth: 0 });
      const outcome = typeof link === "string" ? link : (this.#refusal(link, via) ?? link);
      if (typeof outcome === "string") counts.refuse(outcome, url, via);
      else this.#offer(outcome.resolved, 1, via);
    }
    if (urls.length > SITEMAPS_MAX) {
      counts.refused.add("sitemap-limit", urls.length - SITEMAPS_MAX);
    }
  }

  /** One that a sitemap of this level names. Whether it was offered. */
  take(link: FollowedLink, level: SitemapLevel, namedBy: FetchableUrl | null): boolean {
    const refusal = level === 1 ? this.#refusal(link, namedBy) : "sitemap-depth";
    if (refusal === null) this.#offer(link.resolved, 2, namedBy);
    else this.#parts.counts.refuse(refusal, link.href, namedBy);
    return refusal === null;
  }

  /** Where a sitemap redirects is one too. Why not, or null. */
  redirectRefusal(link: FollowedLink, ticket: Ticket, level: SitemapLevel): string | null {
    const refusal = this.#refusal(link, ticket.url);
    if (refusal === null) this.#named.name(link.resolved, level);
    return refusal;
  }

  /** It passes the gate like a link, but may lie outside the scope on the host that names it. */
  #refusal(link: FollowedLink, namedBy: FetchableUrl | null): string | null {
    const { scope, gate } = this.#parts;
    const isNear = namedBy !== null && hostOf(namedBy) === link.host;
    return gate.refusal(link, isNear || scope.has(link));
  }

  #offer(link: ResolvedLink, level: SitemapLevel, via: FetchableUrl | null): void {
    this.#named.name(link, level);
    const priority = this.#parts.isScored ? SEED_PRIORITY : 0;
    this.#parts.offer(link, { depth: 0, via, redirects: 0 }, priority);
  }
}
