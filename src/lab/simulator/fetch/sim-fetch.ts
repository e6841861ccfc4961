/**
 * One simulated fetch, from the client's side: what arrives, the limits on it, and the one outcome
 * that it ends with. It passes through connecting, waiting for the head, and reading the body; each
 * has its own time limit, and one limit is on the whole.
 */
import { CrawlError, type ErrorCode } from "../../../base/errors/index.ts";
import type {
  Clock,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
  Header,
  SentRequest,
  Timer,
} from "../../../base/seams/index.ts";
import { headerValue } from "../../../formats/http/index.ts";
import { HeldBody } from "./held-body.ts";

type Truncation = (FetchOutcome & { readonly kind: "fetched" })["truncatedBy"];

interface Head {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  readonly atMs: number;
  /** How long the server said the body would be. */
  readonly declaredBytes: number;
}

export class SimFetch implements FetchInFlight {
  isOver = false;
  readonly #clock: Clock;
  readonly #request: FetchRequest;
  readonly #fetched: (outcome: FetchOutcome) => void;
  readonly #total: Timer;
  /** The limit of the phase, what the server does next, the limit on the rate. */
  #phase: Timer;
  #next: Timer | null = null;
  #rate: Timer | null = null;
  #head: Head | null = null;
  readonly #pieces: Uint8Array[] = [];
  #receivedBytes = 0;
  #sentAtMs: number;

  constructor(clock: Clock, request: FetchRequest, fetched: (outcome: FetchOutcome) => void) {
    this.#clock = clock;
    this.#request = request;
    this.#fetched = fetched;
    this.#sentAtMs = clock.nowMs();
    const { connectTimeoutMs, totalTimeoutMs } = request.limits;
    this.#phase = clock.after(connectTimeoutMs, () => this.#timeOut("connect", connectTimeoutMs));
    this.#total = clock.after(totalTimeoutMs, () => this.#timeOut("total", totalTimeoutMs));
  }

  cancel(): void {
    if (this.isOver) return;
    this.#stop();
    this.#clock.after(0, () => this.#fetched({ kind: "cancelled" }));
  }

  /** Calls after this delay, unless the fetch is over by then. */
  await(delayMs: number, callback: () => void): void {
    if (!this.isOver) this.#next = this.#clock.after(delayMs, callback);
  }

  refuse(): void {
    this.#fail("FETCH_CONNECT_FAILED", "nobody accepts connections there");
  }

  connected(): void {
    this.#sentAtMs = this.#clock.nowMs();
    const { headerTimeoutMs } = this.#request.limits;
    this.#setPhase(headerTimeoutMs, () => this.#timeOut("header", headerTimeoutMs));
  }

  receiveHead(status: number, headers: readonly Header[], reason: string): void {
    const headBytes = headers.reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      `HTTP/1.1 ${status} ${reason}\r\n\r\n`.length,
    );
    if (headBytes > this.#request.limits.headerBytesMax) {
      this.#fail("FETCH_PROTOCOL", `the head of its answer is longer than the limit`);
      return;
    }
    const declared = headerValue(headers, "content-length");
    const declaredBytes = declared === undefined ? Number.POSITIVE_INFINITY : Number(declared);
    this.#head = { status, reason, headers, atMs: this.#clock.nowMs(), declaredBytes };
    this.#expectMore();
    this.#endIfComplete();
  }

  receiveBody(bytes: Uint8Array): void {
    if (this.isOver || this.#head === null) return;
    const { bodyBytesMax } = this.#request.limits;
    const wanted = Math.min(bodyBytesMax, this.#head.declaredBytes) - this.#receivedBytes;
    this.#pieces.push(bytes.subarray(0, wanted));
    this.#receivedBytes += Math.min(bytes.length, wanted);
    if (this.#receivedBytes === bodyBytesMax && bytes.length > wanted) this.#end("length");
    else this.#expectMore();
    this.#endIfComplete();
  }

  receiveGarbage(): void {
    this.#fail("FETCH_PROTOCOL", "its answer is not HTTP");
  }

  disconnect(): void {
    if (this.#head === null)
      this.#fail("FETCH_DISCONNECTED", "the server broke the connection off");
    else this.#end("disconnect");
  }

  /** The server has finished; checks that it sent all that it had announced. */
  end(): void {
    if (this.isOver) return;
    const isChunked = this.#head?.declaredBytes === Number.POSITIVE_INFINITY;
    if (isChunked) this.#end(null);
    else this.disconnect();
  }

  #endIfComplete(): void {
    if (!this.isOver && this.#receivedBytes === this.#head?.declaredBytes) this.#end(null);
  }

  /** Sets the limits on how long the next piece of the body may take. */
  #expectMore(): void {
    const { idleTimeoutMs, bytesPerSecondMin } = this.#request.limits;
    this.#setPhase(idleTimeoutMs, () => this.#end("time"));
    const allowedMs = Math.max(idleTimeoutMs, (this.#receivedBytes / bytesPerSecondMin) * 1000);
    const spentMs = this.#clock.nowMs() - (this.#head?.atMs ?? 0);
    this.#rate?.cancel();
    this.#rate = this.#clock.after(Math.max(0, allowedMs - spentMs), () => this.#end("time"));
  }

  #setPhase(limitMs: number, exceeded: () => void): void {
    this.#phase.cancel();
    this.#phase = this.#clock.after(limitMs, exceeded);
  }

  #timeOut(limit: "connect" | "header" | "total", limitMs: number): void {
    if (this.#head !== null) this.#end("time");
    else {
      const why = `no answer within the ${limit} limit of ${limitMs} ms`;
      this.#fail("FETCH_TIMED_OUT", why, { limit, limitMs });
    }
  }

  #end(truncatedBy: Truncation): void {
    const head = this.#head;
    if (this.isOver || head === null) return;
    this.#stop();
    const { status, reason, headers } = head;
    const body = new HeldBody(new Uint8Array(Buffer.concat(this.#pieces)), this.#clock);
    const answerMs = head.atMs - this.#sentAtMs;
    const answer = { status, reason, headers, body, answerMs, truncatedBy };
    this.#fetched({ kind: "fetched", request: sentBy(this.#request), ...answer });
  }

  #fail(code: ErrorCode, why: string, facts: Readonly<Record<string, string | number>> = {}): void {
    if (this.isOver) return;
    this.#stop();
    const { url, address } = this.#request;
    const message = `Could not fetch ${url} from ${address}: ${why}.`;
    const error = new CrawlError(code, message, { url, address, ...facts });
    this.#fetched({ kind: "failed", error });
  }

  #stop(): void {
    this.isOver = true;
    for (const timer of [this.#total, this.#phase, this.#next, this.#rate]) timer?.cancel();
  }
}

/** What a client would have sent. */
function sentBy({ url, headers }: FetchRequest): SentRequest {
  const { host, pathname, search } = new URL(url);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`;
  return { head, protocol: "http/1.1" };
}
