/** Reads the checkpoint of a crawl that rests, for those who only look at it. */
import { sqliteDatabases } from "../../base/database/index.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { answered } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { type FoundCheckpoint, peekCheckpoint } from "../../store/index/index.ts";
import { crawlOf } from "./checkpoint-values.ts";
import type { SavedCrawl } from "./saved-crawl.ts";

/** Null while the crawl runs, or if it did not end in order. Throws if it cannot be read. */
export async function readSavedCrawl(folder: string): Promise<SavedCrawl | null> {
  const databases = sqliteDatabases({ root: folder, clock: new SystemClock(), isReader: true });
  const found = await answered<FoundCheckpoint | null>((done) => peekCheckpoint(databases, done));
  const saved =
    found?.isWhole === true ? crawlOf(found.values, CrawlDirectory.identityOf(folder).crawl) : null;
  if (isCrawlError(saved)) throw saved;
  return saved;
}
