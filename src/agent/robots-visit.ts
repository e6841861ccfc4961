/**
 * Fetches a robots.txt for the frontier: one request, and whatever comes of it told in the frontier's
 * words. Redirects are handed back; the frontier decides where and when the next request goes.
 */
import type { Frontier, RobotsEnd, RobotsErrand } from "../frontier/index.ts";
import { parseRobots, ROBOTS_BYTES_MAX, type RobotsAttempt, sitemapUrls } from "../robots/index.ts";
import type {
  Body,
  Fetcher,
  FetchInFlight,
  FetchLimits,
  FetchOutcome,
  Header,
} from "../seams/index.ts";
import { type FetchableUrl, parseUrl } from "../url/index.ts";
import type { AnswerReading } from "./answer-reading.ts";

export interface RobotsVisitParts {
  readonly fetcher: Fetcher;
  readonly frontier: Frontier;
  readonly answers: AnswerReading;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
  /** Told of each sitemap that a robots.txt names; null when nobody wants to know. */
  readonly sitemap: ((url: FetchableUrl, robotsUrl: FetchableUrl) => void) | null;
}

/** Begins the visit; `over` is called when the frontier has been told. */
export function visitRobots(
  parts: RobotsVisitParts,
  errand: RobotsErrand,
  over: () => void,
): FetchInFlight {
  const { fetcher, frontier, headers, limits } = parts;
  const { url, address } = errand;
  return fetcher.fetch({ url, address, headers, limits }, (outcome) => {
    read(parts, errand, outcome, (end) => {
      frontier.robotsFetched(errand, end);
      if (end.kind === "ended" && end.bytes !== null) tellSitemaps(parts, errand, end.bytes);
      over();
    });
  });
}

/** Sitemap lines are for everybody, so the product token does not matter. */
function tellSitemaps(
  { sitemap }: RobotsVisitParts,
  { url }: RobotsErrand,
  bytes: Uint8Array,
): void {
  if (sitemap === null) return;
  for (const named of sitemapUrls(parseRobots(bytes, ""), url)) {
    const outcome = parseUrl(named);
    if (outcome.kind === "accepted") sitemap(outcome.url, url);
  }
}

/** As much of a body as counts, and what a server may send besides. */
export function robotsLimits(limits: FetchLimits): FetchLimits {
  return { ...limits, bodyBytesMax: Math.min(limits.bodyBytesMax, ROBOTS_BYTES_MAX) };
}

function read(
  { answers }: RobotsVisitParts,
  { url }: RobotsErrand,
  outcome: FetchOutcome,
  done: (end: RobotsEnd) => void,
): void {
  if (outcome.kind !== "fetched") {
    if (outcome.kind === "cancelled") done(outcome);
    else done({ ...ended({ kind: "failed" }, null, null), code: outcome.error.code });
    return;
  }
  const { status, headers, body } = outcome;
  const retryAfterMs = answers.retryAfterMs(headers);
  if (status >= 200 && status < 300) {
    answers.decode(outcome, (decoded) => {
      readWhole(decoded, (bytes) => {
        body.release();
        if (decoded !== body) decoded.release();
        // What could not be read is no answer at all: it may hold a rule.
        const attempt: RobotsAttempt =
          bytes === null ? { kind: "failed" } : { kind: "answered", status };
        done(ended(attempt, bytes, retryAfterMs));
      });
    });
    return;
  }
  const target = answers.leadsTo(outcome, url);
  body.release();
  if (target.kind === "redirected") done({ kind: "redirected", to: target.to });
  else done(ended({ kind: "answered", status }, null, retryAfterMs));
}

function ended(
  attempt: RobotsAttempt,
  bytes: Uint8Array | null,
  retryAfterMs: number | null,
): RobotsEnd & { readonly kind: "ended" } {
  return { kind: "ended", attempt, bytes, retryAfterMs };
}

/** A copy, since the body's memory is given back. */
function readWhole(body: Body, done: (bytes: Uint8Array | null) => void): void {
  if (body.bytes !== null) done(body.bytes.slice(0, ROBOTS_BYTES_MAX));
  else body.read(0, ROBOTS_BYTES_MAX, (_error, bytes) => done(bytes ?? null));
}
