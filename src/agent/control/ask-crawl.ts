/**
 * Questions about the pages of a crawl that runs in this process, answered on another thread by the view
 * that `trobar store` has of its directory: however long an answer takes, the crawl goes on meanwhile.
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import type { Task } from "../../base/seams/index.ts";
import { quoted, thrownReason } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { MIB, SECOND_MS } from "../../base/units/index.ts";
import {
  contentOf,
  type PageRecord,
  type PageRow,
  type RecordOutcome,
  type RowLink,
  wholeRow,
} from "../../store/export/index.ts";
import {
  type CrawlView,
  type LatestPages,
  loadPageFilter,
  openCrawlView,
  printCursor,
  readCursor,
} from "../../store/query/index.ts";
import { type CrawlMemory, explainUrl, type MemoryLook } from "../explain/explain-url.ts";
import type { Explanation } from "../explain/explanation.ts";
import { type FailedAsked, type FailedFound, findFailed } from "./failed-pages.ts";

/** What is in memory about a URL, as plain data. */
export interface RunningLook extends Pick<CrawlMemory, "scope" | "isExhausted"> {
  readonly look: MemoryLook;
}

export interface Questions {
  page: { asks: { readonly url: string } & RowWishes; gives: PageRow | null };
  pages: { asks: PagesAsked; gives: PagesFound };
  content: { asks: { readonly url: string }; gives: PageContent };
  answer: { asks: { readonly url: string }; gives: PageAnswer };
  links: { asks: LinksAsked; gives: LinksFound };
  latest: {
    asks: { readonly after: number | null; readonly count: number };
    gives: LatestPages;
  };
  failed: { asks: FailedAsked; gives: FailedFound };
  explain: {
    asks: { readonly url: string; readonly memory: RunningLook | null };
    gives: Explanation | null;
  };
}

/** What a row is to have besides its fields. */
export interface RowWishes {
  readonly text?: boolean;
  readonly links?: boolean;
}

export interface PagesAsked extends RowWishes {
  readonly prefix: string;
  /** An expression; null for all pages. */
  readonly filter?: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** An agent from which no answer came, and why. */
export interface MissingAgent {
  readonly agent: string;
  readonly why: "dead" | "given-up" | "timed-out" | "failed";
}

/** What several agents were asked for. */
interface FromAgents {
  /** Whose part is missing; left out where a single directory was asked. */
  readonly missing?: readonly MissingAgent[];
}

export interface PagesFound extends FromAgents {
  readonly pages: readonly PageRow[];
  /** For each page, what follows it. */
  readonly cursors: readonly string[];
  /** What follows begins there; null if all pages there are now have been looked at. */
  readonly cursor: string | null;
  /** Where pages follow that come later. */
  readonly end: string;
}

export interface PageContent {
  readonly page: PageRow;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A page with the answer that was archived, its body as it was received. */
export interface PageAnswer {
  readonly page: PageRow;
  /** Null if nothing was archived. */
  readonly answer: {
    readonly statusLine: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly payload: Uint8Array<ArrayBuffer>;
  } | null;
}

export interface LinksAsked {
  readonly url: string;
  readonly direction: "in" | "out";
  readonly after: string | null;
  readonly limit: number;
}

export interface LinksFound extends FromAgents {
  readonly links: readonly RowLink[];
  /** What follows begins there; null if there are no more. */
  readonly cursor: string | null;
}

export type Kind = keyof Questions;

export type Question<Of extends Kind = Kind> = {
  readonly [Name in Of]: { readonly kind: Name; readonly folder: string } & Questions[Name]["asks"];
}[Of];

/** Looking through pages ends after about this long, and goes on with the next question. */
const LOOK_MS = 2 * SECOND_MS;

/** So much text is in one answer, and that of one page beyond it. */
const TEXTS_LENGTH_MAX = 4 * MIB;

/** Without a link graph all pages are read for the links that lead to one. */
const SEARCH_MS = 20 * SECOND_MS;

export const askCrawl: Task<Question, unknown> = {
  ...{ module: import.meta.url, name: "askCrawl" },
  run(question, _world, done) {
    answer(question).then(
      (found) => done(null, found),
      (thrown) => done(isCrawlError(thrown) ? thrown : unexpected(thrown), undefined),
    );
  },
};

async function answer(question: Question): Promise<unknown> {
  const view = await openCrawlView(question.folder);
  try {
    return await answerFrom(view, question);
  } finally {
    await view.close();
  }
}

/** Rejects with a `CrawlError`. */
export async function answerFrom(view: CrawlView, question: Question): Promise<unknown> {
  switch (question.kind) {
    case "page":
      return await pageAt(view, question);
    case "pages":
      return await pagesOf(view, question);
    case "content":
      return await contentAt(view, question.url);
    case "answer":
      return await answerAt(view, question.url);
    case "links":
      return await linksOf(view, question);
    case "latest":
      return await view.latest(question.after, question.count);
    case "failed":
      return await findFailed(view, question.folder, question);
    case "explain":
      return await explained(view, question);
  }
}

async function pageAt(
  view: CrawlView,
  { url, text = false, links = false }: Questions["page"]["asks"],
): Promise<PageRow | null> {
  const row = await view.find(url);
  return row === null ? null : await wholeRow(view, row, { text, links });
}

async function pagesOf(view: CrawlView, asked: PagesAsked): Promise<PagesFound> {
  const { prefix, after, limit, filter = null, text = false, links = false } = asked;
  const from = after === null ? 0 : readCursor(view.id, after);
  if (from === null) throw refused(`${quoted(after ?? "")} is not a cursor of this crawl.`);
  const loaded = filter === null ? null : await loadPageFilter(filter, "filter");
  const clock = new SystemClock();
  const untilMs = clock.nowMs() + LOOK_MS;
  const found: PageRow[] = [];
  const cursors: string[] = [];
  let textsLength = 0;
  let end = printCursor(view.id, from);
  for await (const { pages, cursors: ends, cursor } of view.pages(from)) {
    for (const [at, page] of pages.entries()) {
      if (!page.url.startsWith(prefix) || loaded?.accepts(page) === false) continue;
      const row = text || links ? await wholeRow(view, page, { text, links }) : page;
      end = printCursor(view.id, ends[at] ?? cursor);
      found.push(row);
      cursors.push(end);
      textsLength += row.text?.length ?? 0;
      const isFull = found.length >= limit || textsLength >= TEXTS_LENGTH_MAX;
      // What is read of each page may take long.
      const isLate = (text || links) && clock.nowMs() >= untilMs;
      if (isFull || isLate) return { pages: found, cursors, cursor: end, end };
    }
    end = printCursor(view.id, cursor);
    if (clock.nowMs() >= untilMs) return { pages: found, cursors, cursor: end, end };
  }
  return { pages: found, cursors, cursor: null, end };
}

async function contentAt(view: CrawlView, url: string): Promise<PageContent> {
  const page = await view.find(url);
  if (page === null) throw pageAbsent(url);
  return contentIn(page, await view.record(page));
}

/** The content of an answer. Throws if there is none. */
export function contentIn(
  page: PageRow,
  outcome: Damaged | Absent | { readonly kind: "record"; readonly record: ArchivedHead },
): PageContent {
  const { url } = page;
  if (outcome.kind === "absent") throw absent(`${quoted(url)} has no content in the archive.`);
  const content = outcome.kind === "record" ? contentOf(outcome.record) : outcome;
  if (content.kind === "damaged") throw damaged(url, content.reason);
  // A copy has a buffer of its own, which can be moved.
  return { page, bytes: new Uint8Array(content.bytes) };
}

async function answerAt(view: CrawlView, url: string): Promise<PageAnswer> {
  const page = await view.find(url);
  if (page === null) throw pageAbsent(url);
  return answerIn(page, await view.record(page));
}

/** Throws if it cannot be read. */
export function answerIn(page: PageRow, outcome: Parameters<typeof contentIn>[1]): PageAnswer {
  if (outcome.kind === "damaged") throw damaged(page.url, outcome.reason);
  if (outcome.kind === "absent") return { page, answer: null };
  const { statusLine, headers, payload } = outcome.record;
  return { page, answer: { statusLine, headers, payload: new Uint8Array(payload) } };
}

type Damaged = Extract<RecordOutcome, { kind: "damaged" }>;
type Absent = Extract<RecordOutcome, { kind: "absent" }>;
type ArchivedHead = Pick<PageRecord, "statusLine" | "headers" | "payload">;

async function linksOf(
  view: CrawlView,
  { url, direction, after, limit }: LinksAsked,
): Promise<LinksFound> {
  const skip = skipOf(after);
  const cursorAt = (isMore: boolean): string | null => (isMore ? String(skip + limit) : null);
  if (direction === "out") {
    const links = await view.linksOf(url);
    if (links === null) throw linksAbsent(url);
    const isMore = links.length > skip + limit;
    return { links: links.slice(skip, skip + limit), cursor: cursorAt(isMore) };
  }
  const found: RowLink[] = [];
  let left = skip;
  const clock = new SystemClock();
  const untilMs = clock.nowMs() + SEARCH_MS;
  for await (const links of view.linksTo(url)) {
    if (clock.nowMs() >= untilMs) throw tooLong(url);
    const rest = links.slice(left);
    left = Math.max(0, left - links.length);
    found.push(...rest.slice(0, limit + 1 - found.length));
    if (found.length > limit) return { links: found.slice(0, limit), cursor: cursorAt(true) };
  }
  return { links: found, cursor: null };
}

/** So many are skipped. */
function skipOf(after: string | null): number {
  if (after === null) return 0;
  if (/^\d{1,9}$/.test(after)) return Number(after);
  throw refused(`${quoted(after)} is not a cursor of these links.`);
}

async function explained(
  view: CrawlView,
  { folder, url, memory }: Question<"explain">,
): Promise<Explanation | null> {
  const known = memory === null ? null : { ...memory, look: async () => memory.look };
  return await explainUrl(url, { folder, view, version: version(), memory: known });
}

function tooLong(url: string): CrawlError {
  return new CrawlError(
    "CONTROL_BUSY",
    `Looking for the links to ${quoted(url)} takes too long, since the crawl keeps no link graph. ` +
      "Use `trobar store links --in`, or set store.links.",
  );
}

export function pageAbsent(url: string): CrawlError {
  return absent(`${quoted(url)} is not in this crawl.`);
}

export function linksAbsent(url: string): CrawlError {
  return absent(`Nothing is known of the links of ${quoted(url)}.`);
}

function absent(message: string): CrawlError {
  return new CrawlError("CONTROL_NOT_FOUND", message);
}

export function refused(message: string): CrawlError {
  return new CrawlError("API_BAD_REQUEST", message);
}

function damaged(url: string, reason: string): CrawlError {
  return new CrawlError(
    "STORE_RECORD_DAMAGED",
    `The record of ${quoted(url)} cannot be read: ${reason}. \`trobar store verify\` lists all damage.`,
    { url },
  );
}

function unexpected(thrown: unknown): CrawlError {
  const message = `A question about the crawl failed: ${thrownReason(thrown)}.`;
  return new CrawlError("BACKGROUND_TASK_FAILED", message, {}, thrown);
}
