/**
 * The number by which the sieve compares tickets: how far a page is from a seed, or from where its host
 * was entered, or both; requisites come after all pages. A URL that was given out as a requisite and is
 * then found as a page *improves*, by the same rule as a page that is found nearer to a seed. So a
 * requisite never hides a page, whichever was found first, and neither is fetched twice.
 */
import { bestDepth, depthsOfPair, pairOfDepths, SINGLE_DEPTH_MAX } from "../sieve/index.ts";
import type { Ticket } from "./ticket.ts";

/** Greater than the depth of any page; the steps beyond the page are added. */
const REQUISITE_DEPTH = 0x8000;

/** By what pages are compared: what is not limited cannot improve. */
export interface ComparedDepths {
  readonly depth: boolean;
  readonly hostDepth: boolean;
}

export function roleDepth(
  ticket: Pick<Ticket, "depth" | "hostDepth" | "requisite">,
  compared: ComparedDepths,
): number {
  const { depth, hostDepth = 0, requisite = 0 } = ticket;
  if (requisite > 0) return REQUISITE_DEPTH + requisite;
  if (compared.hostDepth) return pairOfDepths(compared.depth ? depth : 0, hostDepth);
  return compared.depth ? Math.min(depth, SINGLE_DEPTH_MAX) : 0;
}

/** The ticket at the better of its own depths and those of a record (`depthInRecord`). */
export function atBetterDepths(ticket: Ticket, inRecord: number): Ticket {
  const { depth, hostDepth } = ticket;
  if (hostDepth === undefined) return { ...ticket, depth: Math.min(depth, inRecord) };
  return { ...ticket, ...depthsOfPair(bestDepth(pairOfDepths(depth, hostDepth), inRecord)) };
}

/** Steps beyond a page; 0 for the depth of a page. */
export function requisiteOfDepth(depth: number): number {
  return depth > REQUISITE_DEPTH ? depth - REQUISITE_DEPTH : 0;
}

/** What the depth of a page says of it; null where pages are not compared by that. */
export interface ReadDepths {
  readonly depth: number | null;
  readonly hostDepth: number | null;
}

export function readDepths(value: number, compared: ComparedDepths): ReadDepths {
  if (!compared.hostDepth) return { depth: compared.depth ? value : null, hostDepth: null };
  const { depth, hostDepth } = depthsOfPair(value);
  return { depth: compared.depth ? depth : null, hostDepth };
}
