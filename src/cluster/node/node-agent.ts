/**
 * What a node needs of the agent around it, besides `Holdings`: the crawl itself. Calls come one at a
 * time, and the agent may call the node inside them.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import type { Holdings } from "../custody/index.ts";
import type { LimitName, LimitStart } from "../limits/index.ts";
import type { SharedConfiguration, View } from "../membership/index.ts";
import type { PageStore } from "../pages/index.ts";
import type { CarryOut, LocalPages } from "../queries/index.ts";

/** What an agent itself has to do. */
export interface AgentWork {
  /** Whether nothing is under way: visits, pages and links that are not yet durable, asks of the node. */
  readonly isIdle: boolean;
  /** Whether URLs wait that could be fetched, now or later, as soon as limits allow it. */
  readonly isWaiting: boolean;
  /** Grows with every change that can make work. */
  readonly changes: number;
  /**
   * Whether others should send nothing more for now: a frontier waits for its disk, or that has no room. A
   * frontier that may not visit has to decide what it was offered all the same (`decideOffers`): while it
   * joins, others wait until it has taken what they hand over.
   */
  readonly isFull: boolean;
}

/** What people ask of an agent, through whichever other one. */
export interface NodeDesk {
  /** Its part of the crawl in numbers, as plain data: a few thousand bytes. */
  summary(): object;
  /** What all agents are called to do, or to say. */
  readonly carryOut: CarryOut;
}

export interface NodeAgent {
  /**
   * The configuration of the crawl is known: frontier and store can be opened. Called once, before
   * everything else; nothing is received or fetched before `opened` was called.
   */
  open(
    configuration: SharedConfiguration,
    opened: (holdings: Holdings, pages: PageStore) => void,
  ): void;

  /** The configuration is another. */
  configured(configuration: SharedConfiguration): void;

  /**
   * Custody has begun: pages that no checkpoint knows are told to the frontier, and their links are found
   * again (D2); each is told to the node (`pages.replayed`). Called once, after `open`; the inbox is replayed afterwards.
   */
  replay(done: Acknowledge): void;

  /** Seeds are durable here; told at once, also while the node opens. */
  seedsHeld(seeds: readonly string[]): void;

  /** Seeds of the crawl, durable here: to be treated like links that were found. Told again after a kill. */
  seedsFound(seeds: readonly string[]): void;

  readonly work: AgentWork;

  /**
   * What the pages that this disk has fetched have used of the limits, and how long the crawl had run when
   * this disk last knew. Asked once, after `replay`, before anything is fetched.
   */
  spent(): Pick<LimitStart, "used" | "elapsedMs">;

  /** The store, as queries see it; asked once `open` was answered. */
  readonly local: LocalPages;

  /** Left out by an agent of which nobody asks anything; asked once `open` was answered. */
  readonly desk?: NodeDesk;

  /** Something may be fetched that could not, or must not that could. */
  woken(): void;

  /** Who is there, or how they seem to be, is another: lanes that route links need to know. */
  viewChanged(view: View): void;

  /** The crawl has ended, unless something makes work again. `limit`: because it had reached this one. */
  finished(limit: LimitName | null): void;
  /** All live members know it: this agent may stop. */
  concluded(): void;
  /** The crawl had ended, and goes on. */
  resumed(): void;
  /** The crawl had ended, and all agents with it, before this one, whose disk is empty, could join. Told again. */
  cameTooLate(): void;

  /** Something that a person should know of. */
  trouble(error: CrawlError): void;
  /** Something after which this node cannot go on. */
  failed(error: CrawlError): void;
}
