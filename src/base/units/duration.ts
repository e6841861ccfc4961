/** Spans of time: `250ms`, `1.5s`, `10m`, `24h`, `7d`. Only zero may be written without a unit. */
import { type Measure, type Parsed, parseMagnitude, printMagnitude } from "./magnitude.ts";

/** A whole number of milliseconds. An alias, so that arithmetic stays plain. */
export type Ms = number;

export const SECOND_MS: Ms = 1000;
export const MINUTE_MS: Ms = 60 * SECOND_MS;
export const HOUR_MS: Ms = 60 * MINUTE_MS;
export const DAY_MS: Ms = 24 * HOUR_MS;

const STEPS = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["m", MINUTE_MS],
  ["s", SECOND_MS],
  ["ms", 1],
] as const;

const DURATION: Measure = {
  factors: new Map(STEPS),
  name: "duration",
  of: "of milliseconds",
  examples: "250ms, 1s, 10m, 1d",
  units: "ms, s, m, h, d",
};

/** A bare number is refused: programs disagree on whether it would be seconds or milliseconds. */
export function parseDuration(text: string): Parsed {
  if (text.trim() === "0") return { ok: true, value: 0 };
  return parseMagnitude(text, DURATION);
}

/** Whole and not negative. */
export function printDuration(durationMs: Ms): string {
  return durationMs === 0 ? "0s" : printMagnitude(durationMs, STEPS);
}
