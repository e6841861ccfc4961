/**
 * A user's score, held to its contract: whatever it answers or throws, a link has a finite priority
 * and the crawl goes on. The first failure is reported, since the next link would fail like it.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import type { Score, ScoredLink, ScoredPage } from "./score.ts";

export interface UserScoreOptions {
  /** As in the configuration, for messages. */
  readonly module: string;
  readonly onFailure: (error: CrawlError) => void;
}

export class UserScore implements Score {
  readonly #score: Score;
  readonly #options: UserScoreOptions;
  #hasFailed = false;

  constructor(score: Score, options: UserScoreOptions) {
    this.#score = score;
    this.#options = options;
  }

  priorityOf(link: ScoredLink): number {
    let priority: unknown;
    try {
      priority = this.#score.priorityOf(link);
    } catch (error) {
      return this.#failed(link.href, `threw: ${thrownReason(error)}`, error);
    }
    if (typeof priority === "number" && Number.isFinite(priority)) return priority;
    const answer = typeof priority === "number" ? String(priority) : typeof priority;
    return this.#failed(link.href, `answered with ${answer} instead of a finite number`);
  }

  pageFetched(page: ScoredPage): void {
    try {
      this.#score.pageFetched?.(page);
    } catch (error) {
      this.#failed(page.url, `threw: ${thrownReason(error)}`, error);
    }
  }

  save(): Uint8Array | null {
    let saved: unknown;
    try {
      saved = this.#score.save?.() ?? null;
    } catch (error) {
      this.#forgot("save()", thrownReason(error), error);
      return null;
    }
    if (saved === null || saved instanceof Uint8Array) return saved;
    this.#forgot("save()", `it answered with ${typeof saved} instead of a Uint8Array`);
    return null;
  }

  restore(saved: Uint8Array): void {
    try {
      this.#score.restore?.(saved);
    } catch (error) {
      this.#forgot("restore()", thrownReason(error), error);
    }
  }

  #forgot(call: string, why: string, cause?: unknown): void {
    const { module, onFailure } = this.#options;
    const message =
      `The score ${module} begins anew when the crawl goes on, since its ${call} failed: ${why}. ` +
      "Correct the module.";
    onFailure(new CrawlError("SCORE_FAILED", message, { module }, cause));
  }

  #failed(url: string, what: string, cause?: unknown): number {
    if (this.#hasFailed) return 0;
    this.#hasFailed = true;
    const { module, onFailure } = this.#options;
    const message =
      `${url} has the priority 0, and so has whatever fails like it: the score ${module} ${what}. ` +
      "Correct the module; it is not reported again in this crawl.";
    onFailure(new CrawlError("SCORE_FAILED", message, { module, url }, cause));
    return 0;
  }
}
