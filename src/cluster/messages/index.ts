/**
 * Messages between agents: who has sent them, how they become bytes, and which of them count.
 *
 *     message ──seal──► version, sender, body ──Transport──► open ──gate──► listener
 *                                                              └──► dropped, by reason
 *
 * A message is told to all, or asked of one place and answered. Each carries the sender's crawl, place,
 * incarnation and capacity. `Messenger` drops and counts what is of another crawl, of another major
 * version or unreadable, what an earlier generation or incarnation of its sender has sent, what is signed
 * by another agent than the transport has it from, and replies from another place than was asked. It relies on a gate for what is known of senders, which is
 * membership.
 *
 * A module that has something to say declares its messages with `messageType` and codecs, and serves
 * them at the messenger:
 *
 * ```ts
 * const PROBE = messageType("probe", struct<Probe>({ wave: count }), struct<Status>({ idle: flag }));
 * messenger.serve(PROBE, (from, probe, respond) => respond({ idle: isIdle() }));
 * messenger.ask(place, PROBE, { body: { wave: 1 }, timeoutMs: 1000 }, (replied) => …);
 * ```
 *
 * As with any transport, messages may be lost, doubled, late and out of order.
 *
 * Words of this module:
 * - *place*: an agent and a generation, that is, an agent with the disk that it has
 * - *incarnation*: counts the lives of a place; larger than all before it in every start and rejoin
 * - *sender*: crawl, place, incarnation and capacity of the author of a message
 * - *gate*: decides whose messages pass
 *
 * Read `messenger.ts` first, then `envelope.ts`.
 */
export { MAJOR, type Sender } from "./envelope.ts";
export { ADDRESS, DURATION, HOST, KNOWN_CAPACITY } from "./measures.ts";
export { choice, type MessageType, messageType, NOTHING } from "./message-type.ts";
export {
  type DropReason,
  type MessageGate,
  Messenger,
  type Question,
  type Replied,
  type ServeMessage,
} from "./messenger.ts";
export {
  AGENT_ID,
  GENERATION_MAX,
  PLACE,
  type Place,
  parsePlace,
  placeText,
  samePlace,
} from "./place.ts";
