/**
 * The seam to other agents: requests that are answered, and broadcasts that are not.
 *
 * Contract for implementers and callers:
 * - A message may be lost, arrive twice, late, or in another order than sent; it is never altered
 *   and never reaches an agent that it was not meant for. So receivers must be idempotent, and
 *   only a reply proves that a request arrived.
 * - A message is at most `MESSAGE_BYTES_MAX` long. A longer request is answered `too-large`; a
 *   longer broadcast or reply is a programming error.
 * - A body may be handed over without copying, and to several receivers: once sent it must not be
 *   changed by its sender or its receivers.
 * - Listeners and answers are called one at a time, never inside a call of the transport.
 */

import assert from "node:assert/strict";

/** One member of the ring, by the name it keeps for the whole crawl. */
export type AgentId = string;

/** What a message is about, such as `url` or `sync`; letters, digits and dots. */
export type MessageKind = string;

export const MESSAGE_BYTES_MAX: number = 1024 * 1024;

export interface Transport {
  readonly self: AgentId;

  /**
   * Sends `message` to the agent `to` and calls `answered` exactly once, never inside this call,
   * soon after `timeoutMs` at the latest. A request to oneself works like any other.
   */
  request(to: AgentId, message: Message, timeoutMs: number, answered: Answered): void;

  /** Sends to every other agent that can be reached; there is no answer and no guarantee. */
  broadcast(message: Message): void;

  /** Takes requests and broadcasts of one kind; one listener per kind, for good. */
  serve(kind: MessageKind, listener: Listener): void;

  /**
   * Stops receiving: no listener is called any more. Open requests, and any made afterwards, are
   * answered `closed`; all other calls, and replies still owed to others, have no effect.
   */
  close(): void;
}

export interface Message {
  readonly kind: MessageKind;
  readonly body: Uint8Array;
}

/**
 * `respond` may be called now or later. The first call counts; further ones, and those for a
 * broadcast or for a request that is no longer waiting, have no effect.
 */
export type Listener = (
  from: AgentId,
  body: Uint8Array,
  respond: (body: Uint8Array) => void,
) => void;

export type Answer =
  | { readonly kind: "reply"; readonly body: Uint8Array }
  /** No reply in time. The request may have been carried out all the same. */
  | { readonly kind: "timed-out" }
  /**
   * A hint, not promised, that there is no such agent now or that it does not serve this kind;
   * the request may still have been carried out.
   */
  | { readonly kind: "unreachable" }
  /** Longer than `MESSAGE_BYTES_MAX`: not sent. */
  | { readonly kind: "too-large" }
  /** This side was closed. */
  | { readonly kind: "closed" };

export type Answered = (answer: Answer) => void;

const MESSAGE_KIND = /^[A-Za-z0-9.]+$/;

/** For implementers: an invalid kind is a programming error. */
export function assertMessageKind(kind: MessageKind): void {
  assert(
    MESSAGE_KIND.test(kind),
    `a message kind consists of letters, digits and dots, not "${kind}"`,
  );
}

/** For implementers: whether a body is longer than a message may be. */
export function isTooLarge(body: Uint8Array): boolean {
  return body.byteLength > MESSAGE_BYTES_MAX;
}
