/** Lines of the crawl log as rows of pages, and as answers that the archive holds. */
import { baseName, type CrawlLine, noteOf } from "../archive/index.ts";
import type { ArchivedAnswer, PageRow } from "../export/index.ts";
import { type IndexedPage, pageOfLine } from "../index/index.ts";

/** Null for lines that are not the last word about a page. What the log does not say is null. */
export function rowOf(line: CrawlLine): PageRow | null {
  const page = pageOfLine(line, () => "");
  return page === null ? null : pageRow(page);
}

/** The fields of a page as JSON, in their order. */
export function pageRow(page: IndexedPage): PageRow {
  const { url, status, mime, charset, bytes, depth, via, title, language, fetchedAt } = page;
  const { digest, simhash, duplicateOf, nearDuplicateOf, redirectTo, truncated, error } = page;
  const { warc, offset, length, requisite } = page;
  return {
    ...{ url, status, mime, charset, bytes, depth, via, title, language, fetchedAt },
    ...{ digest, simhash, duplicateOf, nearDuplicateOf, redirectTo, truncated, error },
    ...{ warc, offset, length },
    ...(requisite ? { requisite: true as const } : {}),
  };
}

/** Null for lines without a record that can be replayed. */
export function answerOf(line: CrawlLine): ArchivedAnswer | null {
  const { place } = line;
  const isBare = noteOf(line, "noarchive") !== null || noteOf(line, "kept") !== null;
  if (place === null || isBare) return null;
  const isHttp = /^(?:https?|file):/.test(line.url);
  const isRevisit = noteOf(line, "duplicate") !== null;
  return {
    url: line.url,
    fetchedAtMs: line.atMs,
    mime: isRevisit ? "warc/revisit" : (line.mime ?? "unk"),
    status: isHttp && typeof line.result === "number" ? line.result : null,
    digest: line.digest,
    warc: baseName(place.file),
    offset: place.offset,
    length: place.lengthBytes,
    page: rowOf(line),
  };
}
