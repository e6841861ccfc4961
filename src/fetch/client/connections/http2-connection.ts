/**
 * A connection that speaks HTTP/2, on Node's session. It too carries one exchange at a time: a crawler
 * asks a host for one page, then waits, so there is nothing to interleave. Only used if the
 * configuration offers HTTP/2 and the server chooses it.
 */
import assert from "node:assert/strict";
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  IncomingHttpStatusHeader,
} from "node:http2";
import { createRequire } from "node:module";
import type { Header } from "../../../base/seams/index.ts";
import { HEADERS_MAX } from "../../../formats/http/index.ts";
import type { Place } from "../exchange/http-target.ts";
import type { Connection, ConnectionHome, ConnectionUser, OutgoingRequest } from "./connection.ts";
import { CLOSED_EARLY, type ConnectionFailure } from "./connection-failure.ts";
import type { WireSocket } from "./connection-wire.ts";

const require = createRequire(import.meta.url);
/** Loaded for the first connection that needs it. */
const http2 = (): typeof import("node:http2") => require("node:http2");

const INTERIM_ANSWERS_MAX = 10;
/** Megabytes that a session may hold for all its streams and headers. */
const SESSION_MEMORY_MAX = 2;
const HEADER_LIST_BYTES_MAX = 64 * 1024;

/** Every request names its own authority, but the session needs a URL. */
const UNUSED_AUTHORITY = "https://unused.invalid";

export class Http2Connection implements Connection {
  readonly place: Place;
  readonly protocol = "h2";
  readonly #home: ConnectionHome;
  readonly #socket: WireSocket;
  readonly #session: ClientHttp2Session;
  #user: ConnectionUser | null = null;
  #stream: ClientHttp2Stream | null = null;
  #interim = 0;
  #isClosed = false;

  constructor(place: Place, socket: WireSocket, home: ConnectionHome) {
    this.place = place;
    this.#home = home;
    this.#socket = socket;
    this.#session = http2().connect(UNUSED_AUTHORITY, {
      createConnection: () => socket,
      maxSessionMemory: SESSION_MEMORY_MAX,
      maxHeaderListPairs: HEADERS_MAX,
      maxReservedRemoteStreams: 0,
      settings: { enablePush: false, maxHeaderListSize: HEADER_LIST_BYTES_MAX },
    });
    this.#session.on("error", (error) => this.#guard(() => this.#fail(failureOf(error))));
    this.#session.on("goaway", () => this.#guard(() => this.#leave()));
    this.#session.on("close", () => this.#guard(() => this.#fail(CLOSED_EARLY)));
  }

  send(request: OutgoingRequest, user: ConnectionUser): void {
    assert(this.#user === null, "a connection carries one exchange at a time");
    this.#user = user;
    this.#interim = 0;
    try {
      this.#stream = this.#session.request(headersFor(request));
      this.#hear(this.#stream, request.headerBytesMax);
    } catch (error) {
      this.#fail(notSent(error));
    }
  }

  resume(): void {
    this.#stream?.resume();
  }

  close(): void {
    this.#user = null;
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream?.destroy();
    this.#session.destroy();
    // A session that a GOAWAY is closing only ends its side and waits for the server's, for ever.
    this.#socket.destroy();
    this.#home.lost(this);
  }

  #hear(stream: ClientHttp2Stream, headerBytesMax: number): void {
    stream.on("headers", () => this.#guard(() => this.#passInterim()));
    stream.on("response", (headers) => this.#guard(() => this.#takeHead(headers, headerBytesMax)));
    stream.on("data", (bytes: Buffer) =>
      this.#guard(() => {
        if (this.#user?.takeBody(bytes, 0, bytes.length) === false) stream.pause();
      }),
    );
    stream.on("error", (error) => {
      if (stream === this.#stream) this.#guard(() => this.#fail(failureOf(error)));
    });
    const hasEndFlag = watchEndFlag(stream);
    // A reset may directly follow the last bytes: only `close` tells whether the answer is complete.
    stream.on("close", () => {
      if (stream !== this.#stream) return;
      const isWhole = hasEndFlag() && stream.rstCode === http2().constants.NGHTTP2_NO_ERROR;
      this.#guard(() => (isWhole ? this.#finish() : this.#fail(CLOSED_EARLY)));
    });
  }

  /** What a call throws ends the exchange that uses the connection; without one, it is rethrown. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (thrown) {
      const user = this.#user;
      if (user === null) throw thrown;
      this.close();
      user.faulted(thrown);
    }
  }

  #passInterim(): void {
    this.#interim++;
    if (this.#interim > INTERIM_ANSWERS_MAX) this.#fail(protocol("too-many-interim"));
  }

  #takeHead(head: IncomingHttpHeaders & IncomingHttpStatusHeader, bytesMax: number): void {
    const headers = headersOf(head);
    const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
    if (bytes > bytesMax) {
      this.#fail(protocol("head-too-long"));
      return;
    }
    const length = head["content-length"];
    const lengthBytes = length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null;
    this.#user?.takeHead({ status: head[":status"] ?? 0, reason: "", headers, lengthBytes });
  }

  #finish(): void {
    const user = this.#user;
    this.#stream = null;
    if (this.#session.closed || this.#session.destroyed) this.close();
    else this.#home.released(this, null);
    this.#user = null;
    user?.answered();
  }

  /** The server takes no more requests; the one in flight may finish. */
  #leave(): void {
    if (this.#user === null) this.close();
  }

  #fail(failure: ConnectionFailure): void {
    const user = this.#user;
    this.close();
    user?.failed(failure);
  }
}

/**
 * Whether the server ended the stream with END_STREAM. A reset without an error ends the readable
 * side too, and no event or property of Node tells the two apart; but only END_STREAM ends it before
 * the stream counts as closed.
 */
function watchEndFlag(stream: ClientHttp2Stream): () => boolean {
  let isSeen = false;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && !stream.closed) isSeen = true;
    return push(chunk, encoding);
  };
  return () => isSeen && stream.readableEnded;
}

function headersFor({ target, headers }: OutgoingRequest): Record<string, string | string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    values[key] = [...(values[key] ?? []), value];
  }
  return {
    ":method": "GET",
    ":scheme": "https",
    ":authority": target.authority,
    ":path": target.target,
    ...values,
  };
}

/** The session has just ended, or HTTP/2 does not allow a header of the request. */
function notSent(error: unknown): ConnectionFailure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/HEADER|CONNECTION_SPECIFIC|PSEUDO/.test(code)) return CLOSED_EARLY;
  return { code: "FETCH_REQUEST_INVALID", why: `HTTP/2 refused a header (${code})`, facts: {} };
}

function headersOf(head: IncomingHttpHeaders): Header[] {
  const headers: Header[] = [];
  for (const [name, value] of Object.entries(head)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const one of typeof value === "string" ? [value] : value) headers.push([name, one.trim()]);
  }
  return headers;
}

function protocol(reason: string): ConnectionFailure {
  const why = `its answer by HTTP/2 was refused (${reason})`;
  return { code: "FETCH_PROTOCOL", why, facts: { reason } };
}

/** An error code of HTTP/2 in the message means a mistake of the server, not a lost connection. */
function failureOf(error: Error): ConnectionFailure {
  const reason =
    /NGHTTP2_(PROTOCOL_ERROR|INTERNAL_ERROR|FLOW_CONTROL_ERROR|FRAME_SIZE_ERROR|COMPRESSION_ERROR|ENHANCE_YOUR_CALM)/.exec(
      error.message,
    )?.[1];
  if (reason !== undefined) return protocol(reason.toLowerCase().replaceAll("_", "-"));
  if ("code" in error && error.code === "ERR_HTTP2_ERROR") return protocol("malformed");
  return CLOSED_EARLY;
}
