/**
 * Fetches a robots.txt for the frontier: one request, and whatever comes of it told in the frontier's
 * words. Redirects are handed back; the frontier decides where and when the next request goes.
 *
 * Only a file that arrived whole gives permission: what is missing may hold the rule that forbids.
 * The one exception is a file longer than the limit (RFC 9309 §2.5), which counts as far as its last
 * whole line within the limit. Any other file that is cut, damaged or cannot be decoded is a failed
 * attempt, like no answer at all.
 */
import type { DecodedContent } from "../fetch/index.ts";
import type { Frontier, RobotsEnd, RobotsErrand } from "../frontier/index.ts";
import {
  parseRobots,
  ROBOTS_BYTES_MAX,
  type RobotsAttempt,
  robotsVerdict,
  sitemapUrls,
} from "../robots/index.ts";
import type {
  Body,
  Fetcher,
  FetchInFlight,
  FetchLimits,
  FetchOutcome,
  Header,
} from "../seams/index.ts";
import { type FetchableUrl, hostOf, parseUrl } from "../url/index.ts";
import type { AnswerReading } from "./answer-reading.ts";
import type { SeedCause, SeedWatch } from "./seed-watch.ts";

export interface RobotsVisitParts {
  readonly fetcher: Fetcher;
  readonly frontier: Frontier;
  readonly answers: AnswerReading;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
  readonly seeds: SeedWatch;
  /** Told of each sitemap that a robots.txt names; null when nobody wants to know. */
  readonly sitemap: ((url: FetchableUrl, robotsUrl: FetchableUrl) => void) | null;
}

type Fetched = FetchOutcome & { readonly kind: "fetched" };
type EndedRobots = RobotsEnd & { readonly kind: "ended" };

const FAILED: RobotsAttempt = { kind: "failed" };

/** Begins the visit; `over` is called when the frontier has been told. */
export function visitRobots(
  parts: RobotsVisitParts,
  errand: RobotsErrand,
  over: () => void,
): FetchInFlight {
  const { fetcher, headers, limits } = parts;
  const { url, address } = errand;
  return fetcher.fetch({ url, address, headers, limits }, (outcome) => {
    read(parts, errand, outcome, (end) => {
      tellFrontier(parts, errand, end, outcome);
      if (end.kind === "ended" && end.bytes !== null) tellSitemaps(parts, errand, end.bytes);
      over();
    });
  });
}

/** The seeds of the origin wait for its robots.txt: when it cannot be had, they fail with it. */
function tellFrontier(
  { frontier, seeds }: RobotsVisitParts,
  errand: RobotsErrand,
  end: RobotsEnd,
  outcome: FetchOutcome,
): void {
  const host = hostOf(`${errand.origin}/` as FetchableUrl);
  const isFailure = end.kind === "ended" && robotsVerdict(end.attempt) === "unreachable";
  if (isFailure) seeds.hostFailing(host, causeOf(outcome, end));
  const settlement = frontier.robotsFetched(errand, end);
  if (isFailure) seeds.hostFailed(host, settlement);
}

function causeOf(outcome: FetchOutcome, { attempt, code }: EndedRobots): SeedCause {
  if (outcome.kind === "failed") return outcome.error;
  return code ?? (attempt.kind === "answered" ? attempt.status : null);
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

/** One byte beyond what counts shows the parser that the file was cut, and that its last line was. */
const READ_BYTES_MAX = ROBOTS_BYTES_MAX + 1;

/** As much of a body as counts, whatever `fetch.maxBody` says of pages. */
export function robotsLimits(limits: FetchLimits): FetchLimits {
  return { ...limits, bodyBytesMax: READ_BYTES_MAX };
}

function read(
  { answers }: RobotsVisitParts,
  { url }: RobotsErrand,
  outcome: FetchOutcome,
  done: (end: RobotsEnd) => void,
): void {
  if (outcome.kind !== "fetched") {
    if (outcome.kind === "cancelled") done(outcome);
    else done({ ...ended(FAILED, null, null), code: outcome.error.code });
    return;
  }
  const { status, headers, body } = outcome;
  const retryAfterMs = answers.retryAfterMs(headers);
  if (status >= 200 && status < 300) {
    readBody(answers, outcome, (bytes) => {
      if (bytes !== null) done(ended({ kind: "answered", status }, bytes, retryAfterMs));
      else done({ ...ended(FAILED, null, retryAfterMs), code: "FETCH_ROBOTS_INCOMPLETE" });
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
): EndedRobots {
  return { kind: "ended", attempt, bytes, retryAfterMs };
}

/** The decoded file, or null when some of it is missing; gives the body's memory back. */
function readBody(
  answers: AnswerReading,
  outcome: Fetched,
  done: (bytes: Uint8Array | null) => void,
): void {
  const { body } = outcome;
  answers.decode(
    outcome,
    (content) => {
      const { body: decoded } = content;
      const finish = (bytes: Uint8Array | null): void => {
        body.release();
        if (decoded !== body) decoded.release();
        done(bytes);
      };
      if (isWhole(outcome, content)) readAll(decoded, finish);
      else finish(null);
    },
    READ_BYTES_MAX,
  );
}

/** Whether everything is there, or everything up to the size limit. */
function isWhole({ truncatedBy }: Fetched, content: DecodedContent): boolean {
  if (truncatedBy !== null && truncatedBy !== "length") return false;
  switch (content.truncatedBy) {
    case null:
      return content.error === null || content.error.code === "FETCH_CONTENT_NOT_ENCODED";
    case "length":
      return true;
    case "corrupt":
      // Compressed content that we cut ourselves has no end.
      return truncatedBy === "length" && content.error?.facts["how"] === "cut";
    default:
      return false;
  }
}

/** A copy, since the body's memory is given back. */
function readAll(body: Body, done: (bytes: Uint8Array | null) => void): void {
  const wanted = Math.min(body.lengthBytes, READ_BYTES_MAX);
  if (body.bytes !== null) done(body.bytes.slice(0, wanted));
  else body.read(0, wanted, (_error, bytes) => done(bytes?.length === wanted ? bytes : null));
}
