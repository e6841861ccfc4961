/**
 * The synthetic web behind the `Fetcher` seam, in virtual time: no sockets, no server, the same
 * answers. It keeps how often each URL was asked for, which is all the state a synthetic web has;
 * several fetchers (one for each agent of a simulated cluster) share it through `WebTries`.
 */
import type {
  Clock,
  Fetcher,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
  Random,
} from "../../../base/seams/index.ts";
import { SimFetcher, type WebScript } from "../../simulator/index.ts";
import type { SyntheticWeb } from "../web/synthetic-web.ts";
import { responseScript } from "./response-script.ts";

/** How often each URL was asked for, by all clients together. */
export class WebTries {
  readonly #counts = new Map<string, number>();

  /** How often it was asked for before now. */
  count(url: string): number {
    const earlier = this.#counts.get(url) ?? 0;
    this.#counts.set(url, earlier + 1);
    return earlier;
  }
}

export interface SimWebFetcherOptions {
  readonly web: SyntheticWeb;
  /** The clock of the process: its timers must die with it. */
  readonly clock: Clock;
  readonly random: Random;
  readonly tries?: WebTries;
  /** The longest latency between two machines. */
  readonly latencyMsMax?: number;
}

export class SimWebFetcher implements Fetcher {
  readonly #web: SyntheticWeb;
  readonly #tries: WebTries;
  readonly #fetcher: SimFetcher;

  constructor({ web, clock, random, tries, latencyMsMax }: SimWebFetcherOptions) {
    this.#web = web;
    this.#tries = tries ?? new WebTries();
    const scripts = { get: (_url: string, request: FetchRequest) => this.#script(request) };
    const latency = latencyMsMax === undefined ? {} : { latencyMsMax };
    this.#fetcher = new SimFetcher({ clock, random, web: scripts, ...latency });
  }

  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight {
    return this.#fetcher.fetch(request, fetched);
  }

  /** Undefined where nothing listens: at an address that is not the host's. */
  #script({ url, address, headers }: FetchRequest): WebScript | undefined {
    const { hostname, pathname, search } = new URL(url);
    const host = this.#web.hostNamed(hostname);
    if (host === null || address === null || !host.addresses.includes(address)) return undefined;
    return responseScript(
      this.#web.respond({
        host: hostname,
        method: "GET",
        target: pathname + search,
        headers,
        earlierTries: this.#tries.count(url),
      }),
    );
  }
}
