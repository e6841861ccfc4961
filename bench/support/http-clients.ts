/** The clients of `http-fetch.ts`, each as a good user of it would write. */
import { Agent, get } from "node:http";
import { Client as Undici } from "undici";
import type { Body, Done, FetchRequest } from "../../src/base/seams/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import type { BodySink, BodySpool } from "../../src/fetch/body/index.ts";
import { HttpFetcher } from "../../src/fetch/client/index.ts";

export interface Client {
  readonly name: string;
  /** Calls back with the length of the body. */
  fetch(url: string, fetched: (bytes: number) => void): void;
  close(): void;
}

const HEADERS = [
  ["User-Agent", "Trobar/bench (+https://example.org)"],
  ["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"],
  ["Accept-Encoding", "gzip, deflate, br, zstd"],
] as const;

/** Copies each body into one of a few buffers, as a pool would. */
class RotatingSpool implements BodySpool {
  readonly #buffer = Buffer.alloc(1 << 20);

  open(): BodySink {
    let lengthBytes = 0;
    return {
      write: (bytes, from, to) => {
        this.#buffer.set(bytes.subarray(from, to), lengthBytes);
        lengthBytes += to - from;
        return true;
      },
      end: (done: Done<Body>) => {
        const bytes = this.#buffer.subarray(0, lengthBytes);
        done(null, { lengthBytes, bytes, read: () => {}, release: () => {} });
      },
      abandon: () => {},
    };
  }
}

export class HttpFetcherClient implements Client {
  readonly name = "HttpFetcher";
  readonly #fetcher = new HttpFetcher({
    clock: new SystemClock(),
    spool: new RotatingSpool(),
    mayConnect: () => null,
    keepAliveMs: 5000,
    connectionsMax: 1000,
    idleConnectionsMax: 1000,
    http2: false,
    insecure: false,
    proxy: null,
    cookies: false,
  });

  fetch(url: string, fetched: (bytes: number) => void): void {
    const request: FetchRequest = { url, address: "127.0.0.1", headers: HEADERS, limits: LIMITS };
    this.#fetcher.fetch(request, (outcome) => {
      if (outcome.kind !== "fetched") throw new Error(`the bench failed: ${outcome.kind}`);
      outcome.body.release();
      fetched(outcome.body.lengthBytes);
    });
  }

  close(): void {
    this.#fetcher.close();
  }
}

const LIMITS = {
  connectTimeoutMs: 10_000,
  headerTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  totalTimeoutMs: 120_000,
  bytesPerSecondMin: 500,
  headerBytesMax: 65_536,
  bodyBytesMax: 10_485_760,
};

export class NodeClient implements Client {
  readonly name = "node:http";
  readonly #agents = new Map<string, Agent>();

  fetch(url: string, fetched: (bytes: number) => void): void {
    const { hostname, port, pathname, host } = new URL(url);
    const agent = this.#agents.get(hostname) ?? new Agent({ keepAlive: true, maxSockets: 1 });
    this.#agents.set(hostname, agent);
    const headers = { ...Object.fromEntries(HEADERS), Host: host };
    get({ agent, host: "127.0.0.1", port, path: pathname, headers }, (response) => {
      let bytes = 0;
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => {
        pieces.push(piece);
        bytes += piece.length;
      });
      response.on("end", () => fetched(Buffer.concat(pieces, bytes).length));
    });
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

/** One client per host and `dispatch`, the fastest way that the package has. */
export class UndiciClient implements Client {
  readonly name = "undici dispatch";
  readonly #clients = new Map<string, Undici>();

  fetch(url: string, fetched: (bytes: number) => void): void {
    const { hostname, port, pathname, host } = new URL(url);
    const client =
      this.#clients.get(hostname) ?? new Undici(`http://127.0.0.1:${port}`, ONE_AT_A_TIME);
    this.#clients.set(hostname, client);
    const headers = [...HEADERS.flat(), "Host", host];
    let bytes = 0;
    const pieces: Buffer[] = [];
    client.dispatch(
      { path: pathname, method: "GET", headers },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData(_: unknown, piece: Buffer) {
          pieces.push(piece);
          bytes += piece.length;
        },
        onResponseEnd: () => fetched(Buffer.concat(pieces, bytes).length),
        onResponseError(_: unknown, error: Error) {
          throw error;
        },
      },
    );
  }

  close(): void {
    for (const client of this.#clients.values()) client.destroy();
  }
}

const ONE_AT_A_TIME = { pipelining: 1 };
