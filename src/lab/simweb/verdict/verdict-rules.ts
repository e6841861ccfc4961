/**
 * How the crawl that is judged was to behave: its delays, retries and name. What it was to fetch is
 * part of the truth. The defaults are those of the crawler's configuration.
 */
import {
  type Check,
  checkFields,
  isAmount,
  isText,
  isTextList,
  isTruthValue,
  orNull,
} from "../serve/json-checks.ts";

export interface VerdictRules {
  /** From the end of one visit of a host to the start of the next. */
  readonly hostDelayMs: number;
  /** The same for an address; 0 allows any number of visits at once. */
  readonly addressDelayMs: number;
  /**
   * By how much a measured gap may be too small. A server sees the end of a long answer a little
   * late and the start of a request late too, so that gaps are known only this exactly.
   */
  readonly toleranceMs: number;
  /** Whether hosts whose aliases lead to the same name count as one. */
  readonly countsAliases: boolean;
  /** How often a failure that may pass is tried again; null: that is not judged. */
  readonly retriesMax: number | null;
  /** The longest pause that a host may ask for with Retry-After. */
  readonly retryAfterMsMax: number;
  /** The longest pause that a robots.txt may ask for with Crawl-delay. */
  readonly crawlDelayMsMax: number;
  /** Whether robots.txt applies. */
  readonly obeysRobots: boolean;
  readonly robotsMaxAgeMs: number;
  /** The whole name; null: any, as long as it is always the same. */
  readonly userAgent: string | null;
  /** Most pages that the crawl was to fetch; null: as many as there are. */
  readonly pagesMax: number | null;
  /** Pages whose only copy was lost, so that each may be fetched once more for each mention. */
  readonly lostKeys: readonly string[];
}

export const DEFAULT_RULES: VerdictRules = {
  hostDelayMs: 1000,
  addressDelayMs: 250,
  toleranceMs: 2,
  countsAliases: false,
  retriesMax: 3,
  retryAfterMsMax: 600_000,
  crawlDelayMsMax: 60_000,
  obeysRobots: true,
  robotsMaxAgeMs: 86_400_000,
  userAgent: null,
  pagesMax: null,
  lostKeys: [],
};

export type RulesReading =
  | { readonly ok: true; readonly rules: VerdictRules }
  | { readonly ok: false; readonly mistakes: readonly string[] };

const CHECKS: Readonly<Record<keyof VerdictRules, Check>> = {
  hostDelayMs: isAmount,
  addressDelayMs: isAmount,
  toleranceMs: isAmount,
  countsAliases: isTruthValue,
  retriesMax: orNull(isAmount),
  retryAfterMsMax: isAmount,
  crawlDelayMsMax: isAmount,
  obeysRobots: isTruthValue,
  robotsMaxAgeMs: isAmount,
  userAgent: orNull(isText),
  pagesMax: orNull(isAmount),
  lostKeys: isTextList,
};

/** Rules from a JSON object; what it does not name is as in `base`. Every mistake is listed. */
export function readVerdictRules(
  given: Readonly<Record<string, unknown>>,
  base: VerdictRules = DEFAULT_RULES,
): RulesReading {
  const mistakes = checkFields(given, CHECKS);
  if (mistakes.length > 0) return { ok: false, mistakes };
  // Every field that is given has been found to be of its type.
  return { ok: true, rules: { ...base, ...(given as Partial<VerdictRules>) } };
}
