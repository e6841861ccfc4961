/** Lines of the crawl log as rows of pages, and as answers that the archive holds. */
import { baseName, type CrawlLine, isAboutPage, isFinal, noteOf } from "../../archive/index.ts";
import type { PageRow } from "../page-row.ts";
import type { ArchivedAnswer } from "./export-source.ts";

/** Null for lines that are not the last word about a page. What the log does not say is null. */
export function rowOf(line: CrawlLine): PageRow | null {
  if (!isAboutPage(line) || !isFinal(line)) return null;
  const isAnswered = typeof line.result === "number";
  const { place } = line;
  return {
    url: line.url,
    status: isAnswered ? Number(line.result) : 0,
    mime: line.mime,
    charset: null,
    bytes: line.bodyBytes,
    depth: line.depth,
    via: line.via,
    title: null,
    language: null,
    fetchedAt: new Date(line.atMs).toISOString(),
    digest: line.digest,
    simhash: null,
    duplicateOf: noteOf(line, "duplicate"),
    nearDuplicateOf: noteOf(line, "near-duplicate"),
    redirectTo: noteOf(line, "redirect"),
    truncated: noteOf(line, "truncated"),
    error: typeof line.result === "number" ? null : line.result,
    warc: place === null ? null : baseName(place.file),
    offset: place?.offset ?? null,
    length: place?.lengthBytes ?? null,
    ...(noteOf(line, "requisite") === null ? {} : { requisite: true as const }),
  };
}

/** Null for lines without a record that can be replayed. */
export function answerOf(line: CrawlLine): ArchivedAnswer | null {
  const { place } = line;
  if (place === null || noteOf(line, "noarchive") !== null) return null;
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
