/** How far away the limits of a crawl are. */
import type { CrawlSummary } from "../../agent/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { bytesText, clockText, durationText, plural } from "./figures.ts";

type Limits = Pick<Configuration["limits"], "pages" | "bytes" | "time">;

/** What a crawl has done, and how fast it has been for some time. */
export interface Done {
  readonly summary: Pick<CrawlSummary, "pages" | "bytes" | "seconds">;
  readonly steady: { readonly pagesPerSecond: number; readonly bytesPerSecond: number };
}

interface LimitState {
  readonly text: string;
  readonly share: number;
  /** Infinity if it is not known. */
  readonly leftMs: number;
}

/** The nearest limit first, then the time that is left; nothing if there are no limits. */
export function limitFacts(done: Done, limits: Limits): readonly string[] {
  const states = statesOf(done, limits);
  if (states.length === 0) return [];
  const leftMs = leftMsOf(states);
  return [
    ...states
      .sort((one, other) => other.share - one.share)
      .map(({ text, share }) => `${Math.floor(share * 100)} % of ${text}`),
    ...(Number.isFinite(leftMs) ? [`about ${clockText(leftMs)} left`] : []),
  ];
}

/** Until the first limit; Infinity if that is not known. */
export function leftMs(done: Done, limits: Limits): number {
  return leftMsOf(statesOf(done, limits));
}

function leftMsOf(states: readonly LimitState[]): number {
  return Math.min(...states.map((state) => state.leftMs));
}

function statesOf({ summary, steady }: Done, { pages, bytes, time }: Limits): LimitState[] {
  return [
    pages === null
      ? null
      : limit(summary.pages, pages, steady.pagesPerSecond, plural(pages, "page")),
    bytes === null ? null : limit(summary.bytes, bytes, steady.bytesPerSecond, bytesText(bytes)),
    time === null ? null : limit(summary.seconds * SECOND_MS, time, SECOND_MS, durationText(time)),
  ].filter((state) => state !== null);
}

function limit(had: number, most: number, perSecond: number, text: string): LimitState {
  const share = most === 0 ? 1 : Math.min(1, had / most);
  const leftMs =
    perSecond <= 0 ? Number.POSITIVE_INFINITY : (Math.max(0, most - had) / perSecond) * SECOND_MS;
  return { text, share, leftMs };
}
