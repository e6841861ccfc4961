/**
 * `Retry-After`: how long to wait before the next request, as seconds or as a date. A date is compared
 * with the server's own `Date` if it sent one, since its clock may be wrong; else with ours.
 */
import type { Header } from "../../../base/seams/index.ts";
import { webDateMs } from "../../../base/time/index.ts";
import { headerValue } from "../../../formats/http/index.ts";

/** Longer waits are mistakes or malice. */
export const RETRY_AFTER_MS_MAX: number = 7 * 86_400_000;

/** From now; null when the header is missing or cannot be read. */
export function retryAfterMs(headers: readonly Header[], wallMs: number): number | null {
  const value = headerValue(headers, "retry-after");
  if (value === undefined) return null;
  if (/^\d+(?:\.\d*)?$/.test(value)) return within(Number.parseFloat(value) * 1000);
  // Dates have letters, as in the names of months; anything else, such as "-30", is not a date.
  if (!/[a-z]/i.test(value)) return null;
  const atMs = webDateMs(value);
  if (atMs === null) return null;
  const date = headerValue(headers, "date");
  const serverMs = date === undefined ? null : webDateMs(date);
  return within(atMs - (serverMs ?? wallMs));
}

/** An instant in the past means now. */
function within(waitMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, 0), RETRY_AFTER_MS_MAX));
}
