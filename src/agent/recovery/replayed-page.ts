/**
 * A page that was fetched after the last checkpoint, as its line in the crawl log and the archive tell:
 * enough to work on it once more as if it had just been answered. The same of a page that another agent has
 * fetched and sends, which is stored here then.
 */

import { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { FetchedOutcome, FetchOutcome } from "../../base/seams/index.ts";
import { type FetchableUrl, hostOf } from "../../formats/url/index.ts";
import type { Frontier, PageErrand } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import {
  type CrawlLine,
  type CrawlNote,
  type FetchedPage,
  noteOf,
  type StoredPage,
} from "../../store/archive/index.ts";
import type { PastAnswer } from "../../store/query/index.ts";
import type { SitemapLevel } from "../links/named-sitemaps.ts";
import { memoryBody } from "../units/memory-body.ts";
import { type KeptPage, readKeptPage } from "./kept-page.ts";

/** What a visit has that is replayed. */
export interface ReplayedPage {
  readonly line: CrawlLine;
  readonly outcome: FetchOutcome;
  /** How it was stored; null for a page that comes from another agent now. */
  readonly stored: StoredPage | null;
  /** Null for a page that was fetched here. */
  readonly sent: SentPage | null;
  /** The level of the sitemap that it is; null for a page. */
  readonly sitemap: SitemapLevel | null;
  /** Whether the frontier was told of its end before. */
  readonly isTold: boolean;
}

/** A page that another agent has fetched. */
export interface SentPage {
  /** From where it came, and where its body is kept, if it is not here. */
  readonly notes: readonly CrawlNote[];
  /** Null if its body is here, and for a page without an answer. */
  readonly absent: NonNullable<FetchedPage["absent"]> | null;
  /** What was found in a body that is not here; null if nothing is known of that. */
  readonly parsed: ParsedPage | null;
  /** While it comes: tells the frontier that the page has ended, where that does not know. */
  readonly tell: (() => void) | null;
}

export function replayedPage(
  line: CrawlLine,
  answer: PastAnswer | null,
): Omit<ReplayedPage, "isTold"> {
  const { place, digest } = line;
  const duplicateOf = noteOf(line, "duplicate") || null;
  const [sent, found] = sentBefore(line, answer);
  return {
    ...{ line, sent },
    outcome: outcomeOf(line, found),
    stored: { place, digest: digest ?? "", duplicateOf },
    sitemap: sitemapLevelOf(line),
  };
}

/** What is replayed of a page that was sent here, and its answer. */
function sentBefore(
  line: CrawlLine,
  answer: PastAnswer | null,
): readonly [sent: SentPage | null, answer: PastAnswer | null] {
  const at = noteOf(line, "kept");
  const { bodyBytes } = line;
  const notes = line.notes.filter(([word]) => word === "from" || word === "kept");
  if (notes.length === 0) return [null, answer];
  if (at === null || answer === null) {
    const isWhole = answer === null || answer.payload.length > 0 || bodyBytes === 0;
    const absent = isWhole ? null : { bodyBytes, kept: null };
    return [{ notes, absent, parsed: null, tell: null }, answer];
  }
  const page = Buffer.from(answer.payload).toString("latin1");
  const { reason, headers, parsed } = readKeptPage(page) ?? NOTHING_KNOWN;
  const absent = { bodyBytes, kept: { at, page } };
  return [
    { notes, absent, parsed, tell: null },
    { reason, headers, payload: NOTHING },
  ];
}

const NOTHING_KNOWN: KeptPage = { reason: "", headers: [], parsed: null };
const NOTHING = new Uint8Array(0);

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
export function endedPage(line: CrawlLine, ticket: Ticket, isTold: boolean): EndedPage {
  const { url, high, low, depth, hostDepth, requisite = 0 } = ticket;
  const { result } = line;
  const isSuccess = typeof result === "number" && result >= 200 && result < 300;
  const steps = hostDepth === undefined ? {} : { hostDepth };
  // What was sent here was counted where it was fetched, and the count has come with its host.
  const isPage = isSuccess && requisite === 0 && noteOf(line, "from") === null;
  return { url, high, low, depth, ...steps, isPage, isTold };
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
