/**
 * Links that are followed once more, without a fetch: those of a page that turned out to be nearer than
 * it was, of a requisite that turned out to be a page, and those that a limit has cut off which is higher
 * now.
 */
import type { FetchableUrl, LinkResolver, ResolvedLink } from "../../formats/url/index.ts";
import type { ExpandErrand } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { FollowedLink } from "../../parse/page/index.ts";
import type { Score } from "../../rules/score/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { HostStepCount } from "./host-steps.ts";
import { beyondDepths, type DepthLimits, type LinkGate } from "./link-gate.ts";
import type { RememberedPage } from "./link-memory.ts";
import { type Way, wayFrom } from "./offered-links.ts";
import type { RequisiteOffers } from "./requisite-offers.ts";

export interface LinksAgainParts {
  readonly resolver: LinkResolver;
  readonly gate: LinkGate;
  readonly counts: CrawlCounts;
  readonly score: Score | null;
  readonly steps: HostStepCount;
  readonly requisites: RequisiteOffers;
  readonly lead: (to: string, from: Pick<Ticket, "url" | "depth">) => FollowedLink | string;
  readonly offer: (link: ResolvedLink, way: Way, priority: number) => void;
  readonly tellScore: (page: Scored, links: number) => void;
}

export type Scored = Pick<Ticket, "url" | "high" | "low" | "depth" | "via">;

export class LinksAgain {
  readonly #parts: LinksAgainParts;

  constructor(parts: LinksAgainParts) {
    this.#parts = parts;
  }

  /** Those of a page, or requisite, about which this has turned out. */
  offer(remembered: RememberedPage, { high, low, requisite, ...better }: ExpandErrand): void {
    const { score, requisites, offer, tellScore } = this.#parts;
    const page = nearer(remembered, better);
    const url = page.url as FetchableUrl;
    const isRedirect = page.redirects >= 0;
    if (requisite === 0 || isRedirect || page.isSheet) {
      requisites.offerAgain(page, isRedirect ? requisite : requisite + 1);
    }
    if (requisite > 0) return;
    const reached = [...this.#reached(page)];
    if (reached.length === 0) return;
    tellScore({ url, high, low, depth: page.depth, via: url }, page.links.length);
    for (const [link, way] of reached) offer(link.resolved, way, score?.priorityOf(link) ?? 0);
  }

  /** Those of a page that these limits have cut off, as far as those of now reach. */
  offerCut(page: RememberedPage, before: DepthLimits): void {
    const { resolver, counts } = this.#parts;
    const self = resolver.resolve(page.url, resolver.base(page.url as FetchableUrl));
    if (typeof self === "string") return;
    let freed = 0;
    for (const [, way] of this.#reached(page)) {
      const refusal = beyondDepths(before, way);
      if (refusal === null) continue;
      counts.refused.add(refusal, -1);
      freed += 1;
    }
    const { high, low } = self;
    if (freed > 0) this.offer(page, { kind: "expand", high, low, depth: null, requisite: 0 });
  }

  /** The text and kind of the links are no longer known. */
  *#reached(page: RememberedPage): Iterable<readonly [FollowedLink, Way]> {
    const { gate, lead, steps } = this.#parts;
    const way = wayFrom(page, page.depth);
    const url = page.url as FetchableUrl;
    const step = page.redirects < 0 ? 1 : 0;
    for (const text of page.links) {
      const link = lead(text, { url, depth: way.depth });
      if (typeof link === "string") continue;
      const whole = { ...way, ...steps.to(link.host, page, step) };
      if (gate.beyond(whole) === null) yield [link, whole];
    }
  }
}

/** The page at the depths that are known now. */
export function nearer(
  page: RememberedPage,
  { depth, hostDepth }: Pick<ExpandErrand, "depth" | "hostDepth">,
): RememberedPage {
  const known = { ...page, depth: depth ?? page.depth };
  return hostDepth == null ? known : { ...known, hostDepth };
}
