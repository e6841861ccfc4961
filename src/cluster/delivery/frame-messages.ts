/** Frames of entries as messages between agents: asked of exactly one place, taken from those that count. */
import type { Transport } from "../../base/transport/index.ts";
import { codec } from "../../topology/items/index.ts";
import { type MessageType, type Messenger, messageType, type Place } from "../messages/index.ts";
import type { Inbox } from "./inbox.ts";

const FRAME: MessageType<Uint8Array, Uint8Array> = messageType("url", codec.bytes, codec.bytes);

/** What an outbox sends by: a reply of another place, or of another life of it, is no reply. */
export function frameTransport(messenger: Messenger, place: Place): Pick<Transport, "request"> {
  return {
    request: (_to, { body }, timeoutMs, answered) =>
      messenger.ask(place, FRAME, { body, timeoutMs }, (replied) => {
        if (replied.kind === "reply") answered({ kind: "reply", body: replied.body });
        else answered({ kind: "timed-out" });
      }),
  };
}

/** Brings frames to the inbox, if `isWelcome` says so of their sender. */
export function serveFrames(
  messenger: Messenger,
  inbox: () => Inbox | null,
  isWelcome: (place: Place) => boolean,
): void {
  messenger.serve(FRAME, ({ place }, body, respond) => {
    if (isWelcome(place)) inbox()?.receive(body, respond);
  });
}
