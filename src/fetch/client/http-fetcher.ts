/**
 * The fetcher for http and https: our own HTTP/1.1 client on bare sockets (docs/adr/0023), HTTP/2
 * if it is configured. A fetch has a connection to itself; connections are kept for the next fetch
 * from the same place. Whatever a server, a proxy or the network does ends as an outcome.
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
import type { RateLimit } from "../../base/time/index.ts";
import type { AnswerHead, GivenCookie } from "../../formats/http/index.ts";
import type { BodySpool } from "../body/index.ts";
import { type ProxyAddress, proxyOf } from "../proxy/index.ts";
import type { OutgoingRequest } from "./connections/connection.ts";
import { Dialer } from "./connections/connection-dialer.ts";
import type { ConnectionFailure } from "./connections/connection-failure.ts";
import { ConnectionPool } from "./connections/connection-pool.ts";
import { isAddress } from "./connections/connection-wire.ts";
import { proxyRefused } from "./connections/proxy-tunnel.ts";
import { Deadlines } from "./exchange/http-deadlines.ts";
import { type ExchangeWorld, HttpExchange } from "./exchange/http-exchange.ts";
import { RequestWriter } from "./exchange/request-writer.ts";
import type { HostCredential } from "./secrets/host-credentials.ts";

export interface HttpFetcherOptions {
  readonly clock: Clock;
  readonly spool: BodySpool;
  /**
   * Asked before every new connection, with the address that will be connected to; returns the error
   * that forbids it, if any. Not asked if a proxy is used: its address is the user's choice.
   */
  readonly mayConnect: (address: string, port: number) => CrawlError | null;
  /** How long an idle connection is kept; 0 closes each after its fetch. */
  readonly keepAliveMs: number;
  /** In use at once. */
  readonly connectionsMax: number;
  /** Kept idle, in addition to those in use. */
  readonly idleConnectionsMax: number;
  /** Whether HTTP/2 is offered to servers under TLS. */
  readonly http2: boolean;
  /** Whether certificates that do not verify are accepted. */
  readonly insecure: boolean;
  /** URL of an HTTP proxy, with user and password if it needs them. */
  readonly proxy: string | null;
  /** Whether a host's cookies are sent back to it. */
  readonly cookies: boolean;
  /** Cookies of the user, which are always sent. */
  readonly givenCookies?: readonly GivenCookie[];
  readonly credentials?: readonly HostCredential[];
  /** Bytes a second of all bodies together. */
  readonly bandwidth?: RateLimit | undefined;
}

export class HttpFetcher implements Fetcher {
  readonly #options: HttpFetcherOptions;
  readonly #proxy: ProxyAddress | null;
  readonly #writer: RequestWriter;
  readonly #pool: ConnectionPool;
  readonly #world: ExchangeWorld;
  readonly #inFlight = new Set<HttpExchange>();

  constructor(options: HttpFetcherOptions) {
    const { clock, spool, http2, insecure, keepAliveMs, connectionsMax } = options;
    const idleMax = options.idleConnectionsMax;
    this.#options = options;
    this.#proxy = options.proxy === null ? null : proxyOf(options.proxy);
    const { cookies, givenCookies = [], credentials = [] } = options;
    this.#writer = new RequestWriter({
      ...{ clock, proxy: this.#proxy, cookies, givenCookies, credentials },
      keepsAlive: keepAliveMs > 0,
    });
    const deadlines = new Deadlines(clock);
    const dialer = new Dialer({ proxy: this.#proxy, http2, insecure });
    const nowMs = () => clock.nowMs();
    this.#pool = new ConnectionPool({
      ...{ dialer, deadlines, nowMs, keepAliveMs, connectionsMax, idleMax },
    });
    this.#world = {
      ...{ clock, spool, deadlines, pool: this.#pool, bandwidth: options.bandwidth ?? null },
      mayConnect: (address, port) => this.#mayConnect(address, port),
      headCame: (request, head) => this.#headCame(request, head),
      way: (address) => wayTo(address, this.#proxy),
      ended: (exchange) => this.#inFlight.delete(exchange),
    };
  }

  /** Connections open now, including those being opened and idle ones. */
  get connectionCount(): number {
    return this.#pool.count;
  }

  get idleConnectionCount(): number {
    return this.#pool.idleCount;
  }

  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight {
    const exchange = new HttpExchange(this.#world, request, fetched);
    this.#inFlight.add(exchange);
    try {
      const written = this.#writer.write(request);
      if ("problem" in written) exchange.refuse(notWritten(request, written.problem));
      else exchange.start(written);
    } catch (thrown) {
      exchange.faulted(thrown);
    }
    return exchange;
  }

  /** How long connections are kept from now on; 0 closes each after its fetch. */
  set keepAliveMs(keepAliveMs: number) {
    this.#writer.keepsAlive = keepAliveMs > 0;
    this.#pool.keepAliveMs = keepAliveMs;
  }

  /** How many may be in use at once from now on. */
  set connectionsMax(connectionsMax: number) {
    this.#pool.connectionsMax = connectionsMax;
  }

  /** How many are kept idle from now on; more are closed at once. */
  set idleConnectionsMax(idleConnectionsMax: number) {
    this.#pool.idleMax = idleConnectionsMax;
  }

  /** Closes every connection that is idle: it may lead to where none may be opened any more. */
  closeAllIdle(): void {
    this.#pool.closeOldest(Number.POSITIVE_INFINITY);
  }

  /** Closes the idle connections to a host: its visit is over. */
  closeIdle(host: string): void {
    this.#pool.closeIdle(host);
  }

  /** Cancels what is in flight and closes every connection. */
  close(): void {
    for (const exchange of [...this.#inFlight]) exchange.cancel();
    this.#pool.closeOldest(Number.POSITIVE_INFINITY);
  }

  #mayConnect(address: string | null, port: number): CrawlError | null {
    if (this.#proxy !== null) return null;
    // The system would resolve a name again, and the result would not be checked.
    if (address === null || !isAddress(address)) {
      const message = `Could not connect to ${quoted(`${address}`)}: it is not an address.`;
      return new CrawlError("FETCH_CONNECT_FAILED", message, { address, port });
    }
    return this.#options.mayConnect(address, port);
  }

  #headCame(request: OutgoingRequest, head: AnswerHead): ConnectionFailure | null {
    if (this.#proxy !== null && head.status === 407) return proxyRefused(head.status);
    this.#writer.headCame(request, head);
    return null;
  }
}

/** Without the proxy's user and password. */
function wayTo(address: string | null, proxy: ProxyAddress | null): string {
  if (proxy === null) return `from ${address}`;
  const host = proxy.host.includes(":") ? `[${proxy.host}]` : proxy.host;
  return `through the proxy ${host}:${proxy.port}`;
}

function notWritten({ url, address }: FetchRequest, problem: string): CrawlError {
  const shown = quoted(url, 200);
  const message = `Could not ask for ${shown}: ${problem}. Correct the URL or the header.`;
  return new CrawlError("FETCH_REQUEST_INVALID", message, { url: shown, address });
}
