/**
 * Requisites: what a page needs to be shown, such as images, scripts and style sheets, and what style
 * sheets need in turn. They may be outside of the scope, and are counted in steps beyond their page, not
 * by depth. The links of a requisite are only remembered, in case that it turns out to be a page.
 */
import type { FetchableUrl, LinkResolver, ResolvedLink } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { type FollowedLink, isRequisite, type LinkTaker } from "../../parse/page/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { LinkGate } from "./link-gate.ts";
import type { RememberedPage } from "./link-memory.ts";
import { NO_LINKS, type OfferedLinks, type Way, wayFrom } from "./offered-links.ts";

/**
 * How many steps beyond its page a requisite may be. Real designs nest
 * imported style sheets two or three deep; a chain that never ends is a trap.
 */
const STEPS_MAX = 5;

export interface RequisiteOffersParts {
  readonly resolver: LinkResolver;
  readonly gate: LinkGate;
  readonly counts: CrawlCounts;
  /** The kinds of links that are followed where requisites are taken too; null where they are not. */
  readonly besideRequisites: ReadonlySet<string> | null;
  /** What a text on this page leads to, or why it is not a URL to crawl. */
  readonly lead: (to: string, from: Pick<Ticket, "url" | "depth">) => FollowedLink | string;
  /** Whether a link of the present page is within the limits on depth. */
  readonly reaches: (link: FollowedLink) => boolean;
  /** Makes a ticket. */
  readonly offer: (link: ResolvedLink, way: Way) => void;
}

export class RequisiteOffers implements LinkTaker {
  readonly #parts: RequisiteOffersParts;
  /** Whether requisites are offered too. */
  readonly isOn: boolean;
  /** Whether the present page is a requisite itself. */
  isRequisite = false;
  /** What it needs then. */
  needed: string[] = [];
  #page: FetchableUrl | null = null;
  /** How many steps beyond a page its requisites are; 0 when they are not wanted. */
  #steps = 0;

  constructor(parts: RequisiteOffersParts) {
    this.#parts = parts;
    this.isOn = parts.besideRequisites !== null;
  }

  /** Begins a page. Among requisites, only style sheets have requisites of their own. */
  begin({ url, requisite = 0 }: Ticket, parser: string, isShown: boolean): void {
    this.#page = url;
    this.isRequisite = requisite > 0;
    this.needed = [];
    const isRead = requisite === 0 ? isShown : parser === "css";
    this.#steps = isRead ? requisite + 1 : 0;
  }

  /**
   * Whether a link leads to a page. Most links to requisites do not, but if `parse.links` lists
   * images they count as pages, where the gate lets them pass.
   */
  leadsToPage(link: FollowedLink): boolean {
    const { gate, besideRequisites } = this.#parts;
    if (besideRequisites?.has(link.kind) !== true) return false;
    if (!isRequisite(link)) return true;
    return link.kind !== "link" && gate.refusal(link) === null && this.#parts.reaches(link);
  }

  take(link: FollowedLink): void {
    const { gate, counts, offer } = this.#parts;
    if (!isRequisite(link) || this.leadsToPage(link)) return;
    counts.links += 1;
    const refusal = gate.requisiteRefusal(link);
    if (refusal !== null) {
      counts.refuse(refusal, link.href, this.#page);
      return;
    }
    if (this.isRequisite) this.needed.push(link.href);
    const requisite = this.#steps;
    if (requisite > STEPS_MAX) counts.refuse("requisite-depth", link.href, this.#page);
    else if (requisite > 0) {
      offer(link.resolved, { depth: link.depth, via: this.#page, redirects: 0, requisite });
    }
  }

  /** Counted where links are followed. */
  refused(): void {}

  /** The target of a redirected requisite is one too, as far from the page. */
  redirect(to: FetchableUrl, ticket: Ticket, redirects: number): OfferedLinks {
    const { gate, counts, lead, offer } = this.#parts;
    const { url: via, depth, requisite = 0 } = ticket;
    const link = lead(to, ticket);
    const outcome = typeof link === "string" ? link : (gate.requisiteRefusal(link) ?? link);
    if (typeof outcome === "string") {
      counts.refuse(outcome, to, via);
      return NO_LINKS;
    }
    offer(outcome.resolved, { depth, via, redirects, requisite });
    const remembered = gate.refusal(outcome) === null ? [to] : [];
    return { offered: 1, remembered, requisites: [to], isSheet: false };
  }

  /** Those that were remembered, of a page that turned out to be this near. */
  offerAgain(page: RememberedPage, steps: number): void {
    const { resolver, offer } = this.#parts;
    if (steps === 0 || steps > STEPS_MAX) return;
    const way: Way = { ...wayFrom(page, page.depth), requisite: steps };
    const base = resolver.base(page.url as FetchableUrl);
    for (const text of page.requisites) {
      const link = resolver.resolve(text, base);
      if (typeof link !== "string") offer(link, way);
    }
  }
}
