/**
 * The number by which the sieve compares tickets: how far a page is from a seed; requisites come
 * after all pages. A URL that was given out as a requisite and is then found as a page *improves*,
 * by the same rule as a page that is found nearer to a seed. So a requisite never hides a page,
 * whichever was found first, and neither is fetched twice.
 */
import type { Ticket } from "./ticket.ts";

/** Greater than the depth of any page; the steps beyond the page are added. */
const REQUISITE_DEPTH = 0x8000;

/** Without a depth limit all pages are equally near, so that only the role can improve. */
export function roleDepth({ depth, requisite = 0 }: Ticket, comparesPages: boolean): number {
  if (requisite > 0) return REQUISITE_DEPTH + requisite;
  return comparesPages ? Math.min(depth, REQUISITE_DEPTH - 1) : 0;
}

/** Steps beyond a page; 0 for the depth of a page. */
export function requisiteOfDepth(depth: number): number {
  return depth > REQUISITE_DEPTH ? depth - REQUISITE_DEPTH : 0;
}
