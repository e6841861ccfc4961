/**
 * One fetch from its call to its outcome: it gets a connection, sends the request, reads the answer
 * into a body, and enforces the limits. It passes through connecting, waiting for the head, and
 * reading the body; a failure before the head is complete fails the fetch, a later one cuts the body.
 *
 * A request is sent once. The server may have closed an idle connection just as it was taken, but it
 * cannot be known whether the server had seen the request, and sending it again at once would be a
 * visit without the delay that politeness asks for. So this is a failure like any other, and the
 * frontier decides about the next try.
 *
 * What the exchange or its connection throws fails the fetch with `INTERNAL_FETCH`; once the outcome
 * was given, errors are no longer the exchange's.
 */
import assert from "node:assert/strict";
import { CrawlError, faultOf } from "../../../base/errors/index.ts";
import type {
  Body,
  Clock,
  FetchedOutcome,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
  SentRequest,
} from "../../../base/seams/index.ts";
import type { RateLimit } from "../../../base/time/index.ts";
import type { AnswerHead } from "../../../formats/http/index.ts";
import type { BodySink, BodySpool } from "../../body/index.ts";
import type { Connection, ConnectionUser, OutgoingRequest } from "../connections/connection.ts";
import type { Caller, Dialing } from "../connections/connection-dialer.ts";
import type { ConnectionFailure } from "../connections/connection-failure.ts";
import type { ConnectionPool } from "../connections/connection-pool.ts";
import type { Deadlines, Watched } from "./http-deadlines.ts";
import { HttpProgress } from "./http-progress.ts";
import { sentRequest } from "./sent-request.ts";

/** What exchanges share. */
export interface ExchangeWorld {
  readonly clock: Clock;
  readonly spool: BodySpool;
  readonly pool: ConnectionPool;
  readonly deadlines: Deadlines;
  /** Bytes a second of all bodies together; null for no limit. */
  readonly bandwidth: RateLimit | null;
  /** The error that forbids a new connection to this address, if any. */
  readonly mayConnect: (address: string | null, port: number) => CrawlError | null;
  /** Called with the head of an answer; returns a failure when it is not the server's. */
  readonly headCame: (request: OutgoingRequest, head: AnswerHead) => ConnectionFailure | null;
  /** The address, or the proxy, for messages. */
  readonly way: (address: string | null) => string;
  readonly ended: (exchange: HttpExchange) => void;
}

type Truncation = FetchedOutcome["truncatedBy"];

/** Shorter waits are left to add up. */
const WAIT_MS_MIN = 10;

/** Idle connections closed when the system has no descriptor left. */
const CLOSED_FOR_ROOM = 32;

export class HttpExchange implements FetchInFlight, Caller, ConnectionUser, Watched {
  dueAtMs = 0;
  sequence = 0;
  place = -1;
  readonly #world: ExchangeWorld;
  readonly #request: FetchRequest;
  readonly #fetched: (outcome: FetchOutcome) => void;
  readonly #progress: HttpProgress;
  #outgoing: OutgoingRequest | null = null;
  /** Until the call of `fetch` has returned. */
  #isStarting = true;
  #isAnswered = false;
  #dialing: Dialing | null = null;
  #connection: Connection | null = null;
  #protocol: SentRequest["protocol"] = "http/1.1";
  #answerMs = 0;
  #head: AnswerHead | null = null;
  #sink: BodySink | null = null;

  constructor(
    world: ExchangeWorld,
    request: FetchRequest,
    fetched: (outcome: FetchOutcome) => void,
  ) {
    this.#world = world;
    this.#request = request;
    this.#fetched = fetched;
    this.#progress = new HttpProgress(request.limits, world.clock.nowMs());
  }

  /** Sends the request, on an idle connection if there is one. The outcome always comes later. */
  start(outgoing: OutgoingRequest): void {
    this.#outgoing = outgoing;
    const connection = this.#world.pool.take(outgoing.target.place);
    if (connection === null) this.#dial();
    else this.#send(connection);
    this.#watch();
    this.#isStarting = false;
  }

  /** Fails, later, a fetch that cannot be started. */
  refuse(error: CrawlError): void {
    this.#stop();
    this.#answerLater({ kind: "failed", error });
  }

  get receivedBytes(): number {
    return this.#progress.receivedBytes;
  }

  cancel(): void {
    if (this.#progress.isDone) return;
    this.#sink?.abandon();
    this.#stop();
    this.#answerLater({ kind: "cancelled" });
  }

  opened(connection: Connection): void {
    this.#dialing = null;
    this.#connection = connection;
    this.#guard(() => {
      this.#send(connection);
      this.#watch();
    });
  }

  takeHead(head: AnswerHead): void {
    const outgoing = this.#outgoing;
    if (outgoing === null || this.#progress.phase !== "header") return;
    const failure = this.#world.headCame(outgoing, head);
    if (failure !== null) {
      this.#fail(failure);
      return;
    }
    const { bodyBytesMax } = this.#request.limits;
    this.#head = head;
    const nowMs = this.#world.clock.nowMs();
    this.#answerMs = this.#progress.inPhaseMs(nowMs);
    this.#progress.enter("body", nowMs);
    const expected = head.lengthBytes === null ? null : Math.min(head.lengthBytes, bodyBytesMax);
    this.#sink = this.#world.spool.open(expected, () => this.#drained());
    this.#watch();
  }

  takeBody(bytes: Buffer, from: number, to: number): boolean {
    const sink = this.#sink;
    if (sink === null || this.#progress.phase !== "body") return false;
    const { bodyBytesMax } = this.#request.limits;
    const room = bodyBytesMax - this.#progress.receivedBytes;
    const taken = Math.min(room, to - from);
    const nowMs = this.#world.clock.nowMs();
    this.#progress.received(taken, nowMs);
    const goesOn = taken === 0 || sink.write(bytes, from, from + taken);
    const isFull = taken === room && (this.#head?.lengthBytes ?? 0) > bodyBytesMax;
    if (to - from > room || isFull) {
      this.#end("length");
      return false;
    }
    if (!goesOn) this.#progress.fallBehind(nowMs);
    return goesOn && this.#keepsPace(taken, nowMs);
  }

  /** False when reading waits, because all bodies together come too fast. */
  #keepsPace(bytes: number, nowMs: number): boolean {
    const { bandwidth, clock } = this.#world;
    if (bandwidth === null) return true;
    bandwidth.take(bytes);
    const { waitMs } = bandwidth;
    if (waitMs < WAIT_MS_MIN) return true;
    this.#progress.slowDown(nowMs);
    clock.after(waitMs, () => this.#drained());
    return false;
  }

  answered(): void {
    this.#connection = null;
    this.#guard(() => this.#end(null));
  }

  failed(failure: ConnectionFailure): void {
    this.#connection = null;
    this.#dialing = null;
    this.#guard(() => {
      if (this.#progress.phase === "body") this.#end("disconnect");
      else {
        if (failure.code === "FETCH_NO_SOCKET") this.#world.pool.closeOldest(CLOSED_FOR_ROOM);
        this.#fail(failure);
      }
    });
  }

  wake(nowMs: number): void {
    this.#guard(() => this.#look(nowMs));
  }

  faulted(thrown: unknown): void {
    const what = `the fetch of ${this.#request.url}`;
    const error = faultOf(thrown, { code: "INTERNAL_FETCH", what, isOver: this.#isAnswered });
    const sink = this.#sink;
    this.#sink = null;
    // Whatever the first fault has broken, the rest is given back as far as possible.
    for (const giveBack of [() => this.#stop(), () => sink?.abandon()]) {
      try {
        giveBack();
      } catch {}
    }
    this.#answer({ kind: "failed", error });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.faulted(thrown);
    }
  }

  #look(nowMs: number): void {
    if (this.#progress.limitAtMs > nowMs) this.#watch();
    else if (this.#progress.phase === "body") this.#end("time");
    else {
      const { limit, limitMs } = this.#progress.exceeded(nowMs);
      const why = `no answer within the ${limit} limit of ${limitMs} ms`;
      this.#fail({ code: "FETCH_TIMED_OUT", why, facts: { limit, limitMs } });
    }
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
    this.#protocol = connection.protocol;
    this.#progress.enter("header", this.#world.clock.nowMs());
    connection.send(outgoing, this);
  }

  #watch(): void {
    if (!this.#progress.isDone) this.#world.deadlines.watch(this, this.#progress.limitAtMs);
  }

  #drained(): void {
    this.#guard(() => {
      if (!this.#progress.catchUp(this.#world.clock.nowMs())) return;
      this.#watch();
      this.#connection?.resume();
    });
  }

  #end(truncatedBy: Truncation): void {
    const head = this.#head;
    const sink = this.#sink;
    if (this.#progress.phase !== "body" || head === null || sink === null) return;
    this.#stop();
    this.#progress.finish("ending");
    sink.end((error, body) => {
      this.#sink = null;
      this.#guard(() => {
        this.#progress.finish("over");
        if (error !== null) this.#answer({ kind: "failed", error });
        else this.#answer(this.#outcome(head, body, truncatedBy));
      });
    });
  }

  #fail(failure: ConnectionFailure): void {
    if (this.#progress.isDone) return;
    this.#stop();
    this.#answer({ kind: "failed", error: this.#error(failure) });
  }

  #error({ code, why, facts }: ConnectionFailure): CrawlError {
    const { url, address } = this.#request;
    const message = `Could not fetch ${url} ${this.#world.way(address)}: ${why}.`;
    return new CrawlError(code, message, { url, address, ...facts });
  }

  #outcome(head: AnswerHead, body: Body, truncatedBy: Truncation): FetchOutcome {
    const { status, reason, headers } = head;
    const answerMs = this.#answerMs;
    const outgoing = this.#outgoing;
    assert(outgoing !== null, "an answer belongs to a request");
    const request = sentRequest(outgoing, this.#protocol);
    return { kind: "fetched", request, status, reason, headers, body, answerMs, truncatedBy };
  }

  #stop(): void {
    this.#progress.finish("over");
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
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#world.ended(this);
    this.#fetched(outcome);
  }
}

const ALL_IN_USE: ConnectionFailure = {
  code: "FETCH_NO_SOCKET",
  why: "as many connections as allowed are in use",
  facts: {},
};
