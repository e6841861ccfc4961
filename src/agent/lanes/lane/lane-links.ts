/** Links between lanes, as one lane gives and takes them. */
import { laneOfFingerprint } from "../../../frontier/lanes/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import type { LaneSeeds } from "../lane-seeds.ts";
import type { BatchTaker } from "../router/link-batch.ts";
import type { LinkRouter } from "../router/link-router.ts";

export interface LaneLinksParts {
  readonly number: number;
  readonly count: number;
  readonly configuration: Configuration;
  readonly router: () => LinkRouter;
  readonly seeds: LaneSeeds;
  readonly services: () => UsedBy<"steering">;
}

export class LaneLinks {
  readonly #parts: LaneLinksParts;

  constructor(parts: LaneLinksParts) {
    this.#parts = parts;
  }

  /** Links of other lanes. */
  get taker(): BatchTaker {
    const { services, seeds } = this.#parts;
    return {
      ticket: ({ ticket, level, isWatched }) => {
        const { frontier, links } = services();
        if (level !== null) links.offers.sitemaps.name(ticket, level);
        if (isWatched) seeds.watch(ticket.url);
        frontier.offer(ticket);
      },
      trailBegun: (url) => services().links.offers.ledElsewhere(url),
      trailEnded: (page) => services().links.offers.growth.endedElsewhere(page),
    };
  }

  /** Whether the ticket was sent to the lane that it belongs to. */
  tryRoute(ticket: Ticket): boolean {
    const { configuration, count, number, router, seeds, services } = this.#parts;
    const lane = laneOfFingerprint(ticket.high, configuration.frontier.shards, count);
    if (lane === number) return false;
    const { sitemaps } = services().links.offers;
    const level = sitemaps.levelOf(ticket);
    const isWatched = seeds.isWatched(ticket.url);
    const isSent = router().trySend(lane, { ticket, level, isWatched });
    if (isSent && level !== null) sitemaps.forget(ticket);
    return isSent;
  }
}
