/** Replays what a killed crawl did after its last checkpoint, in the lane of a crawl that goes on. */
import type { CrawlError, ErrorCode } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Storage } from "../../base/seams/index.ts";
import { keyOf, parseUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { laneFinder } from "../lanes/lane-finder.ts";
import type { LaneNumber } from "../providers/crawl-world.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { isUnfetched, type PastPages, Replay } from "./replay.ts";
import { endedPage } from "./replayed-page.ts";

export interface OpenReplayParts {
  readonly configuration: Configuration;
  readonly storage: Storage;
  /** The 16 secret bytes of the crawl. */
  readonly fingerprintKey: Uint8Array;
  /** Counts alone for pages that may be visited again. */
  readonly replays?: "pages" | "counts";
  /** Where the lines begin that the checkpoint does not know. */
  readonly from: Position;
  /** Of several lanes, the one that replays its own pages; null for the only one. */
  readonly lane: LaneNumber | null;
  readonly services: () => Pick<UsedBy<"steering">, "frontier" | "ledger" | "links" | "index">;
  /**
   * For a crawl of which nothing but archive and crawl log is there: offers its seeds, when the frontier
   * knows all pages that have ended. Null if the frontier knows seeds and pages of before.
   */
  readonly offerSeeds: (() => void) | null;
  /** Takes a URL that was given up without a fetch, and has its line. */
  readonly unfetched: (ticket: Ticket, code: ErrorCode, atMs: number) => void;
  /** Told of each page that had ended, when it is known again. */
  readonly foundAgain?: (ticket: Ticket) => void;
  readonly ready: () => void;
  readonly failed: (error: CrawlError) => void;
}

export function openReplay(parts: OpenReplayParts): Replay {
  const { configuration, fingerprintKey, services, lane, replays = "pages" } = parts;
  const { offerSeeds } = parts;
  const isTold = offerSeeds !== null && replays === "pages";
  const schemes = schemesOf(configuration);
  const finder = laneFinder({ configuration, fingerprintKey, lanes: lane?.count ?? 1 });
  return new Replay({
    ...{ ...parts, countsOnly: replays === "counts" },
    fingerprintOf: (url) => finder.resolve(url),
    isOwn: ({ high }) => lane === null || finder.laneOfHigh(high) === lane.number,
    keyOf: (url) => {
      const parsed = parseUrl(url, { files: true, schemes });
      return parsed.kind === "refused" ? null : keyOf(parsed.url, configuration.url);
    },
    takesSitemaps: configuration.sitemaps,
    past: isTold ? pastPages(services, offerSeeds) : null,
    lost: (ticket, sitemap) => {
      const { frontier, links } = services();
      if (sitemap !== null) links.offers.sitemaps.name(ticket, sitemap);
      frontier.offer(ticket);
    },
    tried: ({ result }, errand) => {
      const end = typeof result === "number" ? { status: result } : { code: result };
      if (replays === "pages") services().frontier.markTried(errand, end);
    },
    rests: (url, askedMs) => services().frontier.markRest(url, askedMs),
    noted: (line, ticket, isOver) => {
      const { frontier, ledger, index } = services();
      ledger.counts.addLine(line);
      if (!isOver) return;
      if (replays === "pages") {
        frontier.markEnded([endedPage(line, ticket, isTold)]);
        if (isUnfetched(line)) parts.unfetched(ticket, line.result as ErrorCode, line.atMs);
      }
      index?.addPast(line, ticket);
      parts.foundAgain?.(ticket);
    },
  });
}

function pastPages(services: OpenReplayParts["services"], over: () => void): PastPages {
  return {
    ended: (line, ticket) => {
      services().frontier.offerEnded(ticket, endedPage(line, ticket, true).isPage);
    },
    isFull: () => services().frontier.isFull,
    over,
  };
}
