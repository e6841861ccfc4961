/**
 * A connection that speaks HTTP/1.1. Only one request is in flight at a time: answers are told apart
 * by their order alone, so nothing may be left over. Unexpected bytes, before a request or after the
 * end of an answer, close the connection.
 */
import assert from "node:assert/strict";
import {
  ANSWER_REFUSALS,
  type AnswerHead,
  AnswerReader,
  type AnswerTaker,
} from "../../../formats/http/index.ts";
import type { Place } from "../exchange/http-target.ts";
import type { Connection, ConnectionHome, ConnectionUser, OutgoingRequest } from "./connection.ts";
import {
  CLOSED_EARLY,
  type ConnectionFailure,
  connectionFailure,
  type SocketError,
} from "./connection-failure.ts";
import type { Wire, WireListener } from "./connection-wire.ts";

export class HttpConnection implements Connection, WireListener, AnswerTaker {
  readonly place: Place;
  readonly protocol = "http/1.1";
  readonly #wire: Wire;
  readonly #home: ConnectionHome;
  readonly #reader: AnswerReader = new AnswerReader(this);
  #user: ConnectionUser | null = null;
  #isPaused = false;
  /** The bytes that arrived together with those after which the user paused. */
  #rest: Buffer | null = null;
  #hasEnded = false;
  #isClosed = false;

  constructor(place: Place, wire: Wire, home: ConnectionHome) {
    this.place = place;
    this.#wire = wire;
    this.#home = home;
    wire.listener = this;
  }

  send(request: OutgoingRequest, user: ConnectionUser): void {
    assert(this.#user === null, "a connection carries one exchange at a time");
    this.#user = user;
    this.#reader.begin(request.headerBytesMax);
    this.#wire.write(request.text);
  }

  close(): void {
    this.#user = null;
    this.#rest = null;
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wire.close();
    this.#home.lost(this);
  }

  opened(): void {
    assert.fail("a connection is made from an open wire");
  }

  received(bytes: Buffer, lengthBytes: number): boolean {
    if (this.#user === null) {
      this.close();
      return false;
    }
    return this.#read(bytes, 0, lengthBytes);
  }

  takeHead(head: AnswerHead): void {
    this.#user?.takeHead(head);
  }

  takeBody(bytes: Buffer, from: number, to: number): boolean {
    const goesOn = this.#user?.takeBody(bytes, from, to) ?? false;
    if (!goesOn) this.#isPaused = true;
    return goesOn;
  }

  resume(): void {
    if (!this.#isPaused || this.#user === null) return;
    this.#isPaused = false;
    const rest = this.#rest;
    this.#rest = null;
    if (rest !== null && !this.#read(rest, 0, rest.length)) return;
    if (this.#hasEnded) this.ended();
    else this.#wire.resume();
  }

  ended(): void {
    if (this.#user === null) this.close();
    else if (this.#isPaused) this.#hasEnded = true;
    else if (this.#reader.close()) this.#finish(false);
    else this.#fail(this.#refusal() ?? CLOSED_EARLY);
  }

  broke(error: SocketError): void {
    this.#fail(connectionFailure(error, "established"));
  }

  /** While the connection has no user, the error is rethrown. */
  faulted(thrown: unknown): void {
    const user = this.#user;
    if (user === null) throw thrown;
    this.close();
    user.faulted(thrown);
  }

  /** Whether the wire may read on. */
  #read(bytes: Buffer, from: number, to: number): boolean {
    const end = this.#reader.read(bytes, from, to);
    // The user may have closed the connection.
    if (this.#user === null) return false;
    if (this.#reader.isWhole) {
      this.#finish(end === to && this.#reader.isPersistent);
      return !this.#isClosed;
    }
    const refusal = this.#refusal();
    if (refusal !== null) {
      this.#fail(refusal);
      return false;
    }
    if (this.#isPaused && end < to) this.#rest = Buffer.from(bytes.subarray(end, to));
    return !this.#isPaused;
  }

  #refusal(): ConnectionFailure | null {
    const { refusal } = this.#reader;
    if (refusal === null) return null;
    const why = `its answer was refused: ${ANSWER_REFUSALS[refusal]}`;
    return { code: "FETCH_PROTOCOL", why, facts: { reason: refusal } };
  }

  #finish(isReusable: boolean): void {
    const user = this.#user;
    this.#isPaused = false;
    if (isReusable && !this.#hasEnded) this.#home.released(this, this.#reader.keepAliveMs);
    else this.close();
    this.#user = null;
    user?.answered();
  }

  #fail(failure: ConnectionFailure): void {
    const user = this.#user;
    this.close();
    user?.failed(failure);
  }
}
