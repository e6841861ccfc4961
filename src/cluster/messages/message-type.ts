/** The kinds of messages that agents exchange, each with the codecs of what is asked and replied. */
import type { MessageKind } from "../../base/transport/index.ts";
import type { Codec } from "../../topology/items/index.ts";

export interface MessageType<Body, Reply = null> {
  readonly kind: MessageKind;
  readonly body: Codec<Body>;
  readonly reply: Codec<Reply>;
}

/** A message that is told to all, or asked of one and answered by nothing but that it has arrived. */
export function messageType<Body>(name: string, body: Codec<Body>): MessageType<Body>;
/** A message that is asked of one, and its reply. */
export function messageType<Body, Reply>(
  name: string,
  body: Codec<Body>,
  reply: Codec<Reply>,
): MessageType<Body, Reply>;
export function messageType(
  name: string,
  body: Codec<unknown>,
  reply: Codec<unknown> = NOTHING,
): MessageType<unknown, unknown> {
  return { kind: `cluster.${name}`, body, reply };
}

/** No bytes at all. */
export const NOTHING: Codec<null> = { write: () => undefined, read: () => null };

/** One of these words, as a byte. New words may only be added at the end. */
export function choice<Word extends string>(words: readonly Word[]): Codec<Word> {
  return {
    write: (word, into) => into.byte(words.indexOf(word)),
    read(from) {
      const word = words[from.byte()];
      if (word === undefined) throw new RangeError("a word in them is not known");
      return word;
    },
  };
}
