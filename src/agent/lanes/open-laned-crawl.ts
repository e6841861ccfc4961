/** Opens a crawl with several lanes: its desk in this thread, and a thread for each lane. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Storage } from "../../base/seams/index.ts";
import { RateLimit } from "../../base/time/index.ts";
import { AddressTable, AliasTable } from "../../frontier/front/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { FailedPage } from "../control/failed-pages.ts";
import type { RecordedConfiguration } from "../control/recorded-configuration.ts";
import type { CrawlMember } from "../crawl/crawl-member.ts";
import type { Recovery, RecoveryAccount } from "../crawl/crawl-options.ts";
import type { DepthLimits } from "../links/link-gate.ts";
import { FetchLease } from "../member/threads/fetch-lease.ts";
import type { CrawlWorld } from "../providers/crawl-world.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import type { LaneProxy, LaneProxyParts } from "./lane-proxy.ts";
import { divideSeeds, laneConfiguration } from "./lane-shares.ts";
import { LanedCrawl } from "./laned-crawl.ts";
import type { LaneData } from "./open-lane.ts";
import { SharedNumbers } from "./shared-limits.ts";

export interface LanedCrawlParts {
  readonly lanes: number;
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly storage: Storage;
  /** Of the desk. */
  readonly world: CrawlWorld;
  readonly saved: SavedCrawl | null;
  /** What is replayed because the crawl was killed; null if it was not. */
  readonly recovery: Recovery | null;
  /** Told when it goes on after a kill. */
  readonly recovered?: (account: RecoveryAccount) => void;
  /** Seeds that were not offered before. */
  readonly seeds: readonly string[];
  /** Pages that failed and are tried again. */
  readonly requeued: readonly FailedPage[];
  readonly depthsBefore: DepthLimits | null;
  readonly stays: boolean;
  readonly recorded: RecordedConfiguration;
  readonly checkpoints: CheckpointKeeper;
  readonly threads: LaneThreads;
  readonly report: (error: CrawlError) => void;
  readonly closed: () => void;
  /** Its place among the other agents of a larger crawl; null for a whole one. */
  readonly member: CrawlMember | null;
}

/** Where lanes run. */
export interface LaneThreads {
  start(
    lanes: readonly LaneData[],
    parts: Pick<LaneProxyParts, "take" | "died">,
  ): readonly LaneProxy[];
  /** Whatever they do. */
  end(): Promise<void>;
}

export function newLanedCrawl(parts: LanedCrawlParts): LanedCrawl {
  const { lanes: count, configuration, world, saved, threads, depthsBefore } = parts;
  const addresses = AddressTable.memory(world.tableRows);
  const aliases = configuration.dns.aliases ? AliasTable.memory(count, world.tableRows) : null;
  const memory = SharedNumbers.memory(count);
  const rates = { pages: RateLimit.memory(), bytes: RateLimit.memory() };
  const lease = parts.member === null ? null : FetchLease.memory();
  const { folder, agent, seed, fingerprintKey, version, secrets, output } = world;
  const { pages = 0, bytes = 0 } = saved?.counts.numbers ?? {};
  const lanes = Array.from({ length: count }, (_, number): LaneData => {
    return {
      ...{ number, count, folder, agent, seed, fingerprintKey, version, secrets, addresses },
      ...{ aliases, rates, lease },
      configuration: laneConfiguration(configuration, number, count),
      saved: saved?.lanes[number] ?? null,
      replayFrom: parts.recovery?.from ?? null,
      mayHaveVisited: world.mayHaveVisited,
      before: { pages, bytes },
      output: output === null ? null : fieldsOf(output),
      numbers: memory,
    };
  });
  const divide = (seeds: readonly string[], requeued: readonly FailedPage[] = []) =>
    divideSeeds({
      ...{ configuration, fingerprintKey, lanes: count, seeds, requeued, depthsBefore },
      elapsedMs: saved?.elapsedMs ?? 0,
      watched: saved?.seeds.watched.map(({ at }) => at) ?? [],
    });
  return new LanedCrawl({
    ...parts,
    ...{
      numbers: new SharedNumbers(memory, count),
      starts: divide(parts.seeds, parts.requeued),
      divide,
    },
    lease: lease && new FetchLease(lease, parts.clock),
    startLanes: (proxy) => threads.start(lanes, proxy),
    endLanes: () => threads.end(),
  });
}

function fieldsOf(output: NonNullable<CrawlWorld["output"]>): LaneData["output"] {
  const { target, text, links, markdown } = output;
  return { target, text, links, markdown };
}
