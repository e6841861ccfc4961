/**
 * One transport for several nodes, one after the other: an agent that learns from the others with which
 * settings their nodes run closes its own and opens another, while its connection stays.
 *
 * Invariant: only the last of them hears anything.
 */
import {
  type AgentId,
  type Answer,
  type Answered,
  type Listener,
  ListenerTable,
  type Message,
  type MessageKind,
  type Transport,
} from "../../base/transport/index.ts";

const CLOSED: Answer = { kind: "closed" };

export class TransportTurns {
  readonly #transport: Transport;
  /** Kinds that the transport passes on. */
  readonly #kinds = new Set<MessageKind>();
  #turn: TransportTurn | null = null;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** For the next node; the one before it hears nothing from now on. */
  next(): Transport {
    this.#turn?.close();
    this.#turn = new TransportTurn(this.#transport, (kind) => this.#pass(kind));
    return this.#turn;
  }

  #pass(kind: MessageKind): void {
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.#transport.serve(kind, (...message) => this.#turn?.listenerOf(kind)?.(...message));
  }
}

class TransportTurn implements Transport {
  readonly #transport: Transport;
  readonly #serving: (kind: MessageKind) => void;
  readonly #listeners = new ListenerTable();
  #isClosed = false;

  constructor(transport: Transport, serving: (kind: MessageKind) => void) {
    this.#transport = transport;
    this.#serving = serving;
  }

  get self(): AgentId {
    return this.#transport.self;
  }

  request(to: AgentId, message: Message, timeoutMs: number, answered: Answered): void {
    const answer = (found: Answer): void => answered(this.#isClosed ? CLOSED : found);
    this.#transport.request(to, message, timeoutMs, answer);
  }

  broadcast(message: Message): void {
    if (!this.#isClosed) this.#transport.broadcast(message);
  }

  serve(kind: MessageKind, listener: Listener): void {
    this.#listeners.serve(kind, listener);
    this.#serving(kind);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.close();
  }

  listenerOf(kind: MessageKind): Listener | undefined {
    return this.#listeners.of(kind);
  }
}
