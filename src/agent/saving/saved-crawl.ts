/**
 * What a crawl goes on from: the state of each of its parts at one moment. What is on disk by itself
 * (archive, crawl log, page index, link graph) is not in it, but for what is counted there.
 */
import type { Position } from "../../base/log/index.ts";
import type { NodeMark } from "../../cluster/node/index.ts";
import type { FrontierCheckpoint } from "../../frontier/front/index.ts";
import type { PageStoreOptions } from "../../store/archive/index.ts";
import type { LinkCounts } from "../../store/links/index.ts";
import type { SavedCounts } from "../crawl/counting/crawl-counts.ts";
import type { LinkMemoryMarks } from "../links/link-memory.ts";
import type { SavedWalk } from "../links/random-walk.ts";
import type { SavedOffers } from "../links/saved-offers.ts";
import type { HiddenMarks } from "../member/shipping/hidden-pages.ts";
import type { SavedSeeds } from "../seeds/seed-watch.ts";
import type { DuplicatesMarks } from "../visit/duplicates.ts";
import type { RowMarks } from "../visit/page-rows.ts";
import type { SavedReading } from "./reading-mark.ts";

/** What exists once for each lane: its hosts, and what is known of their pages. */
export interface SavedLane {
  readonly frontier: FrontierCheckpoint;
  /** Null if no links are remembered. */
  readonly memory: LinkMemoryMarks | null;
  readonly offers: SavedOffers;
  /** Of a random walk; null, or left out by earlier versions, if it is none. */
  readonly walk?: SavedWalk | null;
  /** The sieve for links to hosts of other agents; null, or left out by earlier versions, if there are none. */
  readonly foreign?: string | null;
  /** What the score knows; null if there is none, or it keeps nothing. */
  readonly score: Uint8Array | null;
}

/** A lane that has run on: what has changed since its last checkpoint. */
export interface LaneChanges extends SavedLane {
  readonly frontier: FrontierCheckpoint & {
    /** Names of rows that are no more. */
    readonly dropped: readonly string[];
  };
}

/** What a crawl has that is one agent's part of a larger one. */
export interface SavedMember {
  /** Up to where the logs of its node had been handed to it. */
  readonly mark: NodeMark;
  readonly hidden: HiddenMarks;
  /** How long the whole crawl had run, as far as was known here. */
  readonly elapsedMs: number;
}

/** What the lines say of the archive that a checkpoint knows. */
export type ArchiveMarks = NonNullable<NonNullable<PageStoreOptions["known"]>["archive"]>;

/** What exists once. */
export interface SavedDesk {
  readonly duplicates: DuplicatesMarks;
  readonly counts: SavedCounts;
  readonly seeds: SavedSeeds;
  /** How long it ran, in all its runs. */
  readonly elapsedMs: number;
  /** Where rows end that are written out; left out by earlier versions. */
  readonly rows?: RowMarks;
  /** Where the lines end in the crawl log of what is known here; 0 where there is no such log. */
  readonly logEnd: Position;
  /** What the lines before that say of the archive; null, or left out by earlier versions, if that is not known. */
  readonly archive?: ArchiveMarks | null;
  /**
   * How many links the graph had; null if it is not known, left out by earlier versions. What the graph
   * has beyond them is added once more by the replay.
   */
  readonly links?: LinkCounts | null;
  /** Since when links are read by the settings of now; left out by earlier versions. */
  readonly reading?: SavedReading;
  /** Left out for a crawl that is a whole one. */
  readonly member?: SavedMember;
}

export interface SavedCrawl extends SavedDesk {
  /** By the numbers of the lanes. */
  readonly lanes: readonly SavedLane[];
}

export interface CrawlChanges extends SavedDesk {
  readonly lanes: readonly LaneChanges[];
}

/** What the parts give; where the lines end is known when these are durable. */
export type GatheredDesk = Omit<SavedDesk, "logEnd" | "archive" | "reading" | "links">;
export type GatheredCrawl = Omit<CrawlChanges, "logEnd" | "archive" | "reading" | "links">;
