/**
 * A page that was fetched after the last checkpoint, as its line in the crawl log and the archive tell:
 * enough to work on it once more as if it had just been answered.
 */

import { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { FetchedOutcome, FetchOutcome } from "../../base/seams/index.ts";
import { type FetchableUrl, hostOf } from "../../formats/url/index.ts";
import type { Frontier, PageErrand } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { type CrawlLine, noteOf, type StoredPage } from "../../store/archive/index.ts";
import type { PastAnswer } from "../../store/query/index.ts";
import type { SitemapLevel } from "../links/named-sitemaps.ts";
import { memoryBody } from "../units/memory-body.ts";

/** What a visit has that is replayed. */
export interface ReplayedPage {
  readonly line: CrawlLine;
  readonly outcome: FetchOutcome;
  /** How it was stored. */
  readonly stored: StoredPage;
  /** The level of the sitemap that it is; null for a page. */
  readonly sitemap: SitemapLevel | null;
  /** Whether the frontier was told of its end before. */
  readonly isTold: boolean;
}

export function replayedPage(
  line: CrawlLine,
  answer: PastAnswer | null,
): Omit<ReplayedPage, "isTold"> {
  const { place, digest } = line;
  const duplicateOf = noteOf(line, "duplicate") || null;
  return {
    line,
    outcome: outcomeOf(line, answer),
    stored: { place, digest: digest ?? "", duplicateOf },
    sitemap: sitemapLevelOf(line),
  };
}

/** Null for a line that is not about a sitemap. */
export function sitemapLevelOf(line: CrawlLine): SitemapLevel | null {
  const note = noteOf(line, "sitemap");
  return note === null ? null : note === "2" ? 2 : 1;
}

/** The errand as it was, as far as it matters for what the page leads to. */
export function replayedErrand(line: CrawlLine, { high, low }: Fingerprint): PageErrand {
  const url = line.url as FetchableUrl;
  const { depth, via, address } = line;
  const hostDepth = noteOf(line, "host-depth");
  const requisite = noteOf(line, "requisite");
  return {
    kind: "page",
    ...{ host: hostOf(url), address, attempt: line.attempt - 1 },
    ticket: {
      ...{ high, low, url, depth, via, priority: 0 },
      redirects: Number(noteOf(line, "redirects") ?? 0),
      ...(hostDepth === null ? {} : { hostDepth: Number(hostDepth) }),
      ...(requisite === null ? {} : { requisite: requisite === "" ? 1 : Number(requisite) }),
    },
  };
}

type EndedPage = Parameters<Frontier["markEnded"]>[0][number];

/** As the frontier is told of it. */
export function endedPage({ result }: CrawlLine, ticket: Ticket, isTold: boolean): EndedPage {
  const { url, high, low, depth, hostDepth, requisite = 0 } = ticket;
  const isSuccess = typeof result === "number" && result >= 200 && result < 300;
  const steps = hostDepth === undefined ? {} : { hostDepth };
  return { url, high, low, depth, ...steps, isPage: isSuccess && requisite === 0, isTold };
}

export function outcomeOf(line: CrawlLine, answer: PastAnswer | null): FetchOutcome {
  const { result, durationMs } = line;
  if (typeof result === "string" || answer === null) {
    const code = typeof result === "string" ? result : "FETCH_BODY_NOT_KEPT";
    return { kind: "failed", error: new CrawlError(code, `${line.url} failed before (${code}).`) };
  }
  const { reason, headers, payload } = answer;
  return {
    ...{ kind: "fetched", request: null, status: result, reason, headers },
    ...{ body: memoryBody(payload), answerMs: durationMs, truncatedBy: cutBy(line) },
  };
}

function cutBy(line: CrawlLine): FetchedOutcome["truncatedBy"] {
  const why = noteOf(line, "truncated");
  return why === "length" || why === "time" || why === "disconnect" ? why : null;
}
