/**
 * A transport between processes over TCP. An agent that is to be asked listens at an address; one that
 * asks opens a connection to it when it first has something to send, keeps it, and opens another one
 * when that has ended. Any number of requests share a connection; replies come back in any order on the
 * connection on which they were asked. An id is an address, `127.0.0.1:7301`, unless `addressOf` says
 * otherwise.
 *
 * There is no encryption and no proof of identity, so only loopback addresses are listened at.
 *
 * Invariant: every request is in one set, that of its link, from the call until its one answer. When a
 * link ends, its requests are answered `unreachable`.
 */
import assert from "node:assert/strict";
import { createConnection, createServer, isIPv4, type Server, type Socket } from "node:net";
import { CrawlError } from "../errors/index.ts";
import type { Clock, Done, Timer } from "../seams/index.ts";
import { ListenerTable } from "./listener-table.ts";
import { type TcpCaller, TcpCallers } from "./tcp-callers.ts";
import { encodeTcpFrame, type TcpFrame, TcpFrameReader } from "./tcp-frames.ts";
import {
  type AgentId,
  type Answer,
  type Answered,
  assertMessageKind,
  isTooLarge,
  type Listener,
  MESSAGE_BYTES_MAX,
  type Message,
  type MessageKind,
  type Transport,
} from "./transport.ts";

export interface TcpTransportOptions {
  readonly self: AgentId;
  readonly clock: Clock;
  /** `host:port`, port 0 for any that is free; null for one that only asks. */
  readonly listenAt: string | null;
  /** Where an agent listens, null if nobody knows; its id unless given. */
  readonly addressOf?: (id: AgentId) => string | null;
  /** Whom broadcasts are for; nobody unless given. */
  readonly peers?: () => Iterable<AgentId>;
  /** Told now and then of callers that were cut off. */
  readonly report?: (error: CrawlError) => void;
}

interface OpenRequest {
  readonly answered: Answered;
  readonly timer: Timer;
  readonly askedAtMs: number;
}

const EMPTY = new Uint8Array(0);
const ID_BYTES_MAX = 1024;
/** A connection that has not sent this much of what it was given is as good as none. */
const UNSENT_BYTES_MAX = 32 * MESSAGE_BYTES_MAX;
const NUMBERS = 2 ** 32;

/** Answers when it listens; `TRANSPORT_LISTEN_FAILED` if it cannot. */
export function openTcpTransport(options: TcpTransportOptions, done: Done<TcpTransport>): void {
  const { listenAt, clock } = options;
  if (listenAt === null) {
    clock.after(0, () => done(null, new TcpTransport(options, null)));
    return;
  }
  const place = placeOf(listenAt);
  if (place === null || !isLoopback(place.host)) {
    const error = cannotListen(listenAt, "it is not an address and port of this machine alone");
    clock.after(0, () => done(error, undefined));
    return;
  }
  const server = createServer({ noDelay: true });
  const fail = (cause: Error): void =>
    done(cannotListen(listenAt, cause.message, cause), undefined);
  server.once("error", fail);
  server.listen(place, () => {
    server.off("error", fail);
    done(null, new TcpTransport(options, server));
  });
}

/** Made by `openTcpTransport`. */
export class TcpTransport implements Transport {
  readonly self: AgentId;
  /** Where it listens, with the port that it got; null if it does not. */
  readonly address: string | null;
  readonly #options: TcpTransportOptions;
  readonly #server: Server | null;
  readonly #listeners = new ListenerTable();
  readonly #links = new Map<AgentId, TcpLink>();
  readonly #callers: TcpCallers;
  #isClosed = false;

  constructor(options: TcpTransportOptions, server: Server | null) {
    this.self = options.self;
    this.#options = options;
    this.#server = server;
    this.#callers = new TcpCallers(options.clock, options.report ?? (() => undefined));
    this.address = server === null ? null : addressOf(server);
    // After an accept that fails for lack of descriptors the caller has to try again.
    server?.on("error", () => {});
    server?.on("connection", (socket) => this.#accept(socket));
  }

  /** Connections that were cut off, since what they did makes no sense. */
  get refusedCallers(): number {
    return this.#callers.refused;
  }

  request(to: AgentId, message: Message, timeoutMs: number, answered: Answered): void {
    assertMessageKind(message.kind);
    assert(timeoutMs > 0, "a request waits for some time");
    const answer = (kind: "closed" | "too-large" | "unreachable"): void => {
      this.#options.clock.after(0, () => answered({ kind }));
    };
    if (this.#isClosed) answer("closed");
    else if (isTooLarge(message.body)) answer("too-large");
    else {
      const link = this.#linkTo(to);
      if (link === null) answer("unreachable");
      else link.request(message, timeoutMs, answered);
    }
  }

  broadcast(message: Message): void {
    assertMessageKind(message.kind);
    assert(!isTooLarge(message.body), "a broadcast is at most MESSAGE_BYTES_MAX long");
    if (this.#isClosed) return;
    for (const peer of this.#options.peers?.() ?? []) {
      if (peer !== this.self)
        this.#linkTo(peer)?.send({ purpose: "broadcast", number: 0, ...message });
    }
  }

  serve(kind: MessageKind, listener: Listener): void {
    this.#listeners.serve(kind, listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listeners.close();
    this.#server?.close();
    this.#callers.close();
    for (const link of this.#links.values()) link.end("closed");
    this.#links.clear();
  }

  /** The link to an agent as it can be reached now; null if it cannot. */
  #linkTo(to: AgentId): TcpLink | null {
    const address = this.#addressOf(to);
    const known = this.#links.get(to);
    if (known?.isOpen === true && known.address === address) return known;
    known?.end("unreachable");
    this.#links.delete(to);
    const place = address === null ? null : placeOf(address);
    if (address === null || place === null) return null;
    const socket = createConnection({ ...place, noDelay: true, keepAlive: true });
    const link = new TcpLink(socket, address, this.#options.clock);
    link.send({ purpose: "hello", number: 0, kind: "", body: Buffer.from(this.self) });
    this.#links.set(to, link);
    return link;
  }

  #addressOf(to: AgentId): string | null {
    if (to === this.self && this.address !== null) return this.address;
    return this.#options.addressOf === undefined ? to : this.#options.addressOf(to);
  }

  #accept(socket: Socket): void {
    const reader = new TcpFrameReader();
    let from: AgentId | null = null;
    const caller = this.#callers.add(socket);
    socket.on("data", (piece) => {
      const frames = reader.take(piece as Buffer);
      for (const frame of frames ?? []) {
        if (from !== null) this.#hear(from, frame, caller);
        else from = callerOf(frame);
        if (from === null) break;
      }
      const isNonsense = frames === null || (frames.length > 0 && from === null);
      if (isNonsense) this.#callers.refuse(caller, "does not speak this protocol");
      else if (frames.length > 0) this.#callers.heard(caller, reader.isMidway);
      // A frame that begins has its time from now on.
      else if (!caller.isMidway) this.#callers.heard(caller, true);
    });
  }

  #hear(from: AgentId, frame: TcpFrame, caller: TcpCaller): void {
    if (this.#isClosed) return;
    const { purpose, number, kind, body } = frame;
    const listener = this.#listeners.of(kind);
    let isOwed = purpose === "request";
    const respond = (reply: Uint8Array): void => {
      assert(!isTooLarge(reply), "a reply is at most MESSAGE_BYTES_MAX long");
      if (!isOwed) return;
      isOwed = false;
      write(caller.socket, { purpose: "reply", number, kind: "", body: reply });
      this.#callers.checkUnread(caller);
    };
    if (listener !== undefined) listener(from, body, respond);
    else if (isOwed) {
      write(caller.socket, { purpose: "unreachable", number, kind: "", body: EMPTY });
      this.#callers.checkUnread(caller);
    }
  }
}

/** A connection that this side has opened, with the requests that wait for an answer on it. */
class TcpLink {
  readonly address: string;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #requests = new Map<number, OpenRequest>();
  readonly #reader = new TcpFrameReader();
  #lastNumber = 0;
  #heardAtMs = Number.NEGATIVE_INFINITY;
  #hasEnded = false;

  constructor(socket: Socket, address: string, clock: Clock) {
    this.#socket = socket;
    this.address = address;
    this.#clock = clock;
    socket.on("error", () => {});
    socket.on("close", () => this.end("unreachable"));
    socket.on("data", (piece) => this.#take(piece as Buffer));
  }

  get isOpen(): boolean {
    return !this.#hasEnded && this.#socket.writableLength < UNSENT_BYTES_MAX;
  }

  request(message: Message, timeoutMs: number, answered: Answered): void {
    const number = this.#nextNumber();
    const timer = this.#clock.after(timeoutMs, () => this.#timeOut(number));
    this.#requests.set(number, { answered, timer, askedAtMs: this.#clock.nowMs() });
    this.send({ purpose: "request", number, ...message });
  }

  send(frame: TcpFrame): void {
    write(this.#socket, frame);
  }

  end(kind: "closed" | "unreachable"): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#socket.destroy();
    const numbers = [...this.#requests.keys()];
    // Never inside a call: whoever ended it may be in the middle of one.
    for (const number of numbers) this.#clock.after(0, () => this.#settle(number, { kind }));
  }

  #take(piece: Buffer): void {
    this.#heardAtMs = this.#clock.nowMs();
    const frames = this.#reader.take(piece);
    for (const { purpose, number, body } of frames ?? []) {
      if (this.#hasEnded) return;
      if (purpose === "reply") this.#settle(number, { kind: "reply", body });
      else if (purpose === "unreachable") this.#settle(number, { kind: "unreachable" });
    }
    if (frames === null) this.end("unreachable");
  }

  #timeOut(number: number): void {
    const askedAtMs = this.#requests.get(number)?.askedAtMs ?? 0;
    this.#settle(number, { kind: this.#hasEnded ? "unreachable" : "timed-out" });
    // Nothing has come since: the other side may be gone without a word, so the next one dials anew.
    if (this.#heardAtMs < askedAtMs) this.end("unreachable");
  }

  #settle(number: number, answer: Answer): void {
    const request = this.#requests.get(number);
    if (request === undefined) return;
    this.#requests.delete(number);
    request.timer.cancel();
    request.answered(answer);
  }

  #nextNumber(): number {
    do this.#lastNumber = (this.#lastNumber + 1) % NUMBERS;
    while (this.#requests.has(this.#lastNumber));
    return this.#lastNumber;
  }
}

function write(socket: Socket, frame: TcpFrame): void {
  if (socket.destroyed) return;
  const [head, body] = encodeTcpFrame(frame);
  socket.cork();
  socket.write(head);
  if (body.byteLength > 0) socket.write(body);
  socket.uncork();
}

function callerOf({ purpose, body }: TcpFrame): AgentId | null {
  if (purpose !== "hello" || body.length === 0 || body.length > ID_BYTES_MAX) return null;
  return Buffer.from(body).toString();
}

/** `127.0.0.1:7301`, `localhost:7301` or `[::1]:7301`. */
function placeOf(address: string): { readonly host: string; readonly port: number } | null {
  const [, bracketed, plain, digits = ""] =
    /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? null : { host, port };
}

function isLoopback(host: string): boolean {
  return host === "::1" || host === "localhost" || (isIPv4(host) && host.startsWith("127."));
}

function addressOf(server: Server): string {
  const bound = server.address();
  assert(bound !== null && typeof bound === "object", "a server that listens has an address");
  return bound.family === "IPv6"
    ? `[${bound.address}]:${bound.port}`
    : `${bound.address}:${bound.port}`;
}

function cannotListen(address: string, why: string, cause?: Error): CrawlError {
  return new CrawlError(
    "TRANSPORT_LISTEN_FAILED",
    `Cannot listen at ${address}: ${why}. Choose a free port of a loopback address, such as ` +
      "127.0.0.1:7301.",
    { address },
    cause,
  );
}
