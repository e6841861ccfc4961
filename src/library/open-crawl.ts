/** `openCrawl(directory)`: opens a crawl for reading. */
import { resolve } from "node:path";
import { SystemClock } from "../base/time/index.ts";
import { openCrawlView } from "../store/query/index.ts";
import { StoredCrawl } from "./stored-crawl.ts";

/**
 * Opens a crawl directory for reading, while the crawl runs or afterwards. Rejects with `DIRECTORY_…` if
 * there is no crawl in it. To be closed, by `close()` or with `await using`.
 */
export async function openCrawl(directory: string): Promise<StoredCrawl> {
  return new StoredCrawl(await openCrawlView(resolve(directory)), new SystemClock());
}
