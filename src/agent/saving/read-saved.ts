/** Reads the checkpoint of a crawl that rests, for those who only look at it. */
import { sqliteDatabases } from "../../base/database/index.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { answered } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { type FoundCheckpoint, peekCheckpoint } from "../../store/index/index.ts";
import type { FoundCrawl } from "./checkpoint-keeper.ts";
import { crawlOf } from "./checkpoint-values.ts";

/** Null while the crawl has no checkpoint. Throws if it cannot be read. */
export async function readSavedCrawl(folder: string): Promise<FoundCrawl | null> {
  const databases = sqliteDatabases({ root: folder, clock: new SystemClock(), isReader: true });
  const found = await answered<FoundCheckpoint | null>((done) => peekCheckpoint(databases, done));
  if (found === null) return null;
  const saved = crawlOf(found.values, CrawlDirectory.identityOf(folder).crawl);
  if (isCrawlError(saved)) throw saved;
  return { saved, isWhole: found.isWhole };
}
