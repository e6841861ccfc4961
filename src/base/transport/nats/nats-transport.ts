/**
 * A transport over NATS servers: each agent is a client of one of them, and the servers pass messages
 * on to each other. Nothing is kept on the way: what is not received at once is lost, and delivery
 * (`cluster/delivery`) sends it again.
 *
 *     PREFIX.to.RECEIVER.SENDER.KIND      a request
 *     PREFIX.all.SENDER.CONNECTION.KIND   a broadcast
 *     PREFIX.re.ASKER.CONNECTION.NUMBER   the reply to a request
 *
 * While the client has no server, requests are answered `unreachable` at once and broadcasts are dropped.
 * The client of NATS would take them, and drop them without a word when it tries to connect again.
 *
 * Servers limit what their clients send, not what comes over routes, and whoever has a token can say
 * anything under any subject. So what no agent could have sent is refused here once more, and counted.
 *
 * Invariant: every request is in one table from the call until its one answer.
 */
import assert from "node:assert/strict";
import type { Msg, MsgHdrs, NatsConnection, Subscription } from "@nats-io/transport-node";
import type { Clock, Timer } from "../../seams/index.ts";
import { ListenerTable } from "../listener-table.ts";
import {
  type AgentId,
  type Answer,
  type Answered,
  assertMessageKind,
  isTooLarge,
  type Listener,
  type Message,
  type MessageKind,
} from "../transport.ts";
import type { ServedTransport, TransportRefusal } from "./served-transport.ts";
import { idIn, subjectWord } from "./subject-words.ts";

export interface NatsTransportParts {
  readonly self: AgentId;
  readonly clock: Clock;
  readonly connection: NatsConnection;
  /** Keeps this connection's replies apart from those of other connections of the agent. */
  readonly name: string;
  /** The first words of every subject; clusters that share servers differ in it. */
  readonly prefix: string;
  /** The head of an answer to requests of a kind that nobody serves here. */
  readonly notServed: MsgHdrs;
  /** Told when its server is gone, and when it has one again. */
  readonly connectionChanged: (isConnected: boolean) => void;
}

interface OpenRequest {
  readonly answered: Answered;
  readonly timer: Timer;
}

/** What servers and agents say where nobody listens. */
export const NOBODY_LISTENS = 503;
const EMPTY = new Uint8Array(0);

/** Made by `openNatsTransport`. */
export class NatsTransport implements ServedTransport {
  readonly self: AgentId;
  readonly #parts: NatsTransportParts;
  readonly #listeners = new ListenerTable();
  readonly #subscriptions: Subscription[] = [];
  readonly #requests = new Map<string, OpenRequest>();
  readonly #replies: string;
  readonly #refused = new Map<TransportRefusal, number>();
  #lastNumber = 0;
  #isConnected = true;
  #isClosed = false;
  #forbidden: string | null = null;

  constructor(parts: NatsTransportParts) {
    const { self, prefix, name } = parts;
    this.self = self;
    this.#parts = parts;
    this.#replies = `${prefix}.re.${subjectWord(self)}.${name}`;
    this.#subscribe(`${this.#replies}.*`, (message) => this.#hearReply(message));
    // One subscription for all kinds: a kind that is served from now on is heard from now on.
    this.#subscribe(`${prefix}.to.${subjectWord(self)}.*.>`, (message) => this.#hear(message, 2));
    this.#subscribe(`${prefix}.all.*.*.>`, (message) => this.#hear(message, 1));
    void this.#watch();
  }

  /** Whether it has a server at present. */
  get isConnected(): boolean {
    return this.#isConnected && !this.#isClosed;
  }

  /** How many messages were not taken, by reason. */
  get refused(): ReadonlyMap<TransportRefusal, number> {
    return this.#refused;
  }

  /**
   * Resolves when its server knows what it listens to: to null, or to what the server forbids (`publish
   * SUBJECT`). Before anything else is asked of it.
   */
  async tried(): Promise<string | null> {
    const { connection, prefix } = this.#parts;
    for (const way of ["all", "re", "to"]) {
      connection.publish(`${prefix}.${way}.${subjectWord(this.self)}`);
    }
    // What it forbids is said before this is answered, and heard in the turn after.
    await connection.flush();
    await new Promise<void>((resolve) => this.#parts.clock.after(0, resolve));
    return this.#forbidden;
  }

  request(to: AgentId, message: Message, timeoutMs: number, answered: Answered): void {
    assertMessageKind(message.kind);
    assert(timeoutMs > 0, "a request waits for some time");
    const refusal = this.#refusal(message);
    if (refusal === null) this.#ask(to, message, timeoutMs, answered);
    else this.#parts.clock.after(0, () => answered({ kind: refusal }));
  }

  broadcast({ kind, body }: Message): void {
    assertMessageKind(kind);
    assert(!isTooLarge(body), "a broadcast is at most MESSAGE_BYTES_MAX long");
    if (!this.isConnected) return;
    const { connection, prefix, name } = this.#parts;
    connection.publish(`${prefix}.all.${subjectWord(this.self)}.${name}.${kind}`, body);
  }

  serve(kind: MessageKind, listener: Listener): void {
    this.#listeners.serve(kind, listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listeners.close();
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    // Never inside this call.
    const { clock, connection } = this.#parts;
    for (const name of this.#requests.keys()) {
      clock.after(0, () => this.#settle(name, { kind: "closed" }));
    }
    connection.close().catch(() => undefined);
  }

  #refusal(message: Message): "closed" | "too-large" | "unreachable" | null {
    if (this.#isClosed) return "closed";
    if (isTooLarge(message.body)) return "too-large";
    return this.#isConnected ? null : "unreachable";
  }

  #ask(to: AgentId, { kind, body }: Message, timeoutMs: number, answered: Answered): void {
    const { clock, connection, prefix } = this.#parts;
    this.#lastNumber += 1;
    const name = this.#lastNumber.toString(36);
    const timer = clock.after(timeoutMs, () => this.#settle(name, { kind: "timed-out" }));
    this.#requests.set(name, { answered, timer });
    const subject = `${prefix}.to.${subjectWord(to)}.${subjectWord(this.self)}.${kind}`;
    connection.publish(subject, body, { reply: `${this.#replies}.${name}` });
  }

  /**
   * `at`: which word of the subject, after the prefix, is the sender. Of a broadcast the next one is its
   * connection, since another process may have the id of this agent. The rest is the kind.
   */
  #hear(message: Msg, at: number): void {
    const { prefix, name } = this.#parts;
    const words = message.subject.slice(prefix.length + 1).split(".");
    const from = idIn(words[at] ?? "");
    const isBroadcast = at === 1;
    const listener = this.#listeners.of(words.slice(isBroadcast ? at + 2 : at + 1).join("."));
    const isRequest = message.reply !== undefined && message.reply !== "";
    if (from === null) this.#refuse("sender");
    else if (isBroadcast && from === this.self && words[at + 1] === name) return;
    else if (listener !== undefined) this.#tell(listener, from, message, isRequest);
    else if (isRequest) message.respond(EMPTY, { headers: this.#parts.notServed });
  }

  #tell(listener: Listener, from: AgentId, message: Msg, isRequest: boolean): void {
    let isOwed = isRequest;
    listener(from, message.data, (reply) => {
      assert(!isTooLarge(reply), "a reply is at most MESSAGE_BYTES_MAX long");
      if (!isOwed || !this.isConnected) return;
      isOwed = false;
      message.respond(reply);
    });
  }

  #hearReply(message: Msg): void {
    const name = message.subject.slice(this.#replies.length + 1);
    const isNobody = message.data.length === 0 && message.headers?.code === NOBODY_LISTENS;
    const answer: Answer = isNobody
      ? { kind: "unreachable" }
      : { kind: "reply", body: message.data };
    if (this.#requests.has(name)) this.#settle(name, answer);
    else this.#refuse("unasked");
  }

  #settle(name: string, answer: Answer): void {
    const request = this.#requests.get(name);
    if (request === undefined) return;
    this.#requests.delete(name);
    request.timer.cancel();
    request.answered(answer);
  }

  #subscribe(subject: string, heard: (message: Msg) => void): void {
    const callback = (error: Error | null, message: Msg): void => {
      // The server refused the subscription; nothing will ever come.
      if (error !== null || this.#isClosed) return;
      if (isTooLarge(message.data)) this.#refuse("too-large");
      else heard(message);
    };
    this.#subscriptions.push(this.#parts.connection.subscribe(subject, { callback }));
  }

  #refuse(reason: TransportRefusal): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  async #watch(): Promise<void> {
    for await (const event of this.#parts.connection.status()) {
      const { type } = event;
      if (type === "disconnect" || type === "staleConnection") this.#setConnected(false);
      else if (type === "reconnect") this.#setConnected(true);
      else if (type === "error") this.#forbidden ??= forbiddenBy(event.error);
    }
  }

  #setConnected(isConnected: boolean): void {
    if (this.#isConnected === isConnected || this.#isClosed) return;
    this.#isConnected = isConnected;
    this.#parts.connectionChanged(isConnected);
  }
}

/** Named by its shape: the client, and its classes, are loaded only by agents of clusters. */
function forbiddenBy(error: Error): string | null {
  if (!("operation" in error && "subject" in error)) return null;
  return `${error.operation === "publish" ? "publish" : "subscribe to"} ${error.subject}`;
}
