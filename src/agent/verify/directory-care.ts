/** What can be done for a crawl directory whose files may be damaged. */
import { rebuildCrawl } from "./rebuild-crawl.ts";
import { verifyDirectory } from "./verify-directory.ts";

/** `verify` says what is wrong; `rebuild` makes what derives from archive and crawl log again. */
export const DIRECTORY_CARE: {
  readonly verify: typeof verifyDirectory;
  readonly rebuild: typeof rebuildCrawl;
} = { verify: verifyDirectory, rebuild: rebuildCrawl };
