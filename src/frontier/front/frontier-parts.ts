/** What a frontier of hosts is put together from, by `open-frontier.ts`. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Clock, Random } from "../../base/seams/index.ts";
import type { HostQueues } from "../queues/index.ts";
import type { Sieve } from "../sieve/index.ts";
import type { Ticket } from "../ticket/index.ts";
import type { PromotingQueues, Traversal } from "../traversal/index.ts";
import type { AddressTable } from "./bench/address-table.ts";
import type { AliasTable } from "./bench/alias-table.ts";
import type { VisitShares } from "./bench/visit-shares.ts";
import type { RefusalListener, RefusedSeed } from "./frontier.ts";
import type { FrontierMemory } from "./frontier-memory.ts";
import type { FrontierSettings } from "./frontier-settings.ts";
import type { Distributor } from "./hosts/distributor.ts";
import type { HostLedger } from "./hosts/host-ledger.ts";
import type { HostRules } from "./hosts/host-rules.ts";
import type { VisitLines } from "./hosts/state/visit-lines.ts";
import type { VisitStates } from "./hosts/state/visit-states.ts";
import type { Tally } from "./hosts/tally.ts";
import type { CheckpointClock } from "./saving/checkpoint-clock.ts";
import type { DepthBook } from "./visits/depth-book.ts";
import type { EndedUrls } from "./visits/ended-urls.ts";
import type { HeldErrands } from "./visits/held-errands.ts";
import type { RobotsElsewhere } from "./visits/robots-desk.ts";
import type { TriedUrls } from "./visits/tried-urls.ts";

export interface HostFrontierParts {
  readonly clock: Clock;
  readonly crawlClock: CheckpointClock;
  readonly addresses: AddressTable;
  readonly aliasTable: AliasTable | null;
  readonly random: Random;
  readonly settings: FrontierSettings;
  readonly mayFetch: (ticket: Ticket) => boolean;
  readonly seedRefused: (refused: RefusedSeed) => void;
  readonly robotsElsewhere?: RobotsElsewhere | undefined;
  /** Whether it is told of all URLs, not only of seeds. */
  readonly isAsked: boolean;
  /** Null unless somebody wants to know of all URLs that are refused. */
  readonly refusals: RefusalListener | null;
  readonly faulted: (error: CrawlError, url: string) => void;
  readonly traversal: Traversal;
  readonly sieve: Sieve;
  readonly queues: HostQueues;
  /** The same queues, where URLs that wait can be promoted; else null. */
  readonly promoting: PromotingQueues | null;
  readonly ledger: HostLedger;
  readonly rules: HostRules;
  readonly states: VisitStates;
  readonly lines: VisitLines;
  readonly shares: VisitShares;
  readonly distributor: Distributor;
  readonly tally: Tally;
  /** Null without a depth limit. */
  readonly depths: DepthBook | null;
  readonly failed: (error: CrawlError) => void;
  /** Errands whose ends are not over. */
  readonly held: HeldErrands;
  /** URLs whose tickets are dropped. */
  readonly ended: EndedUrls;
  /** URLs that were tried more often than their tickets say. */
  readonly tried: TriedUrls;
  readonly memory: FrontierMemory;
  readonly closeNames: (done: Acknowledge) => void;
}
