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
import type {
  FetchableUrl,
  LinkResolver,
  ResolvedLink,
  UrlRefusal,
} from "../../formats/url/index.ts";
import type { ExpandErrand } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { type FollowedLink, LinkFollower, type LinkTaker } from "../../parse/page/index.ts";
import { FetchableView } from "../../rules/filter/index.ts";
import type { Score } from "../../rules/score/index.ts";
import type { LinkLines } from "../../store/links/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { CrawlScope } from "./crawl-scope.ts";
import { HostStepCount, type SteppedFrom } from "./host-steps.ts";
import { ADDED, leadTo, REDIRECT, withRefresh } from "./lead-to.ts";
import type { DepthLimits, LinkGate } from "./link-gate.ts";
import type { RememberedPage } from "./link-memory.ts";
import { LinksAgain, type Scored } from "./links-again.ts";
import type { SitemapLevel } from "./named-sitemaps.ts";
import {
  type LinkedPage,
  NO_LINKS,
  type OfferedLinks,
  SEED_PRIORITY,
  type Way,
} from "./offered-links.ts";
import { addLinks } from "./page-links.ts";
import type { RandomWalk } from "./random-walk.ts";
import { RequisiteOffers } from "./requisite-offers.ts";
import type { SavedOffers } from "./saved-offers.ts";
import type { ScopeGrowth } from "./scope-growth.ts";
import { SitemapOffers } from "./sitemap-offers.ts";
import { WaitingLinks } from "./waiting-links.ts";

export interface LinkOffersParts {
  readonly resolver: LinkResolver;
  readonly scope: CrawlScope;
  readonly growth: ScopeGrowth;
  readonly gate: LinkGate;
  /** Called with tickets that no page on its way leads to: seeds, sitemaps, remembered links. */
  readonly deliver: (tickets: Ticket[]) => void;
  readonly counts: CrawlCounts;
  readonly redirectsMax: number;
  /** Whether links are handed back to be remembered: only with a depth limit. */
  readonly remembers: boolean;
  /** Whether steps inside hosts are counted, since they are limited. */
  readonly countsHostSteps: boolean;
  /** The kinds of links that are followed where requisites are taken too; null where they are not. */
  readonly besideRequisites: ReadonlySet<string> | null;
  /** Null unless the traversal is by priority. */
  readonly score: Score | null;
  /** Null unless the traversal is a random walk. */
  readonly walk: RandomWalk | null;
}

type Lead = (to: string, from: Pick<Ticket, "url" | "depth">) => FollowedLink | UrlRefusal;

export class LinkOffers implements LinkTaker {
  readonly #parts: LinkOffersParts;
  readonly #follower: LinkFollower;
  readonly sitemaps: SitemapOffers;
  readonly #requisites: RequisiteOffers;
  readonly #again: LinksAgain;
  readonly #steps: HostStepCount;
  readonly #waiting: WaitingLinks;
  /** From where links are steps: the page; null for a sitemap, whose entries are as near as seeds. */
  #from: SteppedFrom | null = null;
  /** The page whose links are being followed, and the level of the sitemap that it is, if any. */
  #page: FetchableUrl | null = null;
  /** Where the tickets go. */
  #tickets: Ticket[] = [];
  #found: LinkLines | null = null;
  #level: SitemapLevel | null = null;
  #offered = 0;
  #remembered: string[] = [];
  #isFollowed = true;

  constructor(parts: LinkOffersParts) {
    this.#parts = parts;
    this.#follower = new LinkFollower(parts.resolver);
    const lead: Lead = (to, from) => this.#lead(to, from);
    this.#steps = new HostStepCount(parts.countsHostSteps);
    this.#requisites = new RequisiteOffers({
      ...{ ...parts, lead },
      reaches: (link) => parts.gate.beyond(this.#wayOf(link)) === null,
      offer: (link, way) => this.#offer(link, way, 0),
    });
    this.sitemaps = new SitemapOffers({
      ...{ ...parts, lead, isScored: parts.score !== null },
      offer: (link, way, priority) => this.#offer(link, { ...way, ...this.#steps.entry }, priority),
    });
    const offer = (link: ResolvedLink, way: Way, priority: number): void =>
      this.#offer(link, way, priority);
    const shared = { ...parts, offer, steps: this.#steps };
    this.#waiting = new WaitingLinks(shared);
    this.#again = new LinksAgain({
      ...{ ...shared, lead, requisites: this.#requisites },
      tellScore: (page, links) => this.#tellScore(page, links),
    });
  }

  /**
   * Seeds are inside every scope, and of the limits only that on ports applies to them, for safety.
   * Returns why the seed is refused; null when it was offered.
   */
  offerSeed(url: FetchableUrl): string | null {
    const { resolver, scope, growth, gate, score, walk } = this.#parts;
    scope.add(url);
    const isOpen = url.startsWith("file:") || gate.mayUsePort(new FetchableView(url));
    const seed = isOpen ? resolver.resolve(url, resolver.base(url)) : "port";
    if (typeof seed === "string") return seed;
    if (walk !== null) walk.addSeed(seed.url);
    else {
      growth.begin(seed);
      const priority = score === null ? 0 : SEED_PRIORITY;
      const way = { depth: 0, via: null, redirects: 0, ...this.#steps.entry };
      this.#deliver(() => this.#offer(seed, way, priority));
    }
    return null;
  }

  /** In another lane, a seed or where one leads redirects to this URL. */
  ledElsewhere(url: FetchableUrl): void {
    const link = this.#lead(url, { url, depth: 0 });
    if (typeof link === "string") return;
    this.#deliver(() => this.#waiting.offer(this.#parts.growth.ledElsewhere(link)));
  }

  /**
   * Offers the sitemaps that a robots.txt names, if they are on its own host or inside the scope;
   * `via` is the robots.txt at its origin, whatever it redirects to.
   */
  offerSitemaps(urls: readonly FetchableUrl[], via: FetchableUrl): void {
    this.#deliver(() => this.sitemaps.offerNamed(urls, via));
  }

  /** Whether requisites are offered too. */
  get takesRequisites(): boolean {
    return this.#requisites.isOn;
  }

  get growth(): ScopeGrowth {
    return this.#parts.growth;
  }

  /** Puts tickets for the links of a page into the list. */
  offerLinks(linked: LinkedPage, tickets: Ticket[]): OfferedLinks {
    const { walk } = this.#parts;
    const { ticket, parsed, refresh, isFollowed, isShown, found } = linked;
    this.#tickets = tickets;
    this.#found = found;
    this.#page = ticket.url;
    this.#level = parsed.parser === "sitemap" ? this.sitemaps.levelOf(ticket) : null;
    this.#offered = 0;
    this.#remembered = [];
    this.#isFollowed = isFollowed;
    this.#requisites.begin(ticket, parsed.parser, isShown);
    const page = refresh === null ? parsed : withRefresh(parsed, refresh);
    // What a sitemap lists is as near as a seed.
    const depth = this.#level === null ? ticket.depth : -1;
    this.#from = this.#level === null ? ticket : null;
    if (!this.#requisites.isRequisite) this.#tellScore(ticket, page.links.length);
    this.#refuseLong(parsed.linksTooLong);
    walk?.arrive(ticket);
    const links = { url: ticket.url, depth, parsed: page };
    // Before the links: a URL that is both is then fetched even when no more pages are wanted.
    if (this.takesRequisites) this.#follower.follow(links, this.#requisites);
    this.#follower.follow(links, this);
    this.#goOn(ticket, false);
    const { needed: requisites } = this.#requisites;
    const isSheet = parsed.parser === "css";
    return { offered: this.#offered, remembered: this.#remembered, requisites, isSheet };
  }

  /** The links of a page none of which is followed. */
  readLinks({ ticket, parsed, found }: Pick<LinkedPage, "ticket" | "parsed" | "found">): void {
    if (found === null) return;
    const { url, depth } = ticket;
    addLinks(this.#follower, { url, depth, parsed }, found);
  }

  take(link: FollowedLink): void {
    const { gate, counts, remembers, score } = this.#parts;
    this.#found?.add(link);
    if (this.#level !== null && link.rel === "sitemap") {
      counts.links += 1;
      if (this.sitemaps.take(link, this.#level, this.#page)) this.#offered += 1;
      return;
    }
    if (!this.#isFollowed || (this.takesRequisites && !this.#requisites.leadsToPage(link))) return;
    const refusal = gate.refusal(link);
    if (this.#requisites.isRequisite) {
      if (refusal === null) this.#remembered.push(link.href);
      return;
    }
    counts.links += 1;
    if (refusal !== null) {
      counts.refuse(refusal, link.href, this.#page);
      if (refusal === "scope") this.#waiting.keep(link, this.#from, 1);
      return;
    }
    if (remembers) this.#remembered.push(link.href);
    const way = this.#wayOf(link);
    const beyond = gate.beyond(way);
    if (beyond === null) {
      this.#offered += 1;
      const priority = score === null ? 0 : score.priorityOf(link);
      this.#offer(link.resolved, way, priority);
    } else counts.refuse(beyond, link.href, this.#page);
  }

  /** How a link of the present page leads on. */
  #wayOf(link: FollowedLink): Way {
    const { depth, host } = link;
    return { depth, via: this.#page, redirects: 0, ...this.#steps.to(host, this.#from, 1) };
  }

  refused(reason: UrlRefusal, url: string): void {
    if (this.#requisites.isRequisite) return;
    this.#parts.counts.links += 1;
    this.#parts.counts.refuse(reason, url, this.#page);
  }

  /** Links that are too long even to be read. */
  #refuseLong(links: number): void {
    if (links === 0 || this.#requisites.isRequisite) return;
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
      return this.#requisites.redirect(to, ticket, hop.redirects);
    }
    const link = hop.kind === "refused" ? hop.reason : this.#redirectLink(to, ticket);
    if (typeof link === "string" || hop.kind === "refused") {
      counts.refuse(String(link), to, url);
      return NO_LINKS;
    }
    this.#tellScore(ticket, 1);
    walk?.arrive(ticket);
    const steps = this.#steps.to(link.host, ticket, 0);
    const way = { depth, via: url, redirects: hop.redirects, ...steps };
    this.#offer(link.resolved, way, score?.priorityOf(link) ?? 0);
    this.#goOn(ticket, true);
    return { ...NO_LINKS, offered: 1, remembered: remembers ? [to] : [] };
  }

  /**
   * Offers URLs that a reader of a page adds to it, like links that are written there. They are not
   * remembered with the page, and a walker does not choose among them.
   */
  offerAdded(urls: readonly string[], ticket: Ticket): void {
    const { gate, counts, score, walk } = this.#parts;
    const depth = ticket.depth + 1;
    this.#deliver(() => {
      for (const url of urls) {
        counts.links += 1;
        const link = this.#lead(url, { url: ticket.url, depth }, ADDED);
        if (typeof link === "string") {
          counts.refuse(link, url, ticket.url);
          continue;
        }
        const steps = this.#steps.to(link.host, ticket, 1);
        const way = { depth, via: ticket.url, redirects: 0, ...steps };
        const refusal = gate.refusal(link) ?? (walk === null ? gate.beyond(way) : "depth");
        if (refusal !== null) counts.refuse(refusal, url, ticket.url);
        else this.#offer(link.resolved, way, score?.priorityOf(link) ?? 0);
      }
    });
  }

  /**
   * Offers the remembered links of a page that turned out to be nearer to a seed, or of a requisite
   * that turned out to be a page, or nearer to one.
   */
  offerAgain(page: RememberedPage, errand: ExpandErrand): void {
    this.#deliver(() => this.#again.offer(page, errand));
  }

  /** Offers the links of a page that these limits have cut off, as far as those of now reach. */
  offerCut(page: RememberedPage, before: DepthLimits): void {
    this.#deliver(() => this.#again.offerCut(page, before));
  }

  save(): SavedOffers {
    return {
      scope: this.#parts.scope.save(),
      sitemaps: this.sitemaps.save(),
      trails: this.#waiting.save(),
    };
  }

  restore({ scope, sitemaps, trails }: SavedOffers): void {
    this.#parts.scope.restore(scope);
    this.sitemaps.restore(sitemaps);
    this.#waiting.restore(trails);
  }

  /** All that a page leads to has been offered. */
  ended(ticket: Ticket): void {
    this.#parts.growth.end(ticket);
    this.sitemaps.forget(ticket);
  }

  /** The redirect as a link that may be followed, or why it is not. */
  #redirectLink(to: FetchableUrl, ticket: Ticket): FollowedLink | string {
    const { gate, growth, walk } = this.#parts;
    const link = this.#lead(to, ticket);
    if (typeof link === "string") return link;
    const level = this.sitemaps.levelOf(ticket);
    if (level !== null) return this.sitemaps.redirectRefusal(link, ticket, level) ?? link;
    // In a random walk the depth tells that only redirects lie between a seed and this page.
    if (walk === null && growth.isOnTrail(ticket)) {
      this.#waiting.offer(growth.lead(link));
    } else if (walk !== null && ticket.depth === 0) this.#waiting.offer(growth.widen(link));
    const gateRefusal = gate.refusal(link);
    if (gateRefusal === "scope") this.#waiting.keep(link, ticket, 0);
    return gateRefusal ?? link;
  }

  /** Where a page leads without a link that is written in it, or why that is not a URL to crawl. */
  #lead(
    to: string,
    { url, depth }: Pick<Ticket, "url" | "depth">,
    found = REDIRECT,
  ): FollowedLink | UrlRefusal {
    return leadTo(to, this.#parts.resolver, { source: url, depth, isNofollow: false }, found);
  }

  #tellScore({ url, high, low, depth, via }: Scored, links: number): void {
    this.#parts.score?.pageFetched?.({ url, high, low, depth, isSeed: via === null, links });
  }

  #offer({ url, high, low }: ResolvedLink, way: Way, priority: number): void {
    const { walk } = this.#parts;
    const { depth, via, redirects, requisite = 0, hostDepth } = way;
    if (walk !== null) {
      walk.consider(url, way);
      return;
    }
    const page = { url, high, low, depth, via, redirects, priority };
    const ticket = hostDepth === undefined ? page : { ...page, hostDepth };
    this.#tickets.push(requisite === 0 ? ticket : { ...ticket, requisite });
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
