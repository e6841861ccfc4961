/** The listeners of a transport, one for each kind of message, until it is closed. */
import assert from "node:assert/strict";
import { assertMessageKind, type Listener, type MessageKind } from "./transport.ts";

export class ListenerTable {
  readonly #listeners = new Map<MessageKind, Listener>();
  #isClosed = false;

  /** Takes the messages of one kind, for good; without effect once the transport is closed. */
  serve(kind: MessageKind, listener: Listener): void {
    assertMessageKind(kind);
    assert(!this.#listeners.has(kind), `messages of kind ${kind} have a listener already`);
    if (!this.#isClosed) this.#listeners.set(kind, listener);
  }

  of(kind: MessageKind): Listener | undefined {
    return this.#listeners.get(kind);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
  }
}
