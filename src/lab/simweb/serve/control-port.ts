/** The control port's sockets: HTTP on 127.0.0.1 for `Control`, with small limits. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { type Control, type ControlAnswer, problem } from "./control.ts";
import { type ListenPurpose, listenError } from "./loopback-listener.ts";

/** Imported, it would load all of what Node has for `fetch` and web sockets, too. */
const http: typeof import("node:http") = createRequire(import.meta.url)("node:http");

const ADDRESS = "127.0.0.1";
const PURPOSE: ListenPurpose = { who: "The control port", flag: "--control-port" };
/** A list of lost pages may be long. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
const CONNECTIONS_MAX = 64;

export class ControlPort {
  readonly port: number;
  readonly #server: Server;

  /** 0 takes a free port. */
  static async open(port: number, control: Control): Promise<ControlPort> {
    const server = http.createServer();
    server.maxConnections = CONNECTIONS_MAX;
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause) => reject(listenError(port, PURPOSE, cause)));
      server.listen(port, ADDRESS, resolve);
    });
    return new ControlPort(server, control);
  }

  private constructor(server: Server, control: Control) {
    const bound = server.address();
    this.port = bound !== null && typeof bound === "object" ? bound.port : 0;
    this.#server = server;
    server.on("request", (request, response) => {
      readBody(request, (body) => {
        const { method = "", url: target = "" } = request;
        const headers = request.headers as Readonly<Record<string, string | undefined>>;
        const answer =
          body === null
            ? problem(413, [`The body is longer than ${BODY_BYTES_MAX} bytes.`])
            : control.answer({ method, target, headers, body }, this.port);
        send(response, answer);
      });
    });
  }

  /** Answers that are on their way are finished; idle connections are closed. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
  }
}

/** Null when it is too long. A request that breaks off is never answered. */
function readBody(request: IncomingMessage, done: (body: Uint8Array | null) => void): void {
  const pieces: Uint8Array[] = [];
  let length = 0;
  request.on("data", (piece: Uint8Array) => {
    length += piece.length;
    if (length <= BODY_BYTES_MAX) pieces.push(piece);
  });
  request.on("end", () => done(length > BODY_BYTES_MAX ? null : Buffer.concat(pieces)));
  request.on("error", () => {});
}

function send(response: ServerResponse, { status, contentType, body }: ControlAnswer): void {
  response.writeHead(status, {
    "Content-Type": contentType,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  });
  response.on("error", () => {});
  if (typeof body === "string") response.end(body);
  else Readable.from(body).pipe(response);
}
