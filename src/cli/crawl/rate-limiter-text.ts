/**
 * What keeps a crawl from being faster, in words. Mostly it is politeness, and a new user who sees
 * one page a second should know that this is intended, and which flag changes it.
 */
import type { CrawlSummary } from "../../agent/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { durationText, plural } from "./figures.ts";

export interface RateFacts {
  readonly summary: Pick<CrawlSummary, "idle" | "urls" | "agents" | "missing" | "queued">;
  /** Errands in progress. */
  readonly open: number;
  readonly configuration: Pick<Configuration, "politeness" | "fetch">;
}

/** The words of `idle` beside politeness; a word that is not listed is shown as it is. */
const WAITS: Readonly<Record<string, (hosts: number) => string>> = {
  paused: () => "you: it is paused (trobar resume)",
  limit: () => "its limit: the fetches in flight may be the last ones",
  blocked: (hosts) => `you: ${plural(hosts, "host")} blocked by hand`,
  bandwidth: () => "fetch.bandwidth",
  disk: () => "the disk: it is full, or slower than the network",
  memory: (hosts) => `memory: ${plural(hosts, "host")} wait (frontier.memory)`,
  output: () => "the reader of --pages",
  rate: () => "fetch.pagesPerSecond",
  reading: (hosts) => `the disk: the URLs of ${plural(hosts, "host")} are being read`,
  resolving: (hosts) => `the name servers: ${plural(hosts, "host")} to be resolved`,
  retry: (hosts) => `failures: ${plural(hosts, "host")} to be tried again later`,
  seeds: () => "seeds: nothing is left to fetch (trobar seed, trobar stop)",
  robots: (hosts) => `robots.txt of ${plural(hosts, "host")}`,
};

export function rateLimiterText({ summary, open, configuration }: RateFacts): string {
  const { idle, urls, agents, queued } = summary;
  const { concurrency } = configuration.fetch;
  if ((idle["agents"] ?? 0) > 0) return awaitedText(summary);
  // Of several agents one may have nothing left while others are busy.
  const words = ["paused", "disk", "output", "limit", ...(queued > 0 ? [] : ["seeds"])];
  const blocked = words.find((word) => (idle[word] ?? 0) > 0);
  if (blocked !== undefined) return WAITS[blocked]?.(1) ?? blocked;
  if (open >= concurrency) return `connections: all ${concurrency} are in use (-c)`;
  const waiting = Object.entries(idle).filter(([word]) => word !== "empty" && word !== "seeds");
  const [first] = waiting.sort(([, one], [, other]) => other - one);
  if (first === undefined) return open > 0 ? "the servers' answers" : startOrEnd(urls);
  const [word, hosts] = first;
  if (word === "politeness") return politenessText(configuration.politeness.hostDelay);
  if (word === "blocked" && agents > 1) return restingText(hosts);
  return WAITS[word]?.(hosts) ?? `${word} (${plural(hosts, "host")})`;
}

/** The crawl has not begun: its founder knows how many agents are to be there. */
function awaitedText({ idle, agents, missing }: RateFacts["summary"]): string {
  const there = agents - missing.filter(({ why }) => why === "dead").length;
  const expected = there + (idle["agents"] ?? 0);
  return `its agents: ${there} of ${expected} are there, and it begins with the last of them (--expect)`;
}

/** An agent keeps off hosts of which another one may be the owner. */
function restingText(hosts: number): string {
  return `${plural(hosts, "host")} blocked by hand, or at rest until another agent is back (trobar peers)`;
}

function startOrEnd(urls: number): string {
  return urls === 0 ? "nothing: it is about to begin" : "nothing: it is about to end";
}

function politenessText(hostDelayMs: number): string {
  if (hostDelayMs === 0) return "politeness: what sites ask for in robots.txt";
  const pace =
    hostDelayMs === SECOND_MS
      ? "one page a second per host"
      : `${durationText(hostDelayMs)} between pages of a host`;
  return `politeness: ${pace} (--delay)`;
}
