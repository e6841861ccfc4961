/** Replays what a killed crawl did after its last checkpoint, in the lane of a crawl that goes on. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Storage } from "../../base/seams/index.ts";
import { keyOf, parseUrl } from "../../formats/url/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { laneFinder } from "../lanes/lane-finder.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { Replay } from "./replay.ts";
import { endedPage } from "./replayed-page.ts";

export interface OpenReplayParts {
  readonly configuration: Configuration;
  readonly storage: Storage;
  /** The 16 secret bytes of the crawl. */
  readonly fingerprintKey: Uint8Array;
  /** Where the lines begin that the checkpoint does not know. */
  readonly from: Position;
  readonly services: () => Pick<UsedBy<"steering">, "frontier" | "ledger">;
  readonly ready: () => void;
  readonly failed: (error: CrawlError) => void;
}

export function openReplay(parts: OpenReplayParts): Replay {
  const { configuration, fingerprintKey, services } = parts;
  const schemes = schemesOf(configuration);
  const finder = laneFinder({ configuration, fingerprintKey, lanes: 1 });
  return new Replay({
    ...parts,
    fingerprintOf: (url) => finder.resolve(url),
    isOwn: () => true,
    keyOf: (url) => {
      const parsed = parseUrl(url, { files: true, schemes });
      return parsed.kind === "refused" ? null : keyOf(parsed.url, configuration.url);
    },
    noted: (line, ticket, isOver) => {
      const { frontier, ledger } = services();
      ledger.counts.addLine(line);
      if (isOver) frontier.markEnded([endedPage(line, ticket)]);
    },
  });
}
