/** Whether a directory holds a crawl that is worth going on with. */
import type { FileName } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { CRAWL_LOG, type CrawlLine, isAboutPage, readCrawlLog } from "../../store/archive/index.ts";
import type { CrawlDirectory } from "../../store/directory/index.ts";
import { answered } from "./answers.ts";

export interface HeldAnswers {
  /**
   * Whether any server answered with a page. A log that cannot be read may hold such a line, and so may one
   * that was lost: beside an archive it had lines.
   */
  readonly mayBePages: boolean;
  /** Whether any server answered at all; looked for only where there are no pages. */
  readonly hasVisits: boolean;
}

export async function mayHoldAnswers(directory: CrawlDirectory): Promise<boolean> {
  return (await heldAnswers(directory)).mayBePages;
}

export async function heldAnswers(directory: CrawlDirectory): Promise<HeldAnswers> {
  let hasVisits = false;
  const mayBePages = await mayBePagesIn(directory, () => {
    hasVisits = true;
  });
  return { mayBePages, hasVisits };
}

async function mayBePagesIn(directory: CrawlDirectory, visited: () => void): Promise<boolean> {
  const storage = new DiskStorage(directory.path);
  const namesIn = (folder: string) =>
    answered<readonly FileName[]>((done) => storage.list(folder, done));
  if (!(await namesIn("logs")).some((name) => name.startsWith(`${CRAWL_LOG}.`))) {
    if ((await namesIn("warc")).length > 0) return true;
    // Without a crawl log the crawl never began, or the user's store is in its place.
    return mayHaveOwnStore(directory) && (await namesIn("frontier/hosts")).length > 0;
  }
  let isFound = false;
  let hasLines = false;
  const take = (line: CrawlLine): boolean => {
    hasLines = true;
    const isVisit = typeof line.result === "number";
    if (isVisit) visited();
    isFound ||= isVisit && isAboutPage(line);
    return !isFound;
  };
  const isUnread = await new Promise<boolean>((read) => {
    readCrawlLog(storage, take, (...[error]) => read(error !== null));
  });
  return isFound || isUnread || (!hasLines && (await namesIn("warc")).length > 0);
}

/** A configuration that cannot be read may name one. */
function mayHaveOwnStore(directory: CrawlDirectory): boolean {
  try {
    const { topology, store } = directory.configuration();
    return topology !== null || !(store.kind === "warc" || store.kind === "jsonl");
  } catch {
    return true;
  }
}
