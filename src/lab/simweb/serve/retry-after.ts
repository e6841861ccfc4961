/** What a Retry-After field asks for: a number of seconds, or the date of an instant to come. */
import type { Header } from "../../../base/seams/index.ts";
import { headerValue } from "../../../formats/http/index.ts";

/** Milliseconds from `wallMs` on; 0 when there is no such field, or none that can be understood. */
export function retryAfterMs(headers: readonly Header[], wallMs: number): number {
  const value = headerValue(headers, "retry-after");
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - wallMs);
}
