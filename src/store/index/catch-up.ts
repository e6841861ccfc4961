/**
 * Rows from the crawl log: for the pages of its tail that the index does not have, because the
 * process ended before they were written, or because they are not written yet. A line has all that a
 * page needs to be found in the archive; title, language and the like are only in its record.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, Storage } from "../../base/seams/index.ts";
import { type FetchableUrl, hostOf } from "../../formats/url/index.ts";
import { type CrawlLine, isAboutPage, isFinal, noteOf, readCrawlLog } from "../archive/index.ts";
import { CRAWL_LOG_MARK } from "./index-marks.ts";
import type { IndexedPage } from "./indexed-page.ts";
import type { PageIndexWriter } from "./page-index-writer.ts";

export interface CatchUpOptions {
  readonly storage: Storage;
  readonly writer: PageIndexWriter;
  /** Where the lines that have no row begin, and where the log ends. */
  readonly from: Position;
  readonly to: Position;
  readonly keyOf: (url: string) => string;
  readonly fingerprintOf: (key: string) => Fingerprint;
}

/** The page of a line; null for a line that is about no page, or about one that is tried again. */
export function pageOfLine(line: CrawlLine, keyOf: (url: string) => string): IndexedPage | null {
  if (!isAboutPage(line) || !isFinal(line)) return null;
  const { url, depth, via, result, mime, bodyBytes, digest, place } = line;
  const isAnswer = typeof result === "number";
  return {
    ...{ url, key: keyOf(url), host: hostOf(url as FetchableUrl), depth, via },
    ...{ status: isAnswer ? result : 0, mime, bytes: bodyBytes, digest, simhash: null },
    duplicateOf: urlIn(noteOf(line, "duplicate")) ?? urlIn(noteOf(line, "same-text")),
    nearDuplicateOf: urlIn(noteOf(line, "near-duplicate")),
    redirectTo: urlIn(noteOf(line, "redirect")),
    truncated: urlIn(noteOf(line, "truncated")),
    ...{ title: null, language: null, fetchedAt: new Date(line.atMs).toISOString() },
    warc: place === null ? null : place.file.slice(place.file.lastIndexOf("/") + 1),
    offset: place?.offset ?? null,
    length: place?.lengthBytes ?? null,
    charset: null,
    error: isAnswer ? null : result,
    requisite: noteOf(line, "requisite") !== null,
    noindex: false,
    noarchive: noteOf(line, "noarchive") !== null,
    ...{ contentSignal: null, contentUsage: null, tdmReservation: null },
    ...{ textBlock: null, textEntry: null },
  };
}

/** A note that is a bare word says nothing more. */
function urlIn(note: string | null): string | null {
  return note === null || note === "" ? null : note;
}

/**
 * Adds the pages of the log's tail; answers when they are written, or once with the first error, after
 * which the index has the mark it had. The writer looks pages up, since some may have been added before.
 */
export function catchUp(options: CatchUpOptions, done: Acknowledge): void {
  const { storage, writer, from, to, keyOf, fingerprintOf } = options;
  let failure: CrawlError | null = null;
  /** Pages that have no number yet, and the reading of the log. */
  let awaited = 1;
  const settle = (error: CrawlError | null): void => {
    failure ??= error;
    awaited -= 1;
    if (awaited > 0) return;
    if (failure !== null) done(failure);
    else {
      writer.commit(writer.seal(), { [CRAWL_LOG_MARK]: to });
      writer.flush(done);
    }
  };
  const take = (line: CrawlLine, position: Position): boolean => {
    if (position >= to || failure !== null) return false;
    const page = pageOfLine(line, keyOf);
    if (page === null) return true;
    const batch = writer.expect();
    awaited += 1;
    writer.reserve(fingerprintOf(page.key), page.url, (error, number) => {
      if (error === null) writer.add(batch, number, page);
      writer.settle(batch);
      settle(error);
    });
    return true;
  };
  readCrawlLog(storage, take, (...[error]) => settle(error), from);
}
