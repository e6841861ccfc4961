/** Replays what a killed crawl did after its last checkpoint, in the lane of a crawl that goes on. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Storage } from "../../base/seams/index.ts";
import { decodedContent } from "../../formats/http/index.ts";
import { type FetchableUrl, keyOf, parseUrl } from "../../formats/url/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { laneFinder } from "../lanes/lane-finder.ts";
import type { LaneNumber } from "../providers/crawl-world.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { sitemapsNamed } from "../visit/robots-visit.ts";
import { Replay } from "./replay.ts";
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
  readonly ready: () => void;
  readonly failed: (error: CrawlError) => void;
}

export function openReplay(parts: OpenReplayParts): Replay {
  const { configuration, fingerprintKey, services, lane, replays = "pages" } = parts;
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
    lost: (ticket) => services().frontier.offer(ticket),
    // Their robots.txt is read again only if a page of its host is left to be fetched.
    sitemap: ({ url, via }) => {
      if (!configuration.sitemaps) return;
      services().links.offers.offerSitemaps([url as FetchableUrl], (via ?? url) as FetchableUrl);
    },
    robots: configuration.sitemaps
      ? ({ url }, { headers, payload }) => {
          const content = decodedContent(headers, payload);
          const { offers, walk } = services().links;
          if (content.kind !== "content" || walk !== null) return;
          const urls = sitemapsNamed(content.bytes, url as FetchableUrl);
          offers.offerSitemaps(urls, url as FetchableUrl);
        }
      : null,
    noted: (line, ticket, isOver) => {
      const { frontier, ledger, index } = services();
      ledger.counts.addLine(line);
      if (!isOver) return;
      if (replays === "pages") frontier.markEnded([endedPage(line, ticket)]);
      index?.addPast(line, ticket);
    },
  });
}
