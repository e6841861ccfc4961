/** The line of a page that was stored. */
import type { CrawlLine, CrawlNote } from "./crawl-line.ts";
import { bodyBytesOf, type FetchedPage, type StoredPage } from "./fetched-page.ts";

export function lineOf(page: FetchedPage, stored: StoredPage): CrawlLine {
  return {
    ...page.crawl,
    atMs: page.fetchedAtMs,
    result: page.failure ?? page.response.status,
    bodyBytes: bodyBytesOf(page),
    url: page.url,
    digest: stored.digest,
    address: page.address,
    place: stored.place,
    notes: [...page.crawl.notes, ...notesOf(page, stored)],
  };
}

/** What the store itself knows about a page; the caller adds the rest. */
function notesOf(page: FetchedPage, { duplicateOf }: StoredPage): CrawlNote[] {
  const notes: CrawlNote[] = [];
  if (duplicateOf !== null) notes.push(["duplicate", duplicateOf]);
  if (page.truncatedBy !== null) notes.push(["truncated", page.truncatedBy]);
  if (page.keep === "metadata" && page.absent?.kept == null) notes.push(["noarchive"]);
  if (page.keep === "nothing") notes.push(["unstored"]);
  return notes;
}
