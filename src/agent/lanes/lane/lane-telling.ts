/** What a lane tells its desk of itself without being asked, each thing once until it has changed. */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { CrawlLimit } from "../../crawl/lane/crawl-limits.ts";
import type { LaneItem } from "../lane-messages.ts";

export interface LaneTellingParts {
  readonly post: (item: LaneItem) => void;
  readonly failed: (error: CrawlError) => void;
}

export class LaneTelling {
  readonly #parts: LaneTellingParts;
  #hasToldIdle = false;
  #hasToldTrouble = false;
  #toldLimit: CrawlLimit | null = null;

  constructor(parts: LaneTellingParts) {
    this.#parts = parts;
  }

  /** Why the store takes nothing, if it does not. */
  trouble(trouble: CrawlError | null): void {
    if (trouble?.code !== "STORE_FAILED" || this.#hasToldTrouble) return;
    this.#hasToldTrouble = true;
    this.#parts.failed(trouble);
  }

  limit(limit: CrawlLimit | null): void {
    if (limit === null || limit === this.#toldLimit) return;
    this.#toldLimit = limit;
    this.#parts.post({ kind: "limit", limit });
  }

  idle(isIdle: boolean): void {
    if (isIdle && !this.#hasToldIdle) this.#parts.post({ kind: "idle" });
    this.#hasToldIdle = isIdle;
  }

  /** It says again that it is idle. */
  forgetIdle(): void {
    this.#hasToldIdle = false;
  }

  /** It says again which limit is reached. */
  forgetLimit(): void {
    this.#toldLimit = null;
  }
}
