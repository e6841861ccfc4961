/**
 * What a crawl goes on from: the state of each of its parts at one moment. What is on disk by itself
 * (archive, crawl log, page index, link graph) is not in it.
 */
import type { FrontierCheckpoint } from "../../frontier/front/index.ts";
import type { SavedCounts } from "../crawl/crawl-counts.ts";
import type { LinkMemoryMarks } from "../links/link-memory.ts";
import type { SavedOffers } from "../links/saved-offers.ts";
import type { SavedSeeds } from "../seeds/seed-watch.ts";
import type { DuplicatesMarks } from "../visit/duplicates.ts";

export interface SavedCrawl {
  readonly frontier: FrontierCheckpoint;
  readonly duplicates: DuplicatesMarks;
  /** Null if no links are remembered. */
  readonly memory: LinkMemoryMarks | null;
  readonly offers: SavedOffers;
  /** What the score knows; null if there is none, or it keeps nothing. */
  readonly score: Uint8Array | null;
  readonly counts: SavedCounts;
  readonly seeds: SavedSeeds;
  /** How long it ran, in all its runs. */
  readonly elapsedMs: number;
}
