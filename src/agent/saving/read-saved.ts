/** Reads the checkpoint of a crawl that rests, for those who only look at it. */
import { join } from "node:path";
import { hasTables, sqliteDatabases } from "../../base/database/index.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { answered } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { type FoundCheckpoint, INDEX_FILE, peekCheckpoint } from "../../store/index/index.ts";
import type { FoundCrawl } from "./checkpoint-keeper.ts";
import { crawlOf } from "./checkpoint-values.ts";

/** Null while the crawl has no checkpoint, or not even a database. Throws if it cannot be read. */
export async function readSavedCrawl(folder: string): Promise<FoundCrawl | null> {
  const found = await foundIn(folder);
  if (found === null) return null;
  const saved = crawlOf(found.values, CrawlDirectory.identityOf(folder).crawl);
  if (isCrawlError(saved)) throw saved;
  return { saved, isWhole: found.isWhole };
}

async function foundIn(folder: string): Promise<FoundCheckpoint | null> {
  const databases = sqliteDatabases({ root: folder, clock: new SystemClock(), isReader: true });
  try {
    return await answered((done) => peekCheckpoint(databases, done));
  } catch (error) {
    if (hasTables(join(folder, INDEX_FILE))) throw error;
    return null;
  }
}
