/** The sockets of the API: HTTP or HTTPS, with limits on everything that a caller may send or hold. */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { CrawlError } from "../../base/errors/index.ts";
import { readFile } from "../../base/folder/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { KIB, MIB, SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { refusalOf } from "./api-refusal.ts";
import { Connections } from "./connections.ts";

const require = createRequire(import.meta.url);
/** Imported, it would load all of what Node has for `fetch` and web sockets, too. */
const http: typeof import("node:http") = require("node:http");
const https = (): typeof import("node:https") => require("node:https");
const tlsOfNode = (): typeof import("node:tls") => require("node:tls");

const CONNECTIONS_MAX = 64;
const REQUEST_MS_MAX = 30 * SECOND_MS;
const HANDSHAKE_MS_MAX = 10 * SECOND_MS;
const PEM_BYTES_MAX = MIB;

const LIMITS: ServerOptions = {
  maxHeaderSize: 16 * KIB,
  headersTimeout: 10 * SECOND_MS,
  requestTimeout: REQUEST_MS_MAX,
  keepAliveTimeout: 5 * SECOND_MS,
  connectionsCheckingInterval: SECOND_MS,
};

export type HttpRequest = IncomingMessage;
export type HttpResponse = ServerResponse;

export type Take = (request: IncomingMessage, response: ServerResponse) => void;

export class HttpListener {
  readonly port: number;
  readonly #server: Server;
  readonly #connections: Connections;

  private constructor(server: Server, connections: Connections) {
    const bound = server.address();
    this.port = bound !== null && typeof bound === "object" ? bound.port : 0;
    this.#server = server;
    this.#connections = connections;
  }

  /** Rejects with `API_LISTEN_FAILED` or `API_TLS_UNUSABLE`. */
  static async open(
    { host, port, tls }: Pick<Configuration["api"], "host" | "port" | "tls">,
    take: Take,
  ): Promise<HttpListener> {
    const server: Server =
      tls === null
        ? http.createServer(LIMITS)
        : https().createServer({ ...LIMITS, handshakeTimeout: HANDSHAKE_MS_MAX, ...pems(tls) });
    const connections = new Connections(CONNECTIONS_MAX);
    server.on("connection", (socket: Socket) => connections.add(socket));
    server.on("request", take);
    server.on("clientError", (error, socket) => {
      if (socket.writable) socket.end(malformedReply(error));
      else socket.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause) => reject(listenError(host, port, cause)));
      server.listen(port === "auto" ? 0 : port, host.replace(/^\[(.*)\]$/, "$1"), resolve);
    });
    return new HttpListener(server, connections);
  }

  /** The request came with a token of ours. */
  trust({ socket }: HttpRequest): void {
    this.#connections.trust(socket);
  }

  /** Connections are cut: whoever asks now would hold up the end of the crawl. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#connections.cut();
    });
  }
}

function pems({ cert, key }: { readonly cert: string; readonly key: string }): {
  readonly cert: Buffer;
  readonly key: Buffer;
} {
  const read = { cert: pem(cert, "api.tls.cert"), key: pem(key, "api.tls.key") };
  try {
    tlsOfNode().createSecureContext(read);
  } catch (cause) {
    const why = cause instanceof Error ? printable(cause.message) : "they do not fit together";
    throw tlsError(`${quoted(cert)} and ${quoted(key)} cannot be used: ${why}`, cause);
  }
  return read;
}

function pem(path: string, name: string): Buffer {
  const file = readFile(path, PEM_BYTES_MAX);
  if (!file.ok) throw tlsError(`${name} ${quoted(path)} ${file.problem}`);
  return Buffer.from(file.bytes);
}

function tlsError(why: string, cause?: unknown): CrawlError {
  return new CrawlError("API_TLS_UNUSABLE", `The API cannot serve HTTPS: ${why}.`, {}, cause);
}

function listenError(host: string, port: number | "auto", cause: unknown): CrawlError {
  const system = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  const why = WHY[system] ?? printable(system);
  const where = `${printable(host)}${port === "auto" ? "" : ` port ${port}`}`;
  return new CrawlError(
    "API_LISTEN_FAILED",
    `The API cannot listen on ${where}: ${why}. Choose others by api.host and api.port.`,
    { host, port },
    cause,
  );
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process uses the port",
  EACCES: "this user may not use the port",
  EADDRNOTAVAIL: "this machine does not have the address",
  ENOTFOUND: "the name is not known",
};

/** To what is not even HTTP, or not in time; there is no request that it could be the answer of. */
function malformedReply(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  const isLate = code === "ERR_HTTP_REQUEST_TIMEOUT";
  const isLong = code === "HPE_HEADER_OVERFLOW";
  const { status, body } = refusalOf(
    isLate
      ? new CrawlError("API_TIMEOUT", `The request took longer than ${REQUEST_MS_MAX / 1000} s.`)
      : new CrawlError(
          "API_BAD_REQUEST",
          isLong ? "The headers are too long." : "This is not a request of HTTP.",
        ),
  );
  const text = JSON.stringify(body);
  const used = isLong ? 431 : status;
  return (
    `HTTP/1.1 ${used} ${http.STATUS_CODES[used] ?? ""}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`
  );
}
