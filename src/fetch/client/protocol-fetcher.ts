/**
 * Passes each request to the fetcher of its URL's scheme. A scheme without one is a failed outcome.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type {
  Clock,
  Fetcher,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
} from "../../base/seams/index.ts";
import { quoted } from "../../base/text/index.ts";

/** The fetchers by scheme, without the colon. */
export type ProtocolTable = Readonly<Record<string, Fetcher>>;

export class ProtocolFetcher implements Fetcher {
  readonly #fetchers: ReadonlyMap<string, Fetcher>;
  readonly #clock: Clock;

  constructor(table: ProtocolTable, clock: Clock) {
    this.#fetchers = new Map(Object.entries(table));
    this.#clock = clock;
  }

  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight {
    const { url } = request;
    const scheme = url.slice(0, Math.max(0, url.indexOf(":")));
    const fetcher = this.#fetchers.get(scheme);
    if (fetcher !== undefined) return fetcher.fetch(request, fetched);
    let outcome: FetchOutcome = { kind: "failed", error: schemeRefused(url, scheme) };
    this.#clock.after(0, () => fetched(outcome));
    return {
      cancel: () => {
        outcome = { kind: "cancelled" };
      },
    };
  }
}

function schemeRefused(url: string, scheme: string): CrawlError {
  return new CrawlError(
    "FETCH_SCHEME_REFUSED",
    `${quoted(url, 200)} is not fetched: there is no protocol module for the scheme ` +
      `${quoted(scheme)}. Only http, https, the schemes of fetch.protocols and, from file: seeds, ` +
      "file are fetched.",
    { url, scheme },
  );
}
