/** The summary of a crawl, as `crawl --json` and `status` print it; its names are stable. */
import { type CrawlError, isInternalFault } from "../../../base/errors/index.ts";
import {
  type FrontierStatus,
  type MemoryHolder,
  politeRate,
} from "../../../frontier/front/index.ts";
import type { MissingAgent } from "../../control/ask-crawl.ts";
import type { SeedFailure, SeedWatch } from "../../seeds/seed-watch.ts";
import type { CrawlLimit } from "../lane/crawl-limits.ts";
import { CountsByName, type CrawlCounts } from "./crawl-counts.ts";

export type CrawlState = "running" | "paused" | "finished" | "stopped";

/** Why a crawl is in its state: `none` while it runs. */
export type CrawlReason =
  | "none"
  | "exhausted"
  | "limit"
  | "signal"
  /** The reader of `--pages` has gone. */
  | "reader"
  | "disk"
  | "failure";

export interface CrawlSummary {
  readonly state: CrawlState;
  readonly reason: CrawlReason;
  readonly pages: number;
  readonly fetches: number;
  readonly urls: number;
  readonly queued: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly status: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly duplicates: number;
  readonly nearDuplicates: number;
  readonly truncated: number;
  readonly hosts: number;
  readonly requisites: number;
  /** Those that take part, whether they have answered or not. */
  readonly agents: number;
  /** Those that have not: what they have done is not in these figures. */
  readonly missing: readonly MissingAgent[];
  /** The part of the URLs known by now with which the crawl is done; 1 if nothing is left to do. */
  readonly coverage: number;
  /** URLs that agents have told each other, for each page. */
  readonly overhead: number;
  /** Pages of the agent with the fewest, in parts of those of the agent with the most, by capacity. */
  readonly balance: number;
  /** How many views of who is there differ, of those who have answered; 1 if all agree. */
  readonly views: number;
  readonly outbox: Outbox;
  readonly idle: Readonly<Record<string, number>>;
  /** Pages a second that politeness allows at most, from the hosts at hand; null if nothing has to wait. */
  readonly politeRate: number | null;
  /** Which limit was reached, by the name of its key; null when none was. */
  readonly limit: CrawlLimit | null;
  /** Seeds that failed so far, the first hundred, each with the reason and the remedy. */
  readonly failedSeeds: readonly SeedFailure[];
  /** Bytes held in memory, by owner. */
  readonly memory: Readonly<Record<string, number>>;
}

/** What agents have to tell each other. */
interface Outbox {
  /** URLs that another agent has not acknowledged. */
  readonly pending: number;
  /** How long the oldest of them waits. */
  readonly lagSeconds: number;
  /** Bytes that are kept of those that are acknowledged. */
  readonly retained: number;
}

export interface SummaryParts {
  readonly state: CrawlState;
  readonly reason: CrawlReason;
  readonly limit: CrawlLimit | null;
  readonly counts: CrawlCounts;
  readonly frontier: FrontierStatus;
  readonly elapsedMs: number;
  readonly seeds: Pick<SeedWatch, "failures">;
  /** Why nothing is begun, in addition to what the frontier knows. */
  readonly idle: Readonly<Record<string, number>>;
  /** Others than the frontier that hold memory, by name. */
  readonly holders: ReadonlyMap<string, MemoryHolder>;
}

/** A unit with `onFailure: stop` ends a crawl too; anything else that does is the disk. */
export function reasonFor(error: CrawlError): "failure" | "disk" {
  return isInternalFault(error) ? "failure" : "disk";
}

/** Of a crawl that is not paused. */
export function stateFor(reason: CrawlReason): CrawlState {
  if (reason === "none") return "running";
  return reason === "exhausted" || reason === "limit" ? "finished" : "stopped";
}

export function summarize(parts: SummaryParts): CrawlSummary {
  const { state, reason, counts, frontier, elapsedMs } = parts;
  const refused = new CountsByName();
  refused.addAll(counts.refused.toObject());
  refused.addAll(frontier.refused);
  const seconds = elapsedMs / 1000;
  return {
    state,
    reason,
    pages: counts.pages,
    fetches: counts.fetches,
    urls: frontier.urls,
    queued: frontier.queued,
    bytes: counts.bytes,
    seconds: Math.round(elapsedMs) / 1000,
    pagesPerSecond: seconds === 0 ? 0 : Math.round((counts.pages / seconds) * 10) / 10,
    status: counts.status.toObject(),
    errors: counts.errors.toObject(),
    refused: refused.toObject(),
    duplicates: counts.duplicates,
    nearDuplicates: counts.nearDuplicates,
    truncated: counts.truncated,
    hosts: frontier.hosts,
    requisites: counts.requisites,
    ...{ agents: 1, missing: [], overhead: 0, balance: 1, views: 1 },
    coverage: coverageOf(frontier.urls, frontier.queued + frontier.inFlight),
    outbox: { pending: 0, lagSeconds: 0, retained: 0 },
    idle: { ...frontier.idle, ...parts.idle },
    politeRate: politeRate(frontier.allowances),
    limit: parts.limit,
    failedSeeds: parts.seeds.failures,
    memory: { ...frontier.memory, ...bytesByOwner(parts.holders) },
  };
}

/** Never 1 while something is left, however much is known. */
export function coverageOf(urls: number, left: number): number {
  if (left === 0) return 1;
  const share = (urls - left) / Math.max(1, urls);
  return Math.max(0, Math.floor(share * 10_000) / 10_000);
}

function bytesByOwner(holders: ReadonlyMap<string, MemoryHolder>): Record<string, number> {
  return Object.fromEntries(Array.from(holders, ([owner, one]) => [owner, one.memoryBytes]));
}
