/**
 * The seam to other agents: requests that are answered, and broadcasts that are not.
 *
 * A message may be lost, arrive twice, late, or in another order than sent; it is never altered
 * and never reaches another agent than the one it was for. So receivers must be idempotent, and
 * only a reply proves that a request arrived. A message is at most `MESSAGE_BYTES_MAX` long.
 */

/** One member of the ring, by the name it keeps for the whole crawl. */
export type AgentId = string;

/** What a message is about, such as `url` or `sync`; letters, digits and dots. */
export type MessageKind = string;

export const MESSAGE_BYTES_MAX: number = 1024 * 1024;

export interface Transport {
  readonly self: AgentId;

  /**
   * Sends `body` to the agent `to` and calls `answered` exactly once, never inside this call.
   * `body` must not be changed afterwards. A request to oneself works like any other.
   */
  request(to: AgentId, message: Message, timeoutMs: number, answered: Answered): void;

  /** Sends to every other agent that can be reached; nobody answers and nothing is promised. */
  broadcast(message: Message): void;

  /** Takes requests and broadcasts of one kind; one listener per kind. */
  serve(kind: MessageKind, listener: Listener): void;

  /** Stops receiving; open requests are answered `closed`. Further calls do nothing. */
  close(): void;
}

export interface Message {
  readonly kind: MessageKind;
  readonly body: Uint8Array;
}

/** `respond` may be called later, once; for a broadcast it leads nowhere. */
export type Listener = (
  from: AgentId,
  body: Uint8Array,
  respond: (body: Uint8Array) => void,
) => void;

export type Answer =
  | { readonly kind: "reply"; readonly body: Uint8Array }
  /** No reply in time. The request may have been carried out all the same. */
  | { readonly kind: "timed-out" }
  /** A hint that nobody listens there now; the request may still have been carried out. */
  | { readonly kind: "unreachable" }
  /** Longer than `MESSAGE_BYTES_MAX`: not sent. */
  | { readonly kind: "too-large" }
  /** This side was closed. */
  | { readonly kind: "closed" };

export type Answered = (answer: Answer) => void;
