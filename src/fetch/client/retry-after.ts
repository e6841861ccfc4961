/**
 * `Retry-After`: how long a server wants to be left alone, as seconds or as a date. A date is
 * compared with the server's own `Date` if it sent one, since its clock may be wrong; else with ours.
 */
import type { Header } from "../../base/seams/index.ts";
import { webDateMs } from "../../base/time/index.ts";
import { headerValue } from "../../formats/http/index.ts";

/** Longer waits are nonsense, or meant to keep us waiting for ever. */
export const RETRY_AFTER_MS_MAX: number = 7 * 86_400_000;

/** From now on; null when there is no such header, or none that can be read. */
export function retryAfterMs(headers: readonly Header[], wallMs: number): number | null {
  const value = headerValue(headers, "retry-after");
  if (value === undefined) return null;
  if (/^\d+(?:\.\d*)?$/.test(value)) return within(Number.parseFloat(value) * 1000);
  // Dates have names of months: "2030" alone is a number of seconds that somebody signed.
  if (!/[a-z]/i.test(value)) return null;
  const atMs = webDateMs(value);
  if (atMs === null) return null;
  const date = headerValue(headers, "date");
  const serverMs = date === undefined ? null : webDateMs(date);
  return within(atMs - (serverMs ?? wallMs));
}

/** A moment that has passed is now. */
function within(waitMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, 0), RETRY_AFTER_MS_MAX));
}
