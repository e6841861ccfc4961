/** What a crawl with several lanes is made of. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Storage } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { RecordedConfiguration } from "../control/recorded-configuration.ts";
import type { CrawlMember } from "../crawl/crawl-member.ts";
import type { Recovery, RecoveryAccount } from "../crawl/crawl-options.ts";
import type { FetchLease } from "../member/threads/fetch-lease.ts";
import type { CrawlWorld } from "../providers/crawl-world.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { ReadingMark } from "../saving/reading-mark.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import type { LaneStart } from "./lane-messages.ts";
import type { LaneProxy, LaneProxyParts } from "./lane-proxy.ts";
import type { SharedNumbers } from "./shared-limits.ts";

export interface LanedCrawlOptions {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly world: CrawlWorld;
  readonly numbers: SharedNumbers;
  /** What it goes on from; null for a new crawl. */
  readonly saved: SavedCrawl | null;
  /** What is replayed because the crawl was killed; null if it was not. */
  readonly recovery: Recovery | null;
  /** Told when it goes on after a kill. */
  readonly recovered?: (account: RecoveryAccount) => void;
  /** What each lane begins with, by its number. */
  readonly starts: readonly LaneStart[];
  /** The same for seeds that are added later. */
  readonly divide: (seeds: readonly string[]) => readonly LaneStart[];
  /** Whether it waits for further seeds when nothing is left, instead of ending. */
  readonly stays: boolean;
  readonly recorded: RecordedConfiguration;
  /** Says in checkpoints since when links are read by the settings of now. */
  readonly reading?: ReadingMark;
  readonly checkpoints: CheckpointKeeper;
  /** Its place among the other agents of a larger crawl; null for a whole one. */
  readonly member: CrawlMember | null;
  /** Until when lanes may begin visits, of such a crawl. */
  readonly lease: FetchLease | null;
  /** Starts all lanes; they open what is theirs. */
  readonly startLanes: (parts: Pick<LaneProxyParts, "take" | "died">) => readonly LaneProxy[];
  /** Ends their threads, whatever they do. */
  readonly endLanes: () => Promise<void>;
  readonly report: (error: CrawlError) => void;
  /** Called after everything has been closed. */
  readonly closed: () => void;
}
