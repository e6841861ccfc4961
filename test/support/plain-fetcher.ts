/**
 * The plainest fetcher that meets the contract, on Node's own HTTP client. It shows that the
 * fetcher suite can be passed on real sockets; it is not made for speed or for hostile servers.
 */
import { type ClientRequest, type IncomingMessage, request as startRequest } from "node:http";
import { CrawlError, type ErrorCode } from "../../src/errors/index.ts";
import type {
  Fetcher,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
  Header,
} from "../../src/seams/index.ts";
import { HeldBody } from "../../src/simulator/index.ts";
import { SystemClock } from "../../src/time/index.ts";

type Truncation = (FetchOutcome & { kind: "fetched" })["truncatedBy"];

export class PlainFetcher implements Fetcher {
  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight {
    return new PlainFetch(request, fetched);
  }
}

class PlainFetch implements FetchInFlight {
  readonly #request: FetchRequest;
  readonly #fetched: (outcome: FetchOutcome) => void;
  readonly #client: ClientRequest;
  readonly #total: NodeJS.Timeout;
  #phase: NodeJS.Timeout;
  #rate: NodeJS.Timeout | undefined;
  #response: IncomingMessage | null = null;
  #headAtMs = 0;
  #isConnected = false;
  #isOver = false;
  #received = 0;
  readonly #pieces: Buffer[] = [];

  constructor(request: FetchRequest, fetched: (outcome: FetchOutcome) => void) {
    const { limits } = request;
    this.#request = request;
    this.#fetched = fetched;
    this.#client = this.#connect();
    this.#phase = setTimeout(() => this.#timeOut("connect"), limits.connectTimeoutMs);
    this.#total = setTimeout(() => this.#timeOut("total"), limits.totalTimeoutMs);
  }

  cancel(): void {
    if (!this.#isOver) this.#stop(() => this.#fetched({ kind: "cancelled" }));
  }

  #connect(): ClientRequest {
    const { url, address, headers, limits } = this.#request;
    const { hostname, port, pathname, search } = new URL(url);
    const client = startRequest({
      host: address,
      port,
      path: pathname + search,
      agent: false,
      maxHeaderSize: limits.headerBytesMax,
      setHost: false,
    });
    client.setHeader("Host", hostname);
    for (const [name, value] of headers) client.setHeader(name, value);
    client.on("socket", (socket) => socket.on("connect", () => this.#connected()));
    client.on("response", (response) => this.#receiveHead(response));
    client.on("error", (error: NodeJS.ErrnoException) => this.#break(error));
    client.end();
    return client;
  }

  #connected(): void {
    this.#isConnected = true;
    this.#setPhase(this.#request.limits.headerTimeoutMs, () => this.#timeOut("header"));
  }

  #receiveHead(response: IncomingMessage): void {
    this.#response = response;
    this.#headAtMs = performance.now();
    this.#expectMore();
    response.on("data", (piece: Buffer) => this.#receive(piece));
    response.on("error", () => this.#end("disconnect"));
    response.on("end", () => this.#end(response.complete ? null : "disconnect"));
  }

  #receive(piece: Buffer): void {
    const room = this.#request.limits.bodyBytesMax - this.#received;
    this.#pieces.push(piece.subarray(0, room));
    this.#received += Math.min(room, piece.length);
    if (piece.length > room) this.#end("length");
    else this.#expectMore();
  }

  #expectMore(): void {
    const { idleTimeoutMs, bytesPerSecondMin } = this.#request.limits;
    this.#setPhase(idleTimeoutMs, () => this.#end("time"));
    const allowedMs = Math.max(idleTimeoutMs, (this.#received / bytesPerSecondMin) * 1000);
    const restMs = allowedMs - (performance.now() - this.#headAtMs);
    clearTimeout(this.#rate);
    this.#rate = setTimeout(() => this.#end("time"), restMs);
  }

  #setPhase(limitMs: number, exceeded: () => void): void {
    clearTimeout(this.#phase);
    this.#phase = setTimeout(exceeded, limitMs);
  }

  #timeOut(limit: string): void {
    if (this.#response !== null) this.#end("time");
    else this.#fail("FETCH_TIMED_OUT", { limit });
  }

  #break(error: NodeJS.ErrnoException): void {
    if (this.#response !== null) this.#end("disconnect");
    else if (error.code?.startsWith("HPE_")) this.#fail("FETCH_PROTOCOL");
    else this.#fail(this.#isConnected ? "FETCH_DISCONNECTED" : "FETCH_CONNECT_FAILED");
  }

  #end(truncatedBy: Truncation): void {
    const response = this.#response;
    if (this.#isOver || response === null) return;
    const headers: Header[] = [];
    for (let index = 0; index + 1 < response.rawHeaders.length; index += 2) {
      headers.push([response.rawHeaders[index] ?? "", response.rawHeaders[index + 1] ?? ""]);
    }
    const body = new HeldBody(new Uint8Array(Buffer.concat(this.#pieces)), new SystemClock());
    const status = response.statusCode ?? 0;
    this.#stop(() =>
      this.#fetched({ kind: "fetched", status, reason: "", headers, body, truncatedBy }),
    );
  }

  #fail(code: ErrorCode, facts: Record<string, string> = {}): void {
    if (this.#isOver) return;
    const { url, address } = this.#request;
    const error = new CrawlError(code, `Could not fetch ${url}.`, { url, address, ...facts });
    this.#stop(() => this.#fetched({ kind: "failed", error }));
  }

  #stop(answer: () => void): void {
    this.#isOver = true;
    for (const timer of [this.#phase, this.#total, this.#rate]) clearTimeout(timer);
    this.#client.destroy();
    setImmediate(answer);
  }
}
