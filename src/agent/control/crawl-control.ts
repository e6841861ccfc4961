/**
 * What can be asked of a running crawl and done to it, free of HTTP: every interface for people and
 * programs goes through here. Nothing that is asked for harms the crawl: what cannot be done is refused
 * by a `CrawlError`, and leaves everything as it was.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Crawl } from "../crawl/crawl.ts";
import type { CrawlSummary } from "../crawl/crawl-summary.ts";
import { type AddedSeed, addSeeds } from "./added-seeds.ts";

export class CrawlControl {
  readonly #crawl: Crawl;

  constructor(crawl: Crawl) {
    this.#crawl = crawl;
  }

  status(): CrawlSummary {
    return this.#crawl.summary();
  }

  /** Nothing new is begun until `resume`; what is in flight ends. Fine if it is paused already. */
  pause(): void {
    this.#refuseIfOver();
    this.#crawl.pause();
  }

  resume(): void {
    this.#refuseIfOver();
    this.#crawl.resume();
  }

  /** Ends the crawl so that it can be continued. Fetches in flight get some time unless `immediate`. */
  stop({ immediate = false }: { readonly immediate?: boolean } = {}): void {
    this.#crawl.stop(immediate);
  }

  /** Rejects with `CONTROL_OVER` if the crawl has ended, or `DIRECTORY_FAILED` if it cannot be recorded. */
  async addSeeds(seeds: readonly string[]): Promise<readonly AddedSeed[]> {
    await this.#crawl.begun;
    this.#refuseIfOver();
    return addSeeds(this.#crawl, seeds);
  }

  #refuseIfOver(): void {
    const { state } = this.status();
    if (state === "running" || state === "paused") return;
    throw new CrawlError(
      "CONTROL_OVER",
      `The crawl is ending or has ended (${state}). Start it again to change it.`,
    );
  }
}
