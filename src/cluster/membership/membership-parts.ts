/** What a membership is made of. */
import type { Clock, Random, Storage } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import type { Messenger } from "../messages/index.ts";
import type { MembershipListener } from "./membership-listener.ts";
import type { MembershipSettings } from "./membership-settings.ts";
import type { SharedConfiguration } from "./shared/shared-configuration.ts";

export interface MembershipParts {
  readonly id: AgentId;
  /** Fixed for the life of the crawl. */
  readonly capacity: number;
  readonly settings: MembershipSettings;
  /** The crawl that this agent founds if its disk is empty; null for one that joins. */
  readonly founds: SharedConfiguration | null;
  /** How many agents are to be there before the crawl that this agent founds begins; 1 if left out. */
  readonly expect?: number;
  /** Seeds that end after this position in the book of seeds are told again; 0 for all. */
  readonly seedsFrom: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly messenger: Messenger;
  readonly listener: MembershipListener;
}
