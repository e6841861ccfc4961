/**
 * How far redirects are followed. The only thing kept of a trail is how many led here in a row,
 * which travels with the URL: each hop is another URL that may belong to another agent. A URL that
 * redirects to itself is found at once; a longer loop comes to a URL that the sieve has seen, or,
 * for what the sieve does not see (robots.txt), to the limit.
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
