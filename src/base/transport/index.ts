/**
 * Transports: how agents, and the lanes of one agent, reach each other. The contract is `Transport`
 * in `transport.ts`, its suite `lab/conformance/transport-suite.ts`.
 *
 * `InProcessTransport` connects parties that live in one thread. They share an `InProcessHub`,
 * which knows who is there and holds the one queue that all messages pass through. Sending puts a
 * message into the queue and returns; a turn of the event loop later the hub takes it out and the
 * receiver's listener is called with the very same bytes. A reply takes the same way back. Since
 * the process does not lose messages, each arrives once and in order; nobody may rely on it, for
 * other transports promise less.
 *
 * A request ends in one of five ways: with the reply, by its time limit (a timer of the injected
 * clock), as `unreachable` when the receiver is not there, does not serve this kind, or closes
 * without having responded, as `too-large`, or as `closed` when its own side closes first.
 *
 * Words of this module:
 * - *kind*: what a message is about; each kind has one listener
 * - *hub*: where the transports of one process meet
 *
 * Read `in-process-transport.ts` first, then `in-process-hub.ts` for fairness between messages and
 * everything else in the event loop.
 */
export { InProcessHub } from "./in-process-hub.ts";
export { InProcessTransport } from "./in-process-transport.ts";
export {
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
