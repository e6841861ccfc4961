/**
 * The pages of a crawl that failed, to be tried again: those whose last outcome is no answer or a status
 * of 400 and above. Unless a filter says otherwise they are those that may succeed the next time: without
 * an answer, 429, and 500 and above. Those for which that was asked before are left out.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type FetchableUrl, LinkResolver, URL_LENGTH_MAX } from "../../formats/url/index.ts";
import { schemesOf } from "../../rules/config/index.ts";
import { CrawlDirectory, fingerprintKeyBytes } from "../../store/directory/index.ts";
import type { PageRow } from "../../store/export/index.ts";
import { type CrawlView, loadPageFilter, openCrawlView } from "../../store/query/index.ts";
import { RetriedPages } from "./retried-pages.ts";

export interface FailedPage extends Fingerprint {
  readonly url: FetchableUrl;
  readonly depth: number;
  readonly via: string | null;
  readonly isRequisite: boolean;
  /** 0 when there was no answer; `error` then says why. */
  readonly status: number;
  readonly error: ErrorCode | null;
  readonly fetchedAt: string;
}

export interface FailedAsked {
  /** A filter of pages, or a glob; null for those that may succeed. */
  readonly where: string | null;
  /** Where the last portion ended; 0 for the first. */
  readonly after: number;
  /** About this many at a time. */
  readonly limit: number;
}

export interface FailedFound {
  readonly pages: readonly FailedPage[];
  /** Where the next portion begins; null if there is none. */
  readonly next: number | null;
}

/** Rejects with `FILTER_INVALID`. */
export async function findFailed(
  view: CrawlView,
  folder: string,
  { where, after, limit }: FailedAsked,
): Promise<FailedFound> {
  const isWanted = await wanted(where);
  const retried = new RetriedPages(folder);
  const fingerprintOf = fingerprinting(folder);
  const pages: FailedPage[] = [];
  for await (const batch of view.pages(after)) {
    for (const row of batch.pages) {
      if (!isWanted(row) || retried.has(row) || !(await isLast(view, row))) continue;
      const fingerprint = fingerprintOf(row.url);
      if (fingerprint !== null) pages.push(failedPage(row, fingerprint));
    }
    if (pages.length >= limit) return { pages, next: batch.cursor };
  }
  return { pages, next: null };
}

/** All of a crawl that rests, for each of these filters, each page once. */
export async function failedIn(
  folder: string,
  filters: readonly (string | null)[],
): Promise<readonly FailedPage[]> {
  if (filters.length === 0) return [];
  const view = await openCrawlView(folder);
  try {
    const found = new Map<string, FailedPage>();
    for (const where of filters) {
      const asked = { where, after: 0, limit: Number.POSITIVE_INFINITY };
      for (const page of (await findFailed(view, folder, asked)).pages) found.set(page.url, page);
    }
    return [...found.values()];
  } finally {
    await view.close();
  }
}

async function wanted(where: string | null): Promise<(row: PageRow) => boolean> {
  if (where === null) return ({ status }) => status === 0 || status === 429 || status >= 500;
  const { accepts } = await loadPageFilter(where, "--where");
  return (row) => (row.status === 0 || row.status >= 400) && accepts(row);
}

/** A page that was tried again has an earlier line too. */
async function isLast(view: CrawlView, { url, fetchedAt }: PageRow): Promise<boolean> {
  return (await view.find(url))?.fetchedAt === fetchedAt;
}

function fingerprinting(folder: string): (url: string) => Fingerprint | null {
  const configuration = CrawlDirectory.configurationOf(folder);
  const identity = CrawlDirectory.identityOf(folder);
  const resolver = new LinkResolver({
    ...{ fingerprintKey: fingerprintKeyBytes(identity), shards: identity.shards },
    ...{ rules: configuration.url, urlLengthMax: URL_LENGTH_MAX },
    schemes: schemesOf(configuration),
  });
  return (url) => {
    const resolved = resolver.resolve(url, resolver.base(url as FetchableUrl));
    return typeof resolved === "string" ? null : resolved;
  };
}

function failedPage(row: PageRow, { high, low }: Fingerprint): FailedPage {
  const { url, depth, via, status, error, fetchedAt, requisite = false } = row;
  const page = { url: url as FetchableUrl, high, low, depth, via, status, error, fetchedAt };
  return { ...page, isRequisite: requisite };
}
