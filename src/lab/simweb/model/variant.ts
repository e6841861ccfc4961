/**
 * Other URLs of a slot. Each slot has, beside its own URL, a few more that a link may name: with
 * one of sixteen session identifiers, with one of four campaigns' marks, as `index.html`, or as a
 * further request of a chain of redirects that begins with it. Whether they are the same page is up
 * to the rules that make keys.
 */

/** The URL of the slot itself. */
export const PLAIN = 0;
export const SESSION_FIRST = 1;
export const SESSIONS = 16;
export const CAMPAIGN_FIRST: number = SESSION_FIRST + SESSIONS;
export const CAMPAIGNS = 4;
export const INDEX_PAGE: number = CAMPAIGN_FIRST + CAMPAIGNS;
/** The hop after the first request of a chain; `HOP_FIRST + 1` is the one after that. */
export const HOP_FIRST: number = INDEX_PAGE + 1;
/** No variant has this number or a larger one. */
export const VARIANTS = 64;

export type VariantKind = "plain" | "session" | "campaign" | "index" | "hop";

export function variantKind(variant: number): VariantKind {
  if (variant === PLAIN) return "plain";
  if (variant < CAMPAIGN_FIRST) return "session";
  if (variant < INDEX_PAGE) return "campaign";
  return variant === INDEX_PAGE ? "index" : "hop";
}
