/** Fetches the URLs of one scheme by a user's module, which is held to the crawl's limits. */
import type { CrawlError } from "../../base/errors/index.ts";
import type {
  Clock,
  Fetcher,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
} from "../../base/seams/index.ts";
import type { BodySpool } from "../body/index.ts";
import { Deadlines } from "../client/index.ts";
import { ModuleFetch } from "./module-fetch.ts";
import type { Protocol } from "./protocol-module.ts";

export interface ModuleFetcherOptions {
  readonly clock: Clock;
  readonly spool: BodySpool;
  readonly protocol: Protocol;
  /** As in the configuration, for messages. */
  readonly module: string;
  /** The error of a connection to this address and port; null if it may be made. */
  readonly mayConnect: (address: string, port: number) => CrawlError | null;
}

export interface ModuleFetcherParts extends ModuleFetcherOptions {
  readonly deadlines: Deadlines;
}

export class ModuleFetcher implements Fetcher {
  readonly #parts: ModuleFetcherParts;

  constructor(options: ModuleFetcherOptions) {
    this.#parts = { ...options, deadlines: new Deadlines(options.clock) };
  }

  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight {
    const fetch = new ModuleFetch(this.#parts, request, fetched);
    fetch.start();
    return fetch;
  }

  /** Nobody waits for the module, and what it throws is ignored: the crawl has ended. */
  close(): void {
    try {
      Promise.resolve(this.#parts.protocol.close?.()).catch(() => undefined);
    } catch {
      // As above.
    }
  }
}
