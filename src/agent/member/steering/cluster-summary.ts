/**
 * The summary of a crawl that several agents share, from what each says of its part. What an agent has done
 * that does not answer is missing from the figures, and the agent is named. What others say may come from
 * another version, so nothing is taken for granted of it.
 */
import { SECOND_MS } from "../../../base/units/index.ts";
import type { MissingAgent } from "../../control/ask-crawl.ts";
import { CountsByName } from "../../crawl/counting/crawl-counts.ts";
import { type CrawlSummary, coverageOf } from "../../crawl/counting/crawl-summary.ts";

/** The part of one agent, and what it says of its place among the others. */
export interface AgentPart {
  readonly agent: string;
  readonly capacity: number;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly pending: number;
  readonly lagMs: number;
  readonly retainedBytes: number;
  readonly told: number;
  /** Equal at agents that agree on who is there. */
  readonly view: string;
}

export interface ClusterParts {
  /** Of the agent that is asked, which says for all whether the crawl runs. */
  readonly own: CrawlSummary;
  /** Of all agents that have answered, this one included. */
  readonly parts: readonly AgentPart[];
  /** How many take part. */
  readonly agents: number;
  readonly missing: readonly MissingAgent[];
}

const FAILED_SEEDS_MAX = 100;

export function clusterSummary({ own, parts, agents, missing }: ClusterParts): CrawlSummary {
  const sum = (name: keyof CrawlSummary): number => total(parts, ({ summary }) => summary[name]);
  const byName = (name: keyof CrawlSummary): Record<string, number> => added(parts, name);
  const pages = sum("pages");
  const seconds = Math.max(own.seconds, ...parts.map(({ summary }) => count(summary["seconds"])));
  const pending = total(parts, (part) => part.pending);
  const told = total(parts, (part) => part.told);
  return {
    ...{ state: own.state, reason: own.reason, limit: own.limit },
    ...{ pages, fetches: sum("fetches"), urls: sum("urls"), queued: sum("queued") },
    ...{ bytes: sum("bytes"), seconds, pagesPerSecond: rounded(pages / seconds, 10) },
    ...{ status: byName("status"), errors: byName("errors"), refused: refused(parts) },
    ...{ duplicates: sum("duplicates"), nearDuplicates: sum("nearDuplicates") },
    ...{ truncated: sum("truncated"), hosts: sum("hosts"), requisites: sum("requisites") },
    ...{ agents, missing, coverage: coverage(parts, pending) },
    ...{ overhead: rounded(told / pages, 1000), balance: balance(parts) },
    views: new Set(parts.map(({ view }) => view)).size,
    outbox: {
      pending,
      lagSeconds: Math.max(0, ...parts.map(({ lagMs }) => Math.round(lagMs))) / SECOND_MS,
      retained: total(parts, (part) => part.retainedBytes),
    },
    ...{ idle: byName("idle"), politeRate: politeRate(parts), memory: byName("memory") },
    failedSeeds: failedSeeds(parts),
  };
}

function total(parts: readonly AgentPart[], of: (part: AgentPart) => unknown): number {
  return parts.reduce((sum, part) => sum + count(of(part)), 0);
}

function added(parts: readonly AgentPart[], name: keyof CrawlSummary): Record<string, number> {
  const sums = new CountsByName();
  for (const { summary } of parts) {
    const table = Object.entries((summary[name] ?? {}) as Readonly<Record<string, unknown>>);
    for (const [key, value] of table) sums.add(key, count(value));
  }
  return sums.toObject();
}

/** Every agent is given all seeds: one that all refuse, say by its port, counts once. */
function refused(parts: readonly AgentPart[]): Record<string, number> {
  const sums = new CountsByName();
  sums.addAll(added(parts, "refused"));
  const told = new Set<string>();
  for (const { summary } of parts) {
    const own = (summary["refused"] ?? {}) as Readonly<Record<string, unknown>>;
    for (const { url, why } of failuresIn(summary)) {
      const failure = `${why} ${url}`;
      if (told.has(failure) && count(own[why]) > 0) sums.add(why, -1);
      told.add(failure);
    }
  }
  return sums.toObject();
}

/** What is left of each part is known from its own coverage; what is on its way to another is left too. */
function coverage(parts: readonly AgentPart[], pending: number): number {
  let left = pending;
  let urls = pending;
  for (const { summary } of parts) {
    const known = count(summary["urls"]);
    urls += known;
    left += Math.round(known * (1 - Math.min(1, count(summary["coverage"]))));
    // A part that is not done has something left, however little of it that is.
    if (count(summary["coverage"]) < 1) left = Math.max(1, left);
  }
  return coverageOf(urls, left);
}

function balance(parts: readonly AgentPart[]): number {
  const loads = parts.map(({ summary, capacity }) => count(summary["pages"]) / (capacity || 1));
  const most = Math.max(...loads);
  return most > 0 ? rounded(Math.min(...loads) / most, 1000) : 1;
}

/** Null if nothing has to wait anywhere. */
function politeRate(parts: readonly AgentPart[]): number | null {
  const rates = parts.map(({ summary }) => summary["politeRate"]);
  const known = rates.filter((rate): rate is number => typeof rate === "number");
  return known.length === 0
    ? null
    : rounded(
        known.reduce((sum, rate) => sum + rate, 0),
        1000,
      );
}

/** Every agent is given all seeds, so the same failure may be told by several. */
function failedSeeds(parts: readonly AgentPart[]): CrawlSummary["failedSeeds"] {
  const byUrl = new Map<string, CrawlSummary["failedSeeds"][number]>();
  for (const { summary } of parts) {
    for (const failure of failuresIn(summary)) byUrl.set(failure.url, failure);
  }
  return [...byUrl.values()].slice(0, FAILED_SEEDS_MAX);
}

function failuresIn(summary: AgentPart["summary"]): CrawlSummary["failedSeeds"] {
  return (summary["failedSeeds"] ?? []) as CrawlSummary["failedSeeds"];
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** 0 for what cannot be divided. */
function rounded(value: number, steps: number): number {
  return Number.isFinite(value) ? Math.round(value * steps) / steps : 0;
}
