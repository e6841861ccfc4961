/**
 * The limits of a crawl that one agent has a part of: a page is fetched with a token, which the node gives
 * out. A token is used when its page counts, and put back when there is none; whether a limit has ended the
 * crawl is found by all agents together.
 */
import type { ClusterNode } from "../../cluster/node/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";

type Counts = Pick<CrawlCounts, "pages" | "bytes">;

export class MemberLimits {
  readonly #tokens: ClusterNode["limits"];
  /** What the node knows of the pages and bytes that are counted here. */
  #told: Counts = { pages: 0, bytes: 0 };
  /** Tokens for pages that were begun. */
  #held = 0;

  constructor(tokens: ClusterNode["limits"]) {
    this.#tokens = tokens;
  }

  get mayBegin(): boolean {
    return this.#tokens.mayBegin;
  }

  /** Whether a page that has its token, and waited for its address since, may still begin. */
  get mayGoOn(): boolean {
    return this.#tokens.mayGoOn;
  }

  /** What was counted in earlier lives is told when the node starts. */
  start({ pages, bytes }: Counts): Counts {
    this.#told = { pages, bytes };
    return this.#told;
  }

  /** A page is to begin; false if there is no token for it. */
  begin(): boolean {
    const taken = this.#tokens.take(1);
    this.#held += taken;
    return taken > 0;
  }

  /** Tells what was counted since; `pagesOpen` are begun and not over. */
  settle({ pages, bytes }: Counts, pagesOpen: number): void {
    const more = { pages: pages - this.#told.pages, bytes: bytes - this.#told.bytes };
    this.#told = { pages, bytes };
    // A requisite that turned out to be a page has no token yet, and may find none.
    while (this.#held < more.pages && this.#tokens.take(1) > 0) this.#held += 1;
    const used = { pages: Math.min(more.pages, this.#held), bytes: Math.max(0, more.bytes) };
    if (used.pages > 0 || used.bytes > 0) this.#tokens.use(used);
    this.#held -= used.pages;
    const spare = this.#held - pagesOpen;
    if (spare <= 0) return;
    this.#held -= spare;
    this.#tokens.putBack(spare);
  }
}
