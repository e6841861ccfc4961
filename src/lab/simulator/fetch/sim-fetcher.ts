/**
 * The simulated fetcher: a scripted web in virtual time. Each URL has a script of what its server
 * does, from a map or made when it is asked for; a URL without one is a server that is not there.
 * Every limit of the request is honoured as the contract says, at the exact virtual instant.
 */
import assert from "node:assert/strict";
import type {
  Clock,
  Fetcher,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
  Random,
} from "../../../base/seams/index.ts";
import { SimFetch } from "./sim-fetch.ts";
import { playScript } from "./web-player.ts";
import type { WebScript } from "./web-script.ts";

/** Where scripts come from; a `Map` by URL will do. */
export interface WebScripts {
  /** Asked once for every fetch, when it begins. */
  get(url: string, request: FetchRequest): WebScript | undefined;
}

export interface SimFetcherOptions {
  /** The clock of the process: its timers must die with it. */
  readonly clock: Clock;
  readonly random: Random;
  /** The web, by URL as it is sent; it may be changed while fetches run. */
  readonly web: WebScripts;
  /** The longest latency between two machines. */
  readonly latencyMsMax?: number;
}

const LATENCY_MS_MAX = 10;
const NOBODY: WebScript = { connect: "refuse", steps: [] };

export class SimFetcher implements Fetcher {
  readonly #options: SimFetcherOptions;

  constructor(options: SimFetcherOptions) {
    this.#options = options;
  }

  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight {
    for (const limit of Object.values(request.limits)) assert(limit > 0, "limits are positive");
    const { clock, random, web, latencyMsMax = LATENCY_MS_MAX } = this.#options;
    const fetch = new SimFetch(clock, request, fetched);
    const later = (delayMs: number, callback: () => void) => {
      fetch.await(delayMs + random.unit() * latencyMsMax, callback);
    };
    playScript(web.get(request.url, request) ?? NOBODY, request, { fetch, later });
    return fetch;
  }
}
