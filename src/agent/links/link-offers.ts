/**
 * From the links of a page to tickets for the frontier: each link is resolved, passes the gate, is
 * scored and becomes a ticket. Seeds, redirects and the entries of sitemaps take the same path. A
 * refused link is counted by its reason and otherwise forgotten. In a random walk only one link of a
 * page becomes a ticket: the walker chooses among those that passed.
 *
 * The tickets of a page go into the caller's list, which units take on to the seen test and the sieve;
 * those of nobody's page are delivered there at once.
 */

import { hopVerdict } from "../../fetch/client/index.ts";
import {
  type FetchableUrl,
  hostOf,
  type LinkResolver,
  type ResolvedLink,
  type UrlRefusal,
} from "../../formats/url/index.ts";
import type { ExpandErrand } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import {
  FollowedLink,
  isRequisite,
  LinkFollower,
  type LinkTaker,
  type ParsedPage,
} from "../../parse/page/index.ts";
import { FetchableView, type LinkView } from "../../rules/filter/index.ts";
import type { Score } from "../../rules/score/index.ts";
import type { CrawlCounts } from "../crawl/crawl-counts.ts";
import { SeedTrails } from "../seeds/seed-trails.ts";
import type { CrawlScope, ScopedUrl } from "./crawl-scope.ts";
import type { LinkGate } from "./link-gate.ts";
import type { RememberedPage } from "./link-memory.ts";
import { NamedSitemaps, type SitemapLevel } from "./named-sitemaps.ts";
import type { RandomWalk } from "./random-walk.ts";

export interface LinkOffersParts {
  readonly resolver: LinkResolver;
  readonly scope: CrawlScope;
  readonly gate: LinkGate;
  /** Called with tickets that no page on its way leads to: seeds, sitemaps, remembered links. */
  readonly deliver: (tickets: Ticket[]) => void;
  readonly counts: CrawlCounts;
  readonly redirectsMax: number;
  /** Whether links are handed back to be remembered: only with a depth limit. */
  readonly remembers: boolean;
  /** The kinds of links that are followed where requisites are taken too; null where they are not. */
  readonly besideRequisites: ReadonlySet<string> | null;
  /** Null unless the traversal is by priority. */
  readonly score: Score | null;
  /** Null unless the traversal is a random walk. */
  readonly walk: RandomWalk | null;
}

/** Sitemaps that one robots.txt may name; further ones are refused. */
const SITEMAPS_MAX = 200;

/** Seeds are in the best band. */
const SEED_PRIORITY = 64;

/**
 * How many steps beyond its page a requisite may be. Real designs nest
 * imported style sheets two or three deep; a chain that never ends is a trap.
 */
const REQUISITE_STEPS_MAX = 5;

/** How a URL was reached. */
type Way = Pick<Ticket, "depth" | "via" | "redirects" | "requisite">;
type Scored = Pick<Ticket, "url" | "high" | "low" | "depth" | "via">;

/** A page that was fetched, with its links. */
export interface LinkedPage {
  readonly ticket: Ticket;
  readonly parsed: ParsedPage;
  /** Where its `Refresh` header leads. */
  readonly refresh: FetchableUrl | null;
  /** False when only its requisites count. */
  readonly isFollowed: boolean;
  /** False for a page that is not kept whole, so that nothing is needed to show it. */
  readonly isShown: boolean;
  /** Takes every link that is a URL, whether or not it may be followed; null if nobody wants them. */
  readonly found: FollowedLink[] | null;
}

export class LinkOffers implements LinkTaker {
  readonly #parts: LinkOffersParts;
  readonly #follower: LinkFollower;
  readonly #trails = new SeedTrails();
  readonly #sitemaps = new NamedSitemaps();
  /** The page whose links are being followed, and the level of the sitemap that it is, if any. */
  #page: FetchableUrl | null = null;
  /** Where the tickets go. */
  #tickets: Ticket[] = [];
  #found: FollowedLink[] | null = null;
  #level: SitemapLevel | null = null;
  #offered = 0;
  #remembered: string[] = [];
  /** Whether that page is a requisite itself: its links are only remembered. */
  #isRequisite = false;
  #isFollowed = true;
  /** How many steps beyond a page its requisites are; 0 when they are not wanted. */
  #steps = 0;
  #requisites: string[] = [];
  readonly #requisiteTaker: LinkTaker = {
    take: (link) => this.#takeRequisite(link),
    refused: () => {},
  };

  constructor(parts: LinkOffersParts) {
    this.#parts = parts;
    this.#follower = new LinkFollower(parts.resolver);
  }

  /**
   * Seeds are inside every scope, and of the limits only that on ports applies to them, for safety.
   * Returns why the seed is refused; null when it was offered.
   */
  offerSeed(url: FetchableUrl): string | null {
    const { resolver, scope, gate, score, walk } = this.#parts;
    scope.add(url);
    const isOpen = url.startsWith("file:") || gate.mayUsePort(new FetchableView(url));
    const seed = isOpen ? resolver.resolve(url, resolver.base(url)) : "port";
    if (typeof seed === "string") return seed;
    if (walk !== null) walk.addSeed(seed.url);
    else {
      if (!scope.isUnbounded) this.#trails.begin(seed);
      const priority = score === null ? 0 : SEED_PRIORITY;
      this.#deliver(() => this.#offer(seed, { depth: 0, via: null, redirects: 0 }, priority));
    }
    return null;
  }

  /**
   * Offers the sitemaps that a robots.txt names, if they are on its own host or inside the scope;
   * `via` is the robots.txt at its origin, whatever it redirects to.
   */
  offerSitemaps(urls: readonly FetchableUrl[], via: FetchableUrl): void {
    const { counts } = this.#parts;
    this.#deliver(() => {
      for (const url of urls.slice(0, SITEMAPS_MAX)) {
        const link = this.#lead(url, { url: via, depth: 0 });
        const outcome = typeof link === "string" ? link : (this.#sitemapRefusal(link, via) ?? link);
        if (typeof outcome === "string") counts.refused.add(outcome);
        else this.#offerSitemap(outcome.resolved, 1, via);
      }
    });
    if (urls.length > SITEMAPS_MAX) {
      counts.refused.add("sitemap-limit", urls.length - SITEMAPS_MAX);
    }
  }

  /** Whether requisites are offered too. */
  get takesRequisites(): boolean {
    return this.#parts.besideRequisites !== null;
  }

  /** Whether a robots.txt or an index named this URL as a sitemap. */
  isSitemap(ticket: Ticket): boolean {
    return this.#sitemaps.levelOf(ticket) !== null;
  }

  /** Puts tickets for the links of a page into the list. */
  offerLinks(linked: LinkedPage, tickets: Ticket[]): OfferedLinks {
    const { walk } = this.#parts;
    const { ticket, parsed, refresh, isFollowed, isShown, found } = linked;
    this.#tickets = tickets;
    this.#found = found;
    this.#page = ticket.url;
    this.#level = parsed.parser === "sitemap" ? this.#sitemaps.levelOf(ticket) : null;
    this.#offered = 0;
    this.#remembered = [];
    this.#isFollowed = isFollowed;
    this.#beginRequisites(ticket, parsed.parser, isShown);
    const page = refresh === null ? parsed : withRefresh(parsed, refresh);
    // What a sitemap lists is as near as a seed.
    const depth = this.#level === null ? ticket.depth : -1;
    if (!this.#isRequisite) this.#tellScore(ticket, page.links.length);
    this.#refuseLong(parsed.linksTooLong);
    walk?.arrive(ticket);
    const links = { url: ticket.url, depth, parsed: page };
    // Before the links: a URL that is both is then fetched even when no more pages are wanted.
    if (this.takesRequisites) this.#follower.follow(links, this.#requisiteTaker);
    this.#follower.follow(links, this);
    this.#goOn(ticket, false);
    const requisites = this.#requisites;
    const isSheet = parsed.parser === "css";
    return { offered: this.#offered, remembered: this.#remembered, requisites, isSheet };
  }

  /** The links of a page none of which is followed. */
  readLinks({ ticket, parsed, found }: Pick<LinkedPage, "ticket" | "parsed" | "found">): void {
    if (found === null) return;
    const { url, depth } = ticket;
    const taker = { take: (link: FollowedLink) => void found.push(link), refused: () => {} };
    this.#follower.follow({ url, depth, parsed }, taker);
  }

  take(link: FollowedLink): void {
    const { gate, counts, remembers, score } = this.#parts;
    this.#found?.push(link);
    if (this.#level !== null && link.rel === "sitemap") {
      counts.links += 1;
      this.#takeSitemap(link);
      return;
    }
    if (!this.#isFollowed || (this.takesRequisites && !this.#leadsToPage(link))) return;
    const refusal = gate.refusal(link);
    if (this.#isRequisite) {
      if (refusal === null) this.#remembered.push(link.href);
      return;
    }
    counts.links += 1;
    if (refusal !== null) {
      counts.refused.add(refusal);
      if (refusal === "scope") this.#keepWaiting(link);
      return;
    }
    if (remembers) this.#remembered.push(link.href);
    if (gate.reaches(link.depth)) {
      this.#offered += 1;
      const priority = score === null ? 0 : score.priorityOf(link);
      const way = { depth: link.depth, via: this.#page, redirects: 0 };
      this.#offer(link.resolved, way, priority);
    } else counts.refused.add("depth");
  }

  refused(reason: UrlRefusal): void {
    if (this.#isRequisite) return;
    this.#parts.counts.links += 1;
    this.#parts.counts.refused.add(reason);
  }

  /** Links that are too long even to be read. */
  #refuseLong(links: number): void {
    if (links === 0 || this.#isRequisite) return;
    this.#parts.counts.links += links;
    this.#parts.counts.refused.add("url-too-long", links);
  }

  /** The same for the target of a redirect, which is as far from the seeds as the page itself. */
  offerRedirect(to: FetchableUrl, ticket: Ticket, tickets: Ticket[]): OfferedLinks {
    const { counts, redirectsMax, remembers, score, walk } = this.#parts;
    this.#tickets = tickets;
    const { url, depth } = ticket;
    const hop = hopVerdict({ from: url, to, redirects: ticket.redirects, redirectsMax });
    if ((ticket.requisite ?? 0) > 0 && hop.kind !== "refused") {
      return this.#redirectRequisite(to, ticket, hop.redirects);
    }
    const link = hop.kind === "refused" ? hop.reason : this.#redirectLink(to, ticket);
    if (typeof link === "string" || hop.kind === "refused") {
      counts.refused.add(String(link));
      return NO_LINKS;
    }
    this.#tellScore(ticket, 1);
    walk?.arrive(ticket);
    const way = { depth, via: url, redirects: hop.redirects };
    this.#offer(link.resolved, way, score?.priorityOf(link) ?? 0);
    this.#goOn(ticket, true);
    return { ...NO_LINKS, offered: 1, remembered: remembers ? [to] : [] };
  }

  /**
   * Offers the remembered links of a page that turned out to be nearer to a seed, or of a requisite
   * that turned out to be a page, or nearer to one.
   */
  offerAgain(page: RememberedPage, errand: ExpandErrand): void {
    this.#deliver(() => this.#offerAgain(page, errand));
  }

  #offerAgain(page: RememberedPage, { high, low, depth: better, requisite }: ExpandErrand): void {
    const { gate, score } = this.#parts;
    const { links } = page;
    const url = page.url as FetchableUrl;
    const depth = better ?? page.depth;
    const isRedirect = page.redirects >= 0;
    if (requisite === 0 || isRedirect || page.isSheet) {
      this.#offerRequisitesAgain(page, isRedirect ? requisite : requisite + 1);
    }
    if (requisite > 0) return;
    const way = wayFrom(page, depth);
    if (!gate.reaches(way.depth)) return;
    this.#tellScore({ url, high, low, depth, via: url }, links.length);
    for (const text of links) {
      // The text and kind of the link are no longer known.
      const link = this.#lead(text, { url, depth: way.depth });
      if (typeof link !== "string") this.#offer(link.resolved, way, score?.priorityOf(link) ?? 0);
    }
  }

  #offerRequisitesAgain(page: RememberedPage, steps: number): void {
    const { resolver } = this.#parts;
    if (steps === 0 || steps > REQUISITE_STEPS_MAX) return;
    const way: Way = { ...wayFrom(page, page.depth), requisite: steps };
    const base = resolver.base(page.url as FetchableUrl);
    for (const text of page.requisites) {
      const link = resolver.resolve(text, base);
      if (typeof link !== "string") this.#offer(link, way, 0);
    }
  }

  /** Among requisites, only style sheets have requisites of their own. */
  #beginRequisites({ requisite = 0 }: Ticket, parser: string, isShown: boolean): void {
    this.#isRequisite = requisite > 0;
    this.#requisites = [];
    const isRead = requisite === 0 ? isShown : parser === "css";
    this.#steps = isRead ? requisite + 1 : 0;
  }

  /**
   * Whether a link leads to a page. Most links to requisites do not, but if `parse.links` lists
   * images they count as pages, where the gate lets them pass.
   */
  #leadsToPage(link: FollowedLink): boolean {
    const { gate, besideRequisites } = this.#parts;
    if (besideRequisites?.has(link.kind) !== true) return false;
    if (!isRequisite(link)) return true;
    return link.kind !== "link" && gate.refusal(link) === null && gate.reaches(link.depth);
  }

  #takeRequisite(link: FollowedLink): void {
    const { gate, counts } = this.#parts;
    if (!isRequisite(link) || this.#leadsToPage(link)) return;
    counts.links += 1;
    const refusal = gate.requisiteRefusal(link);
    if (refusal !== null) {
      counts.refused.add(refusal);
      return;
    }
    if (this.#isRequisite) this.#requisites.push(link.href);
    const requisite = this.#steps;
    if (requisite > REQUISITE_STEPS_MAX) counts.refused.add("requisite-depth");
    else if (requisite > 0) {
      const way = { depth: link.depth, via: this.#page, redirects: 0, requisite };
      this.#offer(link.resolved, way, 0);
    }
  }

  /** The target of a redirected requisite is one too, as far from the page. */
  #redirectRequisite(to: FetchableUrl, ticket: Ticket, redirects: number): OfferedLinks {
    const { gate, counts } = this.#parts;
    const { url: via, depth, requisite = 0 } = ticket;
    const link = this.#lead(to, ticket);
    const outcome = typeof link === "string" ? link : (gate.requisiteRefusal(link) ?? link);
    if (typeof outcome === "string") {
      counts.refused.add(outcome);
      return NO_LINKS;
    }
    this.#offer(outcome.resolved, { depth, via, redirects, requisite }, 0);
    const remembered = gate.refusal(outcome) === null ? [to] : [];
    return { offered: 1, remembered, requisites: [to], isSheet: false };
  }

  /** All that a page leads to has been offered. */
  ended(ticket: Ticket): void {
    this.#trails.end(ticket);
    this.#sitemaps.forget(ticket);
  }

  /** The redirect as a link that may be followed, or why it is not. */
  #redirectLink(to: FetchableUrl, ticket: Ticket): FollowedLink | string {
    const { gate, scope } = this.#parts;
    const link = this.#lead(to, ticket);
    if (typeof link === "string") return link;
    const level = this.#sitemaps.levelOf(ticket);
    if (level !== null) {
      const sitemapRefusal = this.#sitemapRefusal(link, ticket.url);
      if (sitemapRefusal === null) this.#sitemaps.name(link.resolved, level);
      return sitemapRefusal ?? link;
    }
    if (this.#isOnTrail(ticket)) {
      if (this.#parts.walk === null) this.#trails.begin(link.resolved);
      if (scope.add(link.href)) this.#offerWaiting(scope.groupOf(link));
    }
    const gateRefusal = gate.refusal(link);
    if (gateRefusal === "scope") this.#keepWaiting(link);
    return gateRefusal ?? link;
  }

  /** Where a page leads without a link that is written in it, or why that is not a URL to crawl. */
  #lead(to: string, { url, depth }: Pick<Ticket, "url" | "depth">): FollowedLink | UrlRefusal {
    const { resolver } = this.#parts;
    const resolved = resolver.resolve(to, resolver.base(url));
    if (typeof resolved === "string") return resolved;
    const origin = { source: new FetchableView(url), depth, isNofollow: false };
    return new FollowedLink(resolved, origin, REDIRECT);
  }

  /** Whether only redirects lie between a seed and this page; in a random walk the depth tells. */
  #isOnTrail(ticket: Ticket): boolean {
    return this.#parts.walk === null ? this.#trails.has(ticket) : ticket.depth === 0;
  }

  #keepWaiting(link: FollowedLink): void {
    if (this.#trails.isOpen) this.#trails.keep(this.#parts.scope.groupOf(link), link);
  }

  /** The scope has grown: links that waited for that are offered. */
  #offerWaiting(group: string): void {
    const { scope, gate, counts } = this.#parts;
    for (const link of this.#trails.take(group, (one) => scope.has(one))) {
      counts.refused.add("scope", -1);
      const refusal = gate.refusal(link) ?? (gate.reaches(link.depth) ? null : "depth");
      if (refusal !== null) counts.refused.add(refusal);
      else {
        const priority = this.#parts.score?.priorityOf(link) ?? 0;
        const way = { depth: link.depth, via: link.source?.href ?? null, redirects: 0 };
        this.#offer(link.resolved, way, priority);
      }
    }
  }

  /** An index may name sitemaps of its own host, and others inside the scope. */
  #takeSitemap(link: FollowedLink): void {
    const { counts } = this.#parts;
    const refusal = this.#level === 1 ? this.#sitemapRefusal(link, this.#page) : "sitemap-depth";
    if (refusal === null) {
      this.#offered += 1;
      this.#offerSitemap(link.resolved, 2, this.#page);
    } else counts.refused.add(refusal);
  }

  /** A sitemap passes the gate like a link, but may lie outside the scope on the host that names it. */
  #sitemapRefusal(link: LinkView & ScopedUrl, namedBy: FetchableUrl | null): string | null {
    const { scope, gate } = this.#parts;
    const isNear = namedBy !== null && hostOf(namedBy) === link.host;
    return gate.refusal(link, isNear || scope.has(link));
  }

  #offerSitemap(link: ResolvedLink, level: SitemapLevel, via: FetchableUrl | null): void {
    this.#sitemaps.name(link, level);
    const priority = this.#parts.score === null ? 0 : SEED_PRIORITY;
    this.#offer(link, { depth: 0, via, redirects: 0 }, priority);
  }

  #tellScore({ url, high, low, depth, via }: Scored, links: number): void {
    this.#parts.score?.pageFetched?.({ url, high, low, depth, isSeed: via === null, links });
  }

  #offer({ url, high, low }: ResolvedLink, way: Way, priority: number): void {
    const { walk } = this.#parts;
    const { depth, via, redirects, requisite = 0 } = way;
    if (walk !== null) {
      walk.consider(url, way);
      return;
    }
    const page = { url, high, low, depth, via, redirects, priority };
    this.#tickets.push(requisite === 0 ? page : { ...page, requisite });
  }

  #goOn(ticket: Ticket, isRedirect: boolean): void {
    const next = this.#parts.walk?.goOn(ticket, isRedirect) ?? null;
    if (next !== null) this.#tickets.push(next);
  }

  /** What was offered before an exception counts. */
  #deliver(offer: () => void): void {
    const tickets: Ticket[] = [];
    this.#tickets = tickets;
    try {
      offer();
    } finally {
      this.#parts.deliver(tickets);
    }
  }
}

export interface OfferedLinks {
  readonly offered: number;
  readonly remembered: readonly string[];
  /** What a requisite needs itself, to be remembered too. */
  readonly requisites: readonly string[];
  /** Whether what offers them is a style sheet. */
  readonly isSheet: boolean;
}

/** How the links of a remembered page are reached; where it redirects is no further than itself. */
function wayFrom({ url, redirects }: RememberedPage, depth: number): Way {
  if (redirects < 0) return { depth: depth + 1, via: url, redirects: 0 };
  return { depth, via: url, redirects: redirects + 1 };
}

/** A `Refresh` header is a link like the `<meta>` element of that name. */
function withRefresh(parsed: ParsedPage, url: FetchableUrl): ParsedPage {
  const link = { url, kind: "refresh", rel: "", text: "" };
  return { ...parsed, links: [...parsed.links, link] };
}

const REDIRECT = { kind: "redirect", rel: "", text: "" };

export const NO_LINKS: OfferedLinks = {
  ...{ offered: 0, remembered: [], requisites: [], isSheet: false },
};
