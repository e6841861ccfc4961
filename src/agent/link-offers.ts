/**
 * From the links of a page to tickets in the frontier: each is resolved, shown to the gate, offered.
 * Seeds and redirects go the same way. What is refused is counted by its reason and nothing else.
 */

import { hopVerdict } from "../fetch/index.ts";
import { FetchableView } from "../filter/index.ts";
import type { Frontier, Ticket } from "../frontier/index.ts";
import {
  type FollowedLink,
  LinkFollower,
  type LinkTaker,
  type ParsedPage,
} from "../parse/index.ts";
import type { FetchableUrl, LinkResolver, UrlRefusal } from "../url/index.ts";
import type { CrawlCounts } from "./crawl-counts.ts";
import type { CrawlScope } from "./crawl-scope.ts";
import type { LinkGate } from "./link-gate.ts";
import type { RememberedPage } from "./link-memory.ts";
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
}

/** How a URL was reached. */
type Way = Pick<Ticket, "depth" | "via" | "redirects">;

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
    const { resolver, scope, counts } = this.#parts;
    scope.add(url);
    const refusal = resolver.resolve(url, resolver.base(url));
    if (refusal === null) this.#offer({ depth: 0, via: "", redirects: 0 });
    else counts.refused.add(refusal);
  }

  /**
   * Offers the links of a page that was fetched by this ticket, and where its `Refresh` header leads
   * if it has one; how many passed every rule.
   */
  offerLinks(
    { url, depth }: Ticket,
    parsed: ParsedPage,
    refresh: FetchableUrl | null,
  ): OfferedLinks {
    this.#page = url;
    this.#offered = 0;
    this.#remembered = [];
    const page = refresh === null ? parsed : withRefresh(parsed, refresh);
    this.#follower.follow({ url, depth, parsed: page }, this);
    return { offered: this.#offered, remembered: this.#remembered };
  }

  take(link: FollowedLink): void {
    const { gate, counts, remembers } = this.#parts;
    counts.links += 1;
    const refusal = gate.refusal(link);
    if (refusal !== null) {
      counts.refused.add(refusal);
      return;
    }
    if (remembers) this.#remembered.push(link.href);
    if (gate.reaches(link.depth)) {
      this.#offered += 1;
      this.#offer({ depth: link.depth, via: this.#page, redirects: 0 });
    } else counts.refused.add("depth");
  }

  refused(reason: UrlRefusal): void {
    this.#parts.counts.links += 1;
    this.#parts.counts.refused.add(reason);
  }

  /** Offers where a page redirects, which is as far from the seeds as the page itself. */
  offerRedirect(to: FetchableUrl, ticket: Ticket): OfferedLinks {
    const { resolver, scope, gate, counts, redirectsMax, remembers } = this.#parts;
    const { url, depth } = ticket;
    const hop = hopVerdict({ from: url, to, redirects: ticket.redirects, redirectsMax });
    // Only seeds, and what they redirect to, are at no distance.
    if (depth === 0) scope.add(to);
    const refusal =
      hop.kind === "refused"
        ? hop.reason
        : (resolver.resolve(to, resolver.base(url)) ??
          gate.refusal(new RedirectLink(resolver, new FetchableView(url), depth)));
    if (refusal !== null || hop.kind === "refused") {
      counts.refused.add(refusal ?? "redirect-loop");
      return NO_LINKS;
    }
    this.#offer({ depth, via: url, redirects: hop.redirects });
    return { offered: 1, remembered: remembers ? [to] : [] };
  }

  /** Offers what was remembered of a page that turned out to be this near to a seed. */
  offerAgain({ url, redirects, links }: RememberedPage, depth: number): void {
    const { resolver, gate } = this.#parts;
    const isRedirect = redirects >= 0;
    const way: Way = {
      depth: isRedirect ? depth : depth + 1,
      via: url,
      redirects: isRedirect ? redirects + 1 : 0,
    };
    if (!gate.reaches(way.depth)) return;
    for (const link of links) {
      const base = resolver.base(url as FetchableUrl);
      if (resolver.resolve(link, base) === null) this.#offer(way);
    }
  }

  #offer(way: Way): void {
    const { frontier, resolver } = this.#parts;
    const { url, fingerprint } = resolver;
    const [high = 0, low = 0] = fingerprint;
    frontier.offer({ url, high, low, ...way, priority: 0 });
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
