/**
 * What a user sees of a running crawl: at most three lines, each within the width of the terminal.
 * The first counts, the second says what limits the rate, the third how far away the limits are.
 * Facts are in order of usefulness, so that a narrow terminal drops the last ones.
 */
import type { CrawlSummary } from "../../agent/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { amount, bytesText, clockText, plural } from "./figures.ts";
import { limitFacts } from "./limit-facts.ts";
import { rateLimiterText } from "./rate-limiter-text.ts";
import { type WholeFacts, wholeFacts } from "./whole-crawl.ts";

export interface StatusFacts {
  readonly summary: CrawlSummary;
  /** Errands in progress. */
  readonly open: number;
  /** Over the last seconds. */
  readonly pagesPerSecond: number;
  /** Over the last minute: what is left must not jump. */
  readonly steady: { readonly pagesPerSecond: number; readonly bytesPerSecond: number };
  readonly configuration: Pick<Configuration, "limits" | "politeness" | "fetch">;
  /**
   * How the whole crawl goes, if this is a part of it: limits are those of the whole. Null if that is not known
   * yet; left out where there is no other part.
   */
  readonly whole?: WholeFacts | null;
}

const SEPARATOR = " · ";

export function statusLines(facts: StatusFacts, columns: number): string[] {
  const { summary, open, configuration } = facts;
  const limiter = rateLimiterText({ summary, open, configuration });
  const limits = aheadOf(facts);
  return [
    fitted(countFacts(facts), columns),
    fitted([`limited by ${limiter}`, ...politeFacts(limiter, summary)], columns),
    ...(limits.length === 0 ? [] : [fitted(limits, columns)]),
  ];
}

/** The first line alone, for terminals on which nothing can be overwritten. */
export function statusLine(facts: StatusFacts): string {
  return [...countFacts(facts), ...aheadOf(facts)].join(SEPARATOR);
}

function countFacts({ summary, pagesPerSecond }: StatusFacts): string[] {
  const failures = Object.values(summary.errors).reduce((total, count) => total + count, 0);
  return [
    plural(summary.pages, "page"),
    `${pagesPerSecond.toFixed(1)}/s`,
    clockText(summary.seconds * SECOND_MS),
    `${amount(summary.queued)} queued`,
    plural(summary.hosts, "host"),
    ...(failures > 0 ? [`${amount(failures)} failed`] : []),
    bytesText(summary.bytes),
  ];
}

function aheadOf({ summary, steady, configuration, whole }: StatusFacts): readonly string[] {
  const { limits } = configuration;
  if (whole === undefined) return limitFacts({ summary, steady }, limits);
  return whole === null ? [] : wholeFacts(whole, limits);
}

/** Where politeness is what limits, more hosts would help, and not a faster machine. */
function politeFacts(limiter: string, { politeRate }: CrawlSummary): string[] {
  if (politeRate === null || !limiter.startsWith("politeness")) return [];
  return [`these hosts allow ${politeRate.toFixed(1)}/s`];
}

/** As many facts as fit; one column stays free, where terminals break lines. */
function fitted(facts: readonly string[], columns: number): string {
  const most = Math.max(1, columns - 1);
  let line = "";
  for (const fact of facts) {
    const longer = line === "" ? fact : `${line}${SEPARATOR}${fact}`;
    if (longer.length > most) return line === "" ? `${fact.slice(0, most - 1)}…` : line;
    line = longer;
  }
  return line;
}
