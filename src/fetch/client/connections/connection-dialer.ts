/**
 * Opens connections: a wire to the server or to the proxy, a tunnel if one is needed, TLS if the URL
 * asks for it, then HTTP/1.1 or, if it was offered and chosen, HTTP/2. Each step has its own
 * failures; the caller gets one result, and sets the time limit.
 */
import assert from "node:assert/strict";
import { assertNever } from "../../../base/errors/index.ts";
import type { ProxyAddress } from "../../proxy/index.ts";
import type { Place } from "../exchange/http-target.ts";
import type { Connection, ConnectionHome } from "./connection.ts";
import {
  type ConnectionFailure,
  connectionFailure,
  type SocketError,
} from "./connection-failure.ts";
import {
  type TlsTerms,
  trustedContext,
  Wire,
  type WireListener,
  type WirePlace,
} from "./connection-wire.ts";
import { HttpConnection } from "./http-connection.ts";
import { Http2Connection } from "./http2-connection.ts";
import { ProxyTunnel, proxyFailed, tunnelRequest } from "./proxy-tunnel.ts";

export interface DialerOptions {
  readonly proxy: ProxyAddress | null;
  readonly http2: boolean;
  readonly insecure: boolean;
}

export interface Caller {
  opened(connection: Connection): void;
  failed(failure: ConnectionFailure): void;
  /** Opening it threw. */
  faulted(thrown: unknown): void;
}

/** How much is read from a socket at once. */
const READ_BYTES = 64 * 1024;

export class Dialer {
  readonly buffer: Buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  readonly options: DialerOptions;
  #context: TlsTerms["context"] | null = null;

  constructor(options: DialerOptions) {
    this.options = options;
  }

  /** Calls back once, later, unless the dialing is closed first. */
  dial(place: Place, home: ConnectionHome, caller: Caller): Dialing {
    return new Dialing(this, place, { home, caller });
  }

  /** Terms for a server, or for the proxy itself, which is only spoken to in HTTP/1.1. */
  terms(host: string, isProxy: boolean): TlsTerms {
    this.#context ??= trustedContext();
    return {
      context: this.#context,
      host: host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, ""),
      isVerified: !this.options.insecure,
      protocols: this.options.http2 && !isProxy ? ["h2", "http/1.1"] : ["http/1.1"],
    };
  }
}

type Step = "wire" | "tunnel" | "handshake";

export class Dialing implements WireListener {
  readonly #dialer: Dialer;
  readonly #place: Place;
  readonly #home: ConnectionHome;
  readonly #caller: Caller;
  readonly #wire: Wire;
  readonly #tunnel: ProxyTunnel | null;
  #step: Step = "wire";
  #isOver = false;

  constructor(
    dialer: Dialer,
    place: Place,
    ends: { readonly home: ConnectionHome; readonly caller: Caller },
  ) {
    this.#dialer = dialer;
    this.#place = place;
    this.#home = ends.home;
    this.#caller = ends.caller;
    this.#tunnel = dialer.options.proxy !== null && place.isSecure ? new ProxyTunnel() : null;
    this.#wire = new Wire(this.#firstStop(), dialer.buffer, this);
  }

  /** Gives up; the caller is not called any more. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wire.close();
    this.#home.lost(null);
  }

  opened(): void {
    const { proxy } = this.#dialer.options;
    switch (this.#step) {
      case "wire":
        if (this.#tunnel === null || proxy === null) this.#finish();
        else {
          this.#step = "tunnel";
          this.#wire.write(tunnelRequest(this.#place, proxy));
        }
        break;
      case "handshake":
        this.#finish();
        break;
      case "tunnel":
        break;
      default:
        assertNever(this.#step);
    }
  }

  received(bytes: Buffer, lengthBytes: number): boolean {
    if (this.#step !== "tunnel" || this.#tunnel === null) {
      this.#fail(SPOKE_FIRST);
      return false;
    }
    const state = this.#tunnel.received(bytes, lengthBytes);
    if (state === "waiting") return true;
    if (state === "open") {
      this.#step = "handshake";
      this.#wire.secure(this.#dialer.terms(this.#place.host, false));
      return true;
    }
    this.#fail(state);
    return false;
  }

  ended(): void {
    this.#fail(this.#isAtProxy() ? proxyFailed("it closed the connection") : CLOSED_FIRST);
  }

  broke(error: SocketError): void {
    const failure = connectionFailure(error, "connecting");
    const isProxys = this.#isAtProxy() && failure.code !== "FETCH_NO_SOCKET";
    this.#fail(isProxys ? proxyFailed(failure.why) : failure);
  }

  faulted(thrown: unknown): void {
    this.close();
    this.#caller.faulted(thrown);
  }

  #isAtProxy(): boolean {
    return this.#dialer.options.proxy !== null && this.#step !== "handshake";
  }

  #firstStop(): WirePlace {
    const { proxy } = this.#dialer.options;
    if (proxy !== null) {
      const tls = proxy.isSecure ? this.#dialer.terms(proxy.host, true) : null;
      return { host: proxy.host, port: proxy.port, tls };
    }
    const { address, port, isSecure, host } = this.#place;
    assert(address !== null, "without a proxy the address is known");
    return { host: address, port, tls: isSecure ? this.#dialer.terms(host, false) : null };
  }

  #finish(): void {
    const isHttp2 = this.#place.isSecure && this.#wire.protocol === "h2";
    const connection = isHttp2
      ? new Http2Connection(this.#place, this.#wire.handOver(), this.#home)
      : new HttpConnection(this.#place, this.#wire, this.#home);
    this.#isOver = true;
    this.#caller.opened(connection);
  }

  #fail(failure: ConnectionFailure): void {
    if (this.#isOver) return;
    this.close();
    this.#caller.failed(failure);
  }
}

const CLOSED_FIRST: ConnectionFailure = {
  code: "FETCH_CONNECT_FAILED",
  why: "the server closed the connection before it was established",
  facts: {},
};

const SPOKE_FIRST: ConnectionFailure = {
  code: "FETCH_PROTOCOL",
  why: "the server sent bytes before it was asked",
  facts: {},
};
