/**
 * A transport between agents (or lanes) in one process and one thread. Bodies are handed over
 * without a copy: sender and receivers see the same bytes, which is why the contract forbids
 * changing them.
 *
 * Every request is an `OpenRequest` from the call until its one answer. The first event that
 * settles it (reply, time limit, closing of either side) wins; later ones have no effect. It is
 * `unreachable` when the receiver is not there, does not serve the kind, or closes without having
 * responded.
 */
import assert from "node:assert/strict";
import type { Timer } from "../seams/index.ts";
import type { InProcessHub } from "./in-process-hub.ts";
import { ListenerTable } from "./listener-table.ts";
import {
  type AgentId,
  type Answer,
  type Answered,
  assertMessageKind,
  isTooLarge,
  type Listener,
  type Message,
  type MessageKind,
  type Transport,
} from "./transport.ts";

export class InProcessTransport implements Transport {
  readonly self: AgentId;
  readonly #hub: InProcessHub;
  readonly #listeners = new ListenerTable();
  /** Requests of this side that wait for their answer. */
  readonly #asked = new Set<OpenRequest>();
  /** Requests of others that arrived here and wait for a response. */
  readonly #owed = new Set<OpenRequest>();
  #isClosed = false;

  /** Connects at once. No other transport of this id may be connected to the hub. */
  constructor(hub: InProcessHub, self: AgentId) {
    this.self = self;
    this.#hub = hub;
    hub.enter(self, this);
  }

  request(to: AgentId, message: Message, timeoutMs: number, answered: Answered): void {
    assertMessageKind(message.kind);
    assert(timeoutMs > 0, "a request waits for some time");
    const request = new OpenRequest(this.#asked, answered);
    if (this.#isClosed) this.#answer(request, { kind: "closed" });
    else if (isTooLarge(message.body)) this.#answer(request, { kind: "too-large" });
    else {
      request.timer = this.#hub.clock.after(timeoutMs, () => request.settle({ kind: "timed-out" }));
      this.#hub.post(() => this.#deliver(to, message, request));
    }
  }

  broadcast(message: Message): void {
    assertMessageKind(message.kind);
    assert(!isTooLarge(message.body), "a broadcast is at most MESSAGE_BYTES_MAX long");
    if (this.#isClosed) return;
    for (const member of this.#hub.members()) {
      if (member === this) continue;
      this.#hub.post(() => member.#hear(this.self, message));
    }
  }

  serve(kind: MessageKind, listener: Listener): void {
    this.#listeners.serve(kind, listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#hub.leave(this.self);
    this.#listeners.close();
    for (const request of this.#asked) this.#answer(request, { kind: "closed" });
    for (const request of this.#owed) this.#answer(request, { kind: "unreachable" });
  }

  /** Answers in a later turn; until then nothing else can. */
  #answer(request: OpenRequest, answer: Answer): void {
    if (!request.claim()) return;
    this.#hub.post(() => request.answered(answer));
  }

  #deliver(to: AgentId, message: Message, request: OpenRequest): void {
    if (request.isSettled) return;
    const receiver = this.#hub.member(to);
    if (receiver === undefined) request.settle({ kind: "unreachable" });
    else receiver.#take(this.self, message, request);
  }

  #take(from: AgentId, message: Message, request: OpenRequest): void {
    const listener = this.#listeners.of(message.kind);
    if (listener === undefined) {
      request.settle({ kind: "unreachable" });
      return;
    }
    request.enter(this.#owed);
    listener(from, message.body, (body) => this.#respond(request, body));
  }

  #respond(request: OpenRequest, body: Uint8Array): void {
    assert(!isTooLarge(body), "a reply is at most MESSAGE_BYTES_MAX long");
    if (!this.#owed.delete(request)) return;
    this.#hub.post(() => request.settle({ kind: "reply", body }));
  }

  #hear(from: AgentId, message: Message): void {
    this.#listeners.of(message.kind)?.(from, message.body, respondNowhere);
  }
}

class OpenRequest {
  readonly answered: Answered;
  timer: Timer | null = null;
  isSettled = false;
  readonly #asked: Set<OpenRequest>;
  #owed: Set<OpenRequest> | null = null;

  constructor(asked: Set<OpenRequest>, answered: Answered) {
    this.answered = answered;
    this.#asked = asked;
    asked.add(this);
  }

  /** Called on arrival: the receiver now owes it a response. */
  enter(owed: Set<OpenRequest>): void {
    this.#owed = owed;
    owed.add(this);
  }

  /** True for the first caller, which must then answer the request. */
  claim(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.timer?.cancel();
    this.#asked.delete(this);
    this.#owed?.delete(this);
    return true;
  }

  /** Answers now, unless already answered; only from a turn of the loop, never inside a call. */
  settle(answer: Answer): void {
    if (this.claim()) this.answered(answer);
  }
}

function respondNowhere(): void {}
