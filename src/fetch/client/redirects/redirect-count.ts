/**
 * How far redirects are followed. Only the number of redirects in a row is kept, with the URL: each
 * hop is another URL that may belong to another agent. A URL that redirects to itself is noticed at
 * once; a longer loop ends at a URL that the sieve has seen or, for robots.txt, which does not pass
 * the sieve, at the limit.
 */
export interface RedirectHop {
  readonly from: string;
  readonly to: string;
  /** How many redirects in a row led to `from`. */
  readonly redirects: number;
  /** `fetch.maxRedirects`, or the limit for robots.txt. */
  readonly redirectsMax: number;
}

export type HopVerdict =
  | { readonly kind: "follow"; readonly redirects: number }
  | { readonly kind: "refused"; readonly reason: "redirect-loop" | "too-many-redirects" };

export function hopVerdict(hop: RedirectHop): HopVerdict {
  if (hop.to === hop.from) return { kind: "refused", reason: "redirect-loop" };
  const redirects = hop.redirects + 1;
  if (redirects > hop.redirectsMax) return { kind: "refused", reason: "too-many-redirects" };
  return { kind: "follow", redirects };
}
