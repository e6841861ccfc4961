/**
 * What all agents of a crawl share and a joiner takes over: the identity of the crawl, and the
 * configuration, which can be changed while it runs. The text is opaque here.
 *
 * Two agents may change the configuration at the same time; of changes with the same number that of
 * the agent with the larger id wins everywhere.
 */
import type { AgentId } from "../../../base/transport/index.ts";
import { type Codec, codec } from "../../../topology/items/index.ts";
import { PLACE, type Place } from "../../messages/index.ts";

export interface SharedConfiguration {
  /** Identifies the crawl; never empty. */
  readonly crawl: string;
  /** The secret under which all agents make the fingerprints of URLs. */
  readonly fingerprintKey: string;
  readonly shards: number;
  readonly version: ConfigurationVersion;
  readonly text: string;
}

/** With what the cluster itself has agreed on. */
export interface ClusterConfiguration extends SharedConfiguration {
  /**
   * Those who have a vote, with the disks that they had when they got it (P2); nobody until the crawl is
   * founded. None is ever added to them.
   */
  readonly electors: readonly Place[];
  /**
   * Who made the changes before the last one, the latest first: whether a change is in a configuration, or
   * was lost against another one of the same number. As many as are remembered; none in what an agent has
   * written that did not know of them.
   */
  readonly makers?: readonly AgentId[];
}

/** So many changes are made within the time that anybody waits for one, and many more. */
const MAKERS_MAX = 100;

export interface ConfigurationVersion {
  /** Counts the changes. */
  readonly number: number;
  /** Who made the last one; empty for the founder's configuration. */
  readonly by: AgentId;
}

export const VERSION: Codec<ConfigurationVersion> = codec.struct<ConfigurationVersion>({
  number: codec.count,
  by: codec.text,
});

const SHARDS_MAX = 65_536;

/** A power of two. */
const SHARDS: Codec<number> = {
  write: (shards, into) => into.count(shards),
  read(from) {
    const shards = from.count();
    const isMeant = Number.isInteger(Math.log2(shards)) && shards <= SHARDS_MAX;
    if (!isMeant) throw new RangeError("a number of shards is a power of two");
    return shards;
  },
};

const CRAWL: Codec<string> = {
  write: (crawl, into) => into.text(crawl),
  read(from) {
    const crawl = from.text();
    if (crawl === "") throw new RangeError("a crawl has a name");
    return crawl;
  },
};

/** Behind all other fields of a message, and missing in those of agents that do not know it. */
const MAKERS: Codec<readonly AgentId[] | undefined> = {
  write: (makers = [], into) => codec.list(codec.text).write(makers, into),
  read: (from) => (from.isAtEnd ? [] : codec.list(codec.text).read(from)),
};

export const CLUSTER_CONFIGURATION: Codec<ClusterConfiguration> =
  codec.struct<ClusterConfiguration>({
    crawl: CRAWL,
    fingerprintKey: codec.text,
    shards: SHARDS,
    version: VERSION,
    text: codec.text,
    electors: codec.list(PLACE),
    makers: MAKERS,
  });

/** What a configuration says besides its text when this agent changes it. */
export function changedBy(
  { version, makers = [] }: ClusterConfiguration,
  by: AgentId,
): Pick<ClusterConfiguration, "version" | "makers"> {
  return {
    version: { number: version.number + 1, by },
    makers: [version.by, ...makers].slice(0, MAKERS_MAX),
  };
}

/** Who made a change that led to this configuration; null if that is not known, or is yet to come. */
export function makerOf(
  { version, makers = [] }: ClusterConfiguration,
  number: number,
): AgentId | null {
  if (number === version.number) return version.by;
  return makers[version.number - 1 - number] ?? null;
}

/** Whether a configuration is that of a version, or was made from it. */
export function contains(
  configuration: ClusterConfiguration,
  { number, by }: ConfigurationVersion,
): boolean {
  return makerOf(configuration, number) === by;
}

/** Positive if `one` is the later version, 0 if they are the same. */
export function compareVersions(one: ConfigurationVersion, other: ConfigurationVersion): number {
  if (one.number !== other.number) return one.number - other.number;
  return one.by === other.by ? 0 : one.by > other.by ? 1 : -1;
}
