/** What a crawl is made of. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Clock, Storage } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { RemotePost } from "../../topology/launch/index.ts";
import type { FailedPage } from "../control/failed-pages.ts";
import type { RecordedConfiguration } from "../control/recorded-configuration.ts";
import type { DepthLimits } from "../links/link-gate.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { ReadingMark } from "../saving/reading-mark.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import type { CrawlOpenings } from "../topology/crawl-library.ts";
import type { CrawlTopology } from "../topology/crawl-topology.ts";
import type { CrawlMember } from "./crawl-member.ts";

/** How a crawl goes on that was killed. */
export interface Recovery {
  /**
   * What is replayed: pages as a rule; of a random walk, which may visit pages again, only their counts;
   * nothing where a store of the user is in the place of archive and crawl log.
   */
  readonly replays: "pages" | "counts" | "nothing";
  /** Where the lines begin in the crawl log that the last checkpoint does not know. */
  readonly from: Position;
  /** The 16 secret bytes of the crawl. */
  readonly fingerprintKey: Uint8Array;
}

/** What was done before a crawl that was killed went on. */
export interface RecoveryAccount {
  /** Records and lines that did not agree: what they tell of is fetched again. */
  readonly recordsCut: number;
  readonly linesCut: number;
  /** Pages and sitemaps that were worked on once more, without a request. */
  readonly pagesReplayed: number;
  /** Robots.txt files that were read again, without a request. */
  readonly robotsReplayed: number;
  /** Lines that were only counted: tries that were repeated later, and pages of random walks. */
  readonly linesCounted: number;
  /** URLs that wait now. */
  readonly queued: number;
  readonly seconds: number;
}

export interface CrawlOptions {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly openings: Omit<CrawlOpenings, "steering">;
  readonly topology: CrawlTopology;
  /** The connectors to other processes that the topology may have; null if there can be none. */
  readonly remotes: RemotePost | null;
  /** What it goes on from; null for a new crawl. */
  readonly saved: SavedCrawl | null;
  /** What is replayed because the crawl was killed; null if it was not. */
  readonly recovery: Recovery | null;
  /** Whether it ends when that is over, and fetches nothing. */
  readonly replaysOnly?: boolean;
  /** Seeds that were not offered before. */
  readonly seeds: readonly string[];
  /** Pages that failed and are tried again. */
  readonly requeued?: readonly FailedPage[];
  /** The depth limit of its last run, if that was raised; else null. */
  readonly depthsBefore: DepthLimits | null;
  /** Told when it goes on after a kill. */
  readonly recovered?: (account: RecoveryAccount) => void;
  /** What its directory says about how it goes on. */
  readonly recorded: RecordedConfiguration;
  /** Says in checkpoints since when links are read by the settings of now. */
  readonly reading?: ReadingMark;
  /** Whether it waits for further seeds when nothing is left, instead of ending. */
  readonly stays: boolean;
  /** Where its checkpoint is kept; null if it cannot be continued. */
  readonly checkpoints: CheckpointKeeper | null;
  /** Its place among the other agents of a larger crawl; left out or null for a whole one. */
  readonly member?: CrawlMember | null;
  /** The place of its lane among them; left out or null for a whole one. */
  readonly memberLane?: ReturnType<CrawlMember["openLane"]> | null;
  /** Called once for each problem that the crawl waits out, such as a full disk. */
  readonly report: (error: CrawlError) => void;
  /** Called after everything has been closed. */
  readonly closed: () => void;
}
