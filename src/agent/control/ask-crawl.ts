/**
 * Questions about the pages of a crawl that runs in this process, answered on another thread by the view
 * that `trobar store` has of its directory: however long an answer takes, the crawl goes on meanwhile.
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import type { Task } from "../../base/seams/index.ts";
import { quoted, thrownReason } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { contentOf, type PageRow, type RowLink } from "../../store/export/index.ts";
import {
  type CrawlView,
  type LatestPages,
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
  page: { asks: { readonly url: string }; gives: PageRow | null };
  pages: { asks: PagesAsked; gives: PagesFound };
  content: { asks: { readonly url: string }; gives: PageContent };
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

interface PagesAsked {
  readonly prefix: string;
  readonly after: string | null;
  readonly limit: number;
}

interface PagesFound {
  readonly pages: readonly PageRow[];
  /** What follows begins there; null if all pages there are now have been looked at. */
  readonly cursor: string | null;
}

interface PageContent {
  readonly page: PageRow;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface LinksAsked {
  readonly url: string;
  readonly direction: "in" | "out";
  /** So many are left out at the beginning. */
  readonly skip: number;
  readonly limit: number;
}

interface LinksFound {
  readonly links: readonly RowLink[];
  readonly isMore: boolean;
}

export type Kind = keyof Questions;

export type Question<Of extends Kind = Kind> = {
  readonly [Name in Of]: { readonly kind: Name; readonly folder: string } & Questions[Name]["asks"];
}[Of];

/** Looking through pages ends after about this long, and goes on with the next question. */
const LOOK_MS = 2 * SECOND_MS;

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
    switch (question.kind) {
      case "page":
        return await view.find(question.url);
      case "pages":
        return await pagesOf(view, question);
      case "content":
        return await contentAt(view, question.url);
      case "links":
        return await linksOf(view, question);
      case "latest":
        return await view.latest(question.after, question.count);
      case "failed":
        return await findFailed(view, question.folder, question);
      case "explain":
        return await explained(view, question);
    }
  } finally {
    await view.close();
  }
}

async function pagesOf(view: CrawlView, { prefix, after, limit }: PagesAsked): Promise<PagesFound> {
  const from = after === null ? 0 : readCursor(view.id, after);
  if (from === null) throw refused(`${quoted(after ?? "")} is not a cursor of this crawl.`);
  const clock = new SystemClock();
  const untilMs = clock.nowMs() + LOOK_MS;
  const found: PageRow[] = [];
  for await (const { pages, cursors, cursor } of view.pages(from)) {
    for (const [at, page] of pages.entries()) {
      if (!page.url.startsWith(prefix)) continue;
      found.push(page);
      if (found.length < limit) continue;
      return { pages: found, cursor: printCursor(view.id, cursors[at] ?? cursor) };
    }
    if (clock.nowMs() >= untilMs) {
      return { pages: found, cursor: printCursor(view.id, cursor) };
    }
  }
  return { pages: found, cursor: null };
}

async function contentAt(view: CrawlView, url: string): Promise<PageContent> {
  const page = await view.find(url);
  if (page === null) throw absent(`${quoted(url)} is not in this crawl.`);
  const outcome = await view.record(page);
  if (outcome.kind === "absent") throw absent(`${quoted(url)} has no content in the archive.`);
  const content = outcome.kind === "record" ? contentOf(outcome.record) : outcome;
  if (content.kind === "damaged") throw damaged(url, content.reason);
  // A copy has a buffer of its own, which can be moved.
  return { page, bytes: new Uint8Array(content.bytes) };
}

async function linksOf(
  view: CrawlView,
  { url, direction, skip, limit }: LinksAsked,
): Promise<LinksFound> {
  if (direction === "out") {
    const links = await view.linksOf(url);
    if (links === null) throw absent(`Nothing is known of the links of ${quoted(url)}.`);
    return { links: links.slice(skip, skip + limit), isMore: links.length > skip + limit };
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
    if (found.length > limit) return { links: found.slice(0, limit), isMore: true };
  }
  return { links: found, isMore: false };
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

function absent(message: string): CrawlError {
  return new CrawlError("CONTROL_NOT_FOUND", message);
}

function refused(message: string): CrawlError {
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
