/**
 * Links outside of the scope that wait for a seed to redirect: a seed that leads elsewhere makes the scope
 * wider, and what waited for that is offered then.
 */
import type { LinkResolver, ResolvedLink } from "../../formats/url/index.ts";
import type { FollowedLink } from "../../parse/page/index.ts";
import type { Score } from "../../rules/score/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { SavedTrails } from "../seeds/seed-trails.ts";
import type { HostStepCount, HostSteps, SteppedFrom } from "./host-steps.ts";
import type { LinkGate } from "./link-gate.ts";
import type { Way } from "./offered-links.ts";
import { restoreLink, type SavedLink, saveLink } from "./saved-offers.ts";
import type { ScopeGrowth } from "./scope-growth.ts";

export interface WaitingLinksParts {
  readonly growth: ScopeGrowth;
  readonly resolver: LinkResolver;
  readonly gate: LinkGate;
  readonly counts: CrawlCounts;
  readonly score: Score | null;
  readonly steps: HostStepCount;
  /** Makes a ticket. */
  readonly offer: (link: ResolvedLink, way: Way, priority: number) => void;
}

export class WaitingLinks {
  readonly #parts: WaitingLinksParts;
  readonly #steps = new WeakMap<FollowedLink, HostSteps>();

  constructor(parts: WaitingLinksParts) {
    this.#parts = parts;
  }

  /** What this page leads to, by a link (1 step) or a redirect (0 steps). */
  keep(link: FollowedLink, from: SteppedFrom | null, step: 0 | 1): void {
    const { growth, steps } = this.#parts;
    this.#steps.set(link, steps.to(link.host, from, step));
    growth.keep(link);
  }

  /** The scope has grown, and these are inside it now. */
  offer(links: readonly FollowedLink[]): void {
    const { gate, counts, score, offer } = this.#parts;
    for (const link of links) {
      counts.refused.add("scope", -1);
      const via = link.source?.href ?? null;
      const way = { depth: link.depth, via, redirects: 0, ...this.#steps.get(link) };
      const refusal = gate.refusal(link) ?? gate.beyond(way);
      if (refusal !== null) counts.refuse(refusal, link.href, via);
      else offer(link.resolved, way, score?.priorityOf(link) ?? 0);
    }
  }

  save(): SavedTrails<SavedLink> {
    return this.#parts.growth.save((link) => saveLink(link, this.#steps.get(link)));
  }

  restore(saved: SavedTrails<SavedLink>): void {
    const { growth, resolver } = this.#parts;
    growth.restore(saved, (one) => {
      const link = restoreLink(one, resolver);
      if (link !== null && one.steps !== undefined) this.#steps.set(link, one.steps);
      return link;
    });
  }
}
