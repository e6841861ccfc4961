/** What a node is made of. */
import type { Background, Clock, Random, Storage } from "../../base/seams/index.ts";
import type { AgentId, Transport } from "../../base/transport/index.ts";
import type { NodeMark } from "./checkpoint-waiters.ts";
import type { CrawlFounding } from "./crawl-text.ts";
import type { NodeAgent } from "./node-agent.ts";
import type { NodeSettings } from "./node-settings.ts";

/** What the last checkpoints know of a node. */
interface SavedNode {
  readonly mark: NodeMark;
}

export interface ClusterNodeParts {
  readonly id: AgentId;
  /** Fixed for the life of the crawl. */
  readonly capacity: number;
  /** The crawl that this agent founds if its disk is empty; null for one that joins. */
  readonly founds: CrawlFounding | null;
  /** How many agents are to be there before the crawl that this one founds begins; 1 if left out. */
  readonly expect?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly background: Background;
  readonly transport: Transport;
  readonly settings: NodeSettings;
  readonly agent: NodeAgent;
  readonly saved: SavedNode | null;
}

const NOTHING: NodeMark = { inbox: 0, seeds: 0, custody: null };

/** The mark of the last checkpoint. */
export function markOf({ saved }: ClusterNodeParts): NodeMark {
  return saved?.mark ?? NOTHING;
}
