/** What can be done for crawl directories whose files may be damaged. */
import { rebuildCrawl } from "./rebuild-crawl.ts";
import { verifyAgents } from "./verify-agents.ts";
import { verifyDirectory } from "./verify-directory.ts";

/** `verify` says what is wrong; `rebuild` makes what derives from archive and crawl log again. */
export const DIRECTORY_CARE: {
  readonly verify: typeof verifyDirectory;
  /** Of several agents that share a crawl. */
  readonly verifyAll: typeof verifyAgents;
  readonly rebuild: typeof rebuildCrawl;
} = { verify: verifyDirectory, verifyAll: verifyAgents, rebuild: rebuildCrawl };
