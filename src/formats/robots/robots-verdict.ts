/**
 * What an attempt to fetch robots.txt means for the origin (RFC 9309 §2.3.1), as one table. It only
 * decides; the caller acts.
 */

/** Redirects of robots.txt that are followed, also to other hosts (RFC 9309 §2.3.1.2). */
export const ROBOTS_REDIRECTS_MAX = 5;

export type RobotsAttempt =
  /** The status of the last answer, after redirects. */
  | { readonly kind: "answered"; readonly status: number }
  /** More redirects than are followed, a loop, or one that leads nowhere. */
  | { readonly kind: "redirected-too-often" }
  /** No complete answer: name, connection, TLS, time-out, nonsense instead of HTTP. */
  | { readonly kind: "failed" };

/**
 * `parse`: read the body. `unchanged`: keep the present rules. `allow-all`: there is no
 * robots.txt. `unreachable`: nothing may be fetched until a later attempt is answered; when the
 * last retry has failed, the origin's URLs end as `robots-unreachable`.
 */
export type RobotsVerdict = "parse" | "unchanged" | "allow-all" | "unreachable";

interface Row {
  readonly from: number;
  readonly to: number;
  readonly verdict: RobotsVerdict;
}

/** The first row that contains the status counts; a status in no row is not a status of HTTP. */
const BY_STATUS: readonly Row[] = [
  // Only a part of the file, although all of it was asked for: the rest may forbid.
  { from: 206, to: 206, verdict: "unreachable" },
  { from: 200, to: 299, verdict: "parse" },
  // Only ever the answer to a conditional request.
  { from: 304, to: 304, verdict: "unchanged" },
  // A redirect that leads nowhere counts as one too many.
  { from: 300, to: 399, verdict: "allow-all" },
  // "Too many requests" speaks of the server's load, not of the file: the RFC's 5xx in disguise.
  { from: 429, to: 429, verdict: "unreachable" },
  { from: 400, to: 499, verdict: "allow-all" },
  { from: 500, to: 599, verdict: "unreachable" },
];

export function robotsVerdict(attempt: RobotsAttempt): RobotsVerdict {
  if (attempt.kind === "redirected-too-often") return "allow-all";
  if (attempt.kind === "failed") return "unreachable";
  const { status } = attempt;
  const row = BY_STATUS.find(({ from, to }) => status >= from && status <= to);
  return row?.verdict ?? "unreachable";
}
