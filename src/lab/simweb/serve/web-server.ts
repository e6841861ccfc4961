/**
 * The server of a synthetic web: any number of hosts, told apart by the Host field, on any number of
 * loopback addresses. It bounds what clients can make it hold: connections, bytes per connection,
 * and the time that an idle client may stay.
 */
import type { Clock, Timer } from "../../../base/seams/index.ts";
import type { SyntheticWeb } from "../web/synthetic-web.ts";
import { AccessLog } from "./access-log.ts";
import type { Listener } from "./listener.ts";
import { TryCounts } from "./try-counts.ts";
import { WebConnection } from "./web-connection.ts";
import type { Wire } from "./wire.ts";

export interface WebServerOptions {
  readonly web: SyntheticWeb;
  readonly listener: Listener;
  readonly clock: Clock;
  /** More connections than this are refused. */
  readonly connectionsMax?: number;
  /** How long a client may say nothing, or take nothing of its answer, before it is dropped. */
  readonly quietMsMax?: number;
}

export interface ServerStats {
  readonly requests: number;
  /** What was no request, and what came when the log was full. */
  readonly requestsRefused: number;
  readonly requestsUnlogged: number;
  readonly connections: number;
  readonly connectionsOpen: number;
  readonly connectionsRefused: number;
  readonly connectionsDropped: number;
  /** Loopback addresses that are listened on, and how many could not be. */
  readonly addresses: number;
  readonly addressesRefused: number;
  /** URLs whose tries are counted, because they failed. */
  readonly countedUrls: number;
}

const CONNECTIONS_MAX = 16_384;
const QUIET_MS_MAX = 60_000;
const SWEEP_MS = 1000;

export class WebServer {
  readonly log: AccessLog = new AccessLog();
  readonly #options: WebServerOptions;
  readonly #tries = new TryCounts();
  readonly #connections = new Set<WebConnection>();
  readonly #connectionsMax: number;
  readonly #quietMsMax: number;
  #sweep: Timer;
  #refused = 0;
  #dropped = 0;
  #addressesRefused = 0;
  #isStopped = false;

  constructor(options: WebServerOptions) {
    this.#options = options;
    this.#connectionsMax = options.connectionsMax ?? CONNECTIONS_MAX;
    this.#quietMsMax = options.quietMsMax ?? QUIET_MS_MAX;
    this.#sweep = options.clock.after(SWEEP_MS, () => this.#dropQuiet());
    options.listener.serve((wire) => this.#accept(wire));
  }

  get port(): number {
    return this.#options.listener.port;
  }

  stats(): ServerStats {
    return {
      requests: this.log.size,
      requestsRefused: this.log.refusals.count,
      requestsUnlogged: this.log.unlogged,
      connections: this.log.connectionCount,
      connectionsOpen: this.#connections.size,
      connectionsRefused: this.#refused,
      connectionsDropped: this.#dropped,
      addresses: this.#options.listener.addressCount,
      addressesRefused: this.#addressesRefused,
      countedUrls: this.#tries.size,
    };
  }

  /** Tells when all of these addresses are listened on, or that one of them cannot be. */
  listenOn(addresses: readonly string[], done: (isListening: boolean) => void): void {
    let open = addresses.length;
    let isGood = true;
    if (open === 0) done(true);
    for (const address of addresses) {
      this.#options.listener.listenOn(address, (isListening) => {
        if (!isListening) this.#addressesRefused += 1;
        isGood &&= isListening;
        open -= 1;
        if (open === 0) done(isGood);
      });
    }
  }

  /** Drops every connection and listens no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#sweep.cancel();
    const closed = this.#options.listener.close();
    for (const connection of this.#connections) connection.drop();
    await closed;
  }

  #accept(wire: Wire): WebConnection | null {
    if (this.#isStopped || this.#connections.size >= this.#connectionsMax) {
      this.#refused += 1;
      return null;
    }
    const { web, clock } = this.#options;
    const world = { web, clock, log: this.log, tries: this.#tries };
    const connection = new WebConnection(world, wire, () => this.#connections.delete(connection));
    this.#connections.add(connection);
    return connection;
  }

  /** One timer for all connections: a timer for each request would cost as much as the answer. */
  #dropQuiet(): void {
    const { clock } = this.#options;
    const earliestMs = clock.nowMs() - this.#quietMsMax;
    for (const connection of this.#connections) {
      const sinceMs = connection.quietSinceMs;
      if (sinceMs === null || sinceMs >= earliestMs) continue;
      this.#dropped += 1;
      connection.drop();
    }
    this.#sweep = clock.after(SWEEP_MS, () => this.#dropQuiet());
  }
}
