/**
 * One fetch from its call to its outcome: it gets a connection, sends the request, takes the answer
 * into a body, and keeps the limits. It passes through connecting, waiting for the head, and reading
 * the body; a failure before the head is complete is a failed fetch, one after it cuts the body.
 *
 * A request is sent once. An idle connection may have been closed by the server at the very moment
 * when it was taken, but whether the server had seen the request cannot be known, and to send it again
 * at once would be a visit that nobody counts and for which nobody waits. So that is a failure like
 * any other, and who decides about politeness decides about the next try.
 */
import { CrawlError } from "../errors/index.ts";
import type { AnswerHead } from "../http/index.ts";
import type {
  Body,
  Clock,
  FetchInFlight,
  FetchLimits,
  FetchOutcome,
  FetchRequest,
} from "../seams/index.ts";
import type { BodySink, BodySpool } from "./body-sink.ts";
import type { Connection, ConnectionUser, OutgoingRequest } from "./connection.ts";
import type { Caller, Dialing } from "./connection-dialer.ts";
import type { ConnectionFailure } from "./connection-failure.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { Deadlines, Watched } from "./http-deadlines.ts";

/** What exchanges share. */
export interface ExchangeWorld {
  readonly clock: Clock;
  readonly spool: BodySpool;
  readonly pool: ConnectionPool;
  readonly deadlines: Deadlines;
  /** The error that forbids a new connection to there, if one does. */
  readonly mayConnect: (address: string, port: number) => CrawlError | null;
  /** A complete head of an answer; an error when it is not the server's. */
  readonly headCame: (request: OutgoingRequest, head: AnswerHead) => ConnectionFailure | null;
  readonly ended: (exchange: HttpExchange) => void;
}

type Truncation = (FetchOutcome & { readonly kind: "fetched" })["truncatedBy"];
type Phase = "connect" | "header" | "body" | "ending" | "over";

/** Idle connections closed when the system has no descriptor left. */
const CLOSED_FOR_ROOM = 32;

export class HttpExchange implements FetchInFlight, Caller, ConnectionUser, Watched {
  dueAtMs = 0;
  sequence = 0;
  place = -1;
  readonly #world: ExchangeWorld;
  readonly #request: FetchRequest;
  readonly #fetched: (outcome: FetchOutcome) => void;
  readonly #startedAtMs: number;
  #outgoing: OutgoingRequest | null = null;
  #isStarting = false;
  #phase: Phase = "connect";
  #phaseAtMs: number;
  #dialing: Dialing | null = null;
  #connection: Connection | null = null;
  #answerMs = 0;
  #head: AnswerHead | null = null;
  #sink: BodySink | null = null;
  #receivedBytes = 0;
  #lastByteAtMs = 0;
  /** Since when the sink is behind; the server cannot be blamed for that time. */
  #behindSinceMs: number | null = null;

  constructor(
    world: ExchangeWorld,
    request: FetchRequest,
    fetched: (outcome: FetchOutcome) => void,
  ) {
    this.#world = world;
    this.#request = request;
    this.#fetched = fetched;
    this.#startedAtMs = world.clock.nowMs();
    this.#phaseAtMs = this.#startedAtMs;
  }

  /** Sends the request, on an idle connection if there is one. Never answers inside the call. */
  start(outgoing: OutgoingRequest): void {
    this.#outgoing = outgoing;
    this.#isStarting = true;
    const connection = this.#world.pool.take(outgoing.target.place);
    if (connection === null) this.#dial();
    else this.#send(connection);
    this.#watch();
    this.#isStarting = false;
  }

  /** Fails a fetch that cannot be begun, later. */
  refuse(error: CrawlError): void {
    this.#stop();
    this.#answerLater({ kind: "failed", error });
  }

  cancel(): void {
    if (this.#phase === "over" || this.#phase === "ending") return;
    this.#sink?.abandon();
    this.#stop();
    this.#answerLater({ kind: "cancelled" });
  }

  opened(connection: Connection): void {
    this.#dialing = null;
    this.#send(connection);
    this.#watch();
  }

  takeHead(head: AnswerHead): void {
    const outgoing = this.#outgoing;
    if (outgoing === null || this.#phase !== "header") return;
    const failure = this.#world.headCame(outgoing, head);
    if (failure !== null) {
      this.#fail(failure);
      return;
    }
    const { bodyBytesMax } = this.#request.limits;
    this.#head = head;
    this.#answerMs = this.#world.clock.nowMs() - this.#phaseAtMs;
    this.#enter("body");
    this.#lastByteAtMs = this.#phaseAtMs;
    const expected = head.lengthBytes === null ? null : Math.min(head.lengthBytes, bodyBytesMax);
    this.#sink = this.#world.spool.open(expected, () => this.#drained());
    this.#watch();
  }

  takeBody(bytes: Buffer, from: number, to: number): boolean {
    const sink = this.#sink;
    if (sink === null || this.#phase !== "body") return false;
    const { bodyBytesMax } = this.#request.limits;
    const room = bodyBytesMax - this.#receivedBytes;
    const taken = Math.min(room, to - from);
    this.#receivedBytes += taken;
    const goesOn = taken === 0 || sink.write(bytes, from, from + taken);
    const isFull = taken === room && (this.#head?.lengthBytes ?? 0) > bodyBytesMax;
    if (to - from > room || isFull) {
      this.#end("length");
      return false;
    }
    this.#lastByteAtMs = this.#world.clock.nowMs();
    if (!goesOn) this.#behindSinceMs = this.#lastByteAtMs;
    return goesOn;
  }

  answered(): void {
    this.#connection = null;
    this.#end(null);
  }

  failed(failure: ConnectionFailure): void {
    this.#connection = null;
    this.#dialing = null;
    if (this.#phase === "body") this.#end("disconnect");
    else {
      if (failure.code === "FETCH_NO_SOCKET") this.#world.pool.closeOldest(CLOSED_FOR_ROOM);
      this.#fail(failure);
    }
  }

  wake(nowMs: number): void {
    const limits = this.#request.limits;
    const total = this.#startedAtMs + limits.totalTimeoutMs;
    const atMs = this.#limitAtMs(limits);
    if (atMs > nowMs) this.#watch();
    else if (this.#phase === "body") this.#end("time");
    else this.#timeOut(total <= nowMs && total <= atMs ? "total" : this.#phase);
  }

  #dial(): void {
    const place = this.#outgoing?.target.place;
    if (place === undefined) return;
    const refusal = this.#world.mayConnect(place.address, place.port);
    if (refusal !== null) {
      this.refuse(refusal);
      return;
    }
    this.#dialing = this.#world.pool.open(place, this);
    if (this.#dialing === null) this.refuse(this.#error(ALL_IN_USE));
  }

  #send(connection: Connection): void {
    const outgoing = this.#outgoing;
    if (outgoing === null) return;
    this.#connection = connection;
    this.#enter("header");
    connection.send(outgoing, this);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#phaseAtMs = this.#world.clock.nowMs();
  }

  #watch(): void {
    if (this.#phase === "over" || this.#phase === "ending") return;
    this.#world.deadlines.watch(this, this.#limitAtMs(this.#request.limits));
  }

  /** When the first of the limits of this phase is reached, as things stand. */
  #limitAtMs(limits: FetchLimits): number {
    const totalAtMs = this.#startedAtMs + limits.totalTimeoutMs;
    if (this.#phase === "connect") {
      return Math.min(totalAtMs, this.#phaseAtMs + limits.connectTimeoutMs);
    }
    if (this.#phase === "header") {
      return Math.min(totalAtMs, this.#phaseAtMs + limits.headerTimeoutMs);
    }
    if (this.#behindSinceMs !== null) return totalAtMs;
    const { idleTimeoutMs, bytesPerSecondMin } = limits;
    const allowedMs = Math.max(idleTimeoutMs, (this.#receivedBytes / bytesPerSecondMin) * 1000);
    const rateAtMs = bytesPerSecondMin > 0 ? this.#phaseAtMs + allowedMs : totalAtMs;
    return Math.min(totalAtMs, this.#lastByteAtMs + idleTimeoutMs, rateAtMs);
  }

  #timeOut(limit: Phase | "total"): void {
    const limits = this.#request.limits;
    const limitMs =
      limit === "total"
        ? limits.totalTimeoutMs
        : limit === "connect"
          ? limits.connectTimeoutMs
          : limits.headerTimeoutMs;
    const why = `no answer within the ${limit} limit of ${limitMs} ms`;
    this.#fail({ code: "FETCH_TIMED_OUT", why, facts: { limit, limitMs } });
  }

  #drained(): void {
    if (this.#behindSinceMs === null) return;
    const nowMs = this.#world.clock.nowMs();
    this.#phaseAtMs += nowMs - this.#behindSinceMs;
    this.#lastByteAtMs = nowMs;
    this.#behindSinceMs = null;
    this.#watch();
    this.#connection?.resume();
  }

  #end(truncatedBy: Truncation): void {
    const head = this.#head;
    const sink = this.#sink;
    if (this.#phase !== "body" || head === null || sink === null) return;
    this.#stop();
    this.#phase = "ending";
    sink.end((error, body) => {
      this.#phase = "over";
      if (error !== null) this.#answer({ kind: "failed", error });
      else this.#answer(this.#outcome(head, body, truncatedBy));
    });
  }

  #fail(failure: ConnectionFailure): void {
    if (this.#phase === "over" || this.#phase === "ending") return;
    this.#stop();
    this.#answer({ kind: "failed", error: this.#error(failure) });
  }

  #error({ code, why, facts }: ConnectionFailure): CrawlError {
    const { url, address } = this.#request;
    const message = `Could not fetch ${url} from ${address}: ${why}.`;
    return new CrawlError(code, message, { url, address, ...facts });
  }

  #outcome(head: AnswerHead, body: Body, truncatedBy: Truncation): FetchOutcome {
    const { status, reason, headers } = head;
    const answerMs = this.#answerMs;
    return { kind: "fetched", status, reason, headers, body, answerMs, truncatedBy };
  }

  #stop(): void {
    this.#phase = "over";
    this.#world.deadlines.forget(this);
    this.#dialing?.close();
    this.#dialing = null;
    this.#connection?.close();
    this.#connection = null;
  }

  #answerLater(outcome: FetchOutcome): void {
    this.#isStarting = false;
    this.#world.clock.after(0, () => this.#answer(outcome));
  }

  #answer(outcome: FetchOutcome): void {
    if (this.#isStarting) {
      this.#answerLater(outcome);
      return;
    }
    this.#world.ended(this);
    this.#fetched(outcome);
  }
}

const ALL_IN_USE: ConnectionFailure = {
  code: "FETCH_NO_SOCKET",
  why: "as many connections as allowed are open, and none of them is idle",
  facts: {},
};
