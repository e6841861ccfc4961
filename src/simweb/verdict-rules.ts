/**
 * How the crawl that is judged was to behave: its delays, retries and name. What it was to fetch is
 * the truth's to know. The defaults are those of the crawler's configuration.
 */

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
  /** How often a failure that may pass is tried again; null: that is not judged. */
  readonly retriesMax: number | null;
  /** The longest pause that a host may ask for with Retry-After. */
  readonly retryAfterMsMax: number;
  /** The longest pause that a robots.txt may ask for with Crawl-delay. */
  readonly crawlDelayMsMax: number;
  /** Whether robots.txt has a say. */
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

type Check = (value: unknown) => string | null;

const CHECKS: Readonly<Record<keyof VerdictRules, Check>> = {
  hostDelayMs: isAmount,
  addressDelayMs: isAmount,
  toleranceMs: isAmount,
  retriesMax: orNull(isAmount),
  retryAfterMsMax: isAmount,
  crawlDelayMsMax: isAmount,
  obeysRobots: (value) => (typeof value === "boolean" ? null : "must be true or false"),
  robotsMaxAgeMs: isAmount,
  userAgent: orNull((value) => (typeof value === "string" ? null : "must be a text")),
  pagesMax: orNull(isAmount),
  lostKeys: (value) =>
    Array.isArray(value) && value.every((key) => typeof key === "string")
      ? null
      : "must be a list of texts",
};

/** Rules from a JSON value; what is not named has its default. Every mistake is listed. */
export function readVerdictRules(given: Readonly<Record<string, unknown>>): RulesReading {
  const mistakes: string[] = [];
  const rules: Record<string, unknown> = { ...DEFAULT_RULES };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(CHECKS, name)) {
      mistakes.push(`${name} is no rule; there are ${Object.keys(CHECKS).join(", ")}`);
      continue;
    }
    const problem = CHECKS[name as keyof VerdictRules](value);
    if (problem !== null) mistakes.push(`${name} ${problem}`);
    rules[name] = value;
  }
  if (mistakes.length > 0) return { ok: false, mistakes };
  return { ok: true, rules: rules as unknown as VerdictRules };
}

function isAmount(value: unknown): string | null {
  return typeof value === "number" && value >= 0 ? null : "must be a number of at least 0";
}

function orNull(check: Check): Check {
  return (value) => (value === null ? null : check(value));
}
