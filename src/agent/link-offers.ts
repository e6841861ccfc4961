/**
 * From the links of a page to tickets in the frontier: each is resolved, shown to the gate, scored,
 * offered. Seeds and redirects go the same way. What is refused is counted by its reason and nothing
 * else. In a random walk nothing is offered here: the walker considers what passed, and goes on.
 */

import { hopVerdict } from "../fetch/index.ts";
import { FetchableView } from "../filter/index.ts";
import type { ExpandErrand, Frontier, Ticket } from "../frontier/index.ts";
import {
  type FollowedLink,
  LinkFollower,
  type LinkTaker,
  type ParsedPage,
} from "../parse/index.ts";
import type { Score } from "../score/index.ts";
import type { FetchableUrl, LinkResolver, UrlRefusal } from "../url/index.ts";
import type { CrawlCounts } from "./crawl-counts.ts";
import type { CrawlScope } from "./crawl-scope.ts";
import type { LinkGate } from "./link-gate.ts";
import type { RememberedPage } from "./link-memory.ts";
import type { RandomWalk } from "./random-walk.ts";
import { RedirectLink } from "./redirect-link.ts";

export interface LinkOffersParts {
  readonly resolver: LinkResolver;
  readonly scope: CrawlScope;
  readonly gate: LinkGate;
  readonly frontier: Frontier;
  readonly counts: CrawlCounts;
  readonly redirectsMax: number;
  /** Whether links are handed back to be remembered: only with a depth limit. */
  readonly remembers: boolean;
  /** Null unless the traversal is by priority. */
  readonly score: Score | null;
  /** Null unless the traversal is a random walk. */
  readonly walk: RandomWalk | null;
}

/** Seeds are in the best band. */
const SEED_PRIORITY = 64;

/** How a URL was reached. */
type Way = Pick<Ticket, "depth" | "via" | "redirects">;
type Scored = Pick<Ticket, "url" | "high" | "low" | "depth" | "via">;

export class LinkOffers implements LinkTaker {
  readonly #parts: LinkOffersParts;
  readonly #follower: LinkFollower;
  /** The page whose links are being followed. */
  #page: FetchableUrl | "" = "";
  #offered = 0;
  #remembered: string[] = [];

  constructor(parts: LinkOffersParts) {
    this.#parts = parts;
    this.#follower = new LinkFollower(parts.resolver);
  }

  /** Seeds are within every scope, and no filter or limit has a say. */
  offerSeed(url: FetchableUrl): void {
    const { resolver, scope, counts, score, walk } = this.#parts;
    scope.add(url);
    const refusal = resolver.resolve(url, resolver.base(url));
    if (refusal !== null) counts.refused.add(refusal);
    else if (walk !== null) walk.addSeed(resolver.url);
    else this.#offer({ depth: 0, via: "", redirects: 0 }, score === null ? 0 : SEED_PRIORITY);
  }

  /**
   * Offers the links of a page that was fetched by this ticket, and where its `Refresh` header leads
   * if it has one; how many passed every rule.
   */
  offerLinks(ticket: Ticket, parsed: ParsedPage, refresh: FetchableUrl | null): OfferedLinks {
    const { walk } = this.#parts;
    const { url, depth } = ticket;
    this.#page = url;
    this.#offered = 0;
    this.#remembered = [];
    const page = refresh === null ? parsed : withRefresh(parsed, refresh);
    this.#tellScore(ticket, page.links.length);
    walk?.arrive(ticket);
    this.#follower.follow({ url, depth, parsed: page }, this);
    walk?.goOn(ticket, false);
    return { offered: this.#offered, remembered: this.#remembered };
  }

  take(link: FollowedLink): void {
    const { gate, counts, remembers, score } = this.#parts;
    counts.links += 1;
    const refusal = gate.refusal(link);
    if (refusal !== null) {
      counts.refused.add(refusal);
      return;
    }
    if (remembers) this.#remembered.push(link.href);
    if (gate.reaches(link.depth)) {
      this.#offered += 1;
      const priority = score === null ? 0 : score.priorityOf(link);
      this.#offer({ depth: link.depth, via: this.#page, redirects: 0 }, priority);
    } else counts.refused.add("depth");
  }

  refused(reason: UrlRefusal): void {
    this.#parts.counts.links += 1;
    this.#parts.counts.refused.add(reason);
  }

  /** Offers where a page redirects, which is as far from the seeds as the page itself. */
  offerRedirect(to: FetchableUrl, ticket: Ticket): OfferedLinks {
    const { scope, counts, redirectsMax, remembers, score, walk } = this.#parts;
    const { url, depth } = ticket;
    const hop = hopVerdict({ from: url, to, redirects: ticket.redirects, redirectsMax });
    // Only seeds, and what they redirect to, are at no distance.
    if (depth === 0) scope.add(to);
    const link = hop.kind === "refused" ? hop.reason : this.#redirectLink(to, ticket);
    if (typeof link === "string" || hop.kind === "refused") {
      counts.refused.add(String(link));
      return NO_LINKS;
    }
    this.#tellScore(ticket, 1);
    walk?.arrive(ticket);
    this.#offer({ depth, via: url, redirects: hop.redirects }, score?.priorityOf(link) ?? 0);
    walk?.goOn(ticket, true);
    return { offered: 1, remembered: remembers ? [to] : [] };
  }

  /** Offers what was remembered of a page that turned out to be this near to a seed. */
  offerAgain(page: RememberedPage, { high, low, depth }: ExpandErrand): void {
    const { resolver, gate, score } = this.#parts;
    const { redirects, links } = page;
    const url = page.url as FetchableUrl;
    const isRedirect = redirects >= 0;
    const way: Way = {
      depth: isRedirect ? depth : depth + 1,
      via: url,
      redirects: isRedirect ? redirects + 1 : 0,
    };
    if (!gate.reaches(way.depth)) return;
    this.#tellScore({ url, high, low, depth, via: url }, links.length);
    const source = new FetchableView(url);
    for (const link of links) {
      if (resolver.resolve(link, resolver.base(url)) !== null) continue;
      // What the link said is not known any more.
      const priority = score?.priorityOf(new RedirectLink(resolver, source, way.depth)) ?? 0;
      this.#offer(way, priority);
    }
  }

  #redirectLink(to: FetchableUrl, { url, depth }: Ticket): RedirectLink | string {
    const { resolver, gate } = this.#parts;
    const refusal = resolver.resolve(to, resolver.base(url));
    if (refusal !== null) return refusal;
    const link = new RedirectLink(resolver, new FetchableView(url), depth);
    return gate.refusal(link) ?? link;
  }

  #tellScore({ url, high, low, depth, via }: Scored, links: number): void {
    this.#parts.score?.pageFetched?.({ url, high, low, depth, isSeed: via === "", links });
  }

  #offer(way: Way, priority: number): void {
    const { frontier, resolver, walk } = this.#parts;
    const { url, fingerprint } = resolver;
    const [high = 0, low = 0] = fingerprint;
    if (walk === null) frontier.offer({ url, high, low, ...way, priority });
    else walk.consider(url, way);
  }
}

export interface OfferedLinks {
  readonly offered: number;
  readonly remembered: readonly string[];
}

/** A `Refresh` header is a link like the `<meta>` element of that name. */
function withRefresh(parsed: ParsedPage, url: FetchableUrl): ParsedPage {
  const link = { url, kind: "refresh", rel: "", text: "" };
  return { ...parsed, links: [...parsed.links, link] };
}

const NO_LINKS: OfferedLinks = { offered: 0, remembered: [] };
