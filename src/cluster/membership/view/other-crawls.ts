/**
 * Agents of other crawls in the same mesh, or on the same servers. What they say is dropped, and each side
 * crawls alone; if that was not meant, nothing else would tell. Each crawl is told of once.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Sender } from "../../messages/index.ts";
import type { Core } from "../core.ts";

/** Somebody may make up any number of them. */
const CRAWLS_MAX = 32;

export class OtherCrawls {
  readonly #core: Core;
  readonly #told = new Set<string>();

  constructor(core: Core) {
    this.#core = core;
  }

  heard({ crawl, place }: Sender): void {
    if (this.#told.has(crawl) || this.#told.size >= CRAWLS_MAX) return;
    this.#told.add(crawl);
    this.#core.listener.trouble(crawlDiffers(place.id, crawl, this.#core.life.crawl));
  }
}

function crawlDiffers(id: string, crawl: string, own: string): CrawlError {
  return new CrawlError(
    "CLUSTER_CRAWL_DIFFERS",
    `The agent ${id} takes part in another crawl, ${crawl}, and this one in ${own}: neither heeds the other, and ` +
      "both may visit the same hosts. If they are to share one crawl, stop one of them and start it with an " +
      "empty directory and --join; else give each crawl a token of its own, or with --nats a name.",
    { id, crawl },
  );
}
