/**
 * What every message between agents begins with: the version of its form, and who has sent it. What
 * follows is the body. A reader ignores bytes after the fields that it knows, so a later version may add
 * fields at the end of any body; a change that older readers would misread is another major version,
 * which they refuse.
 */
import { ByteReader, ByteWriter, type Codec, codec } from "../../topology/items/index.ts";
import { CAPACITY } from "./measures.ts";
import { EARLY_PLACE, type Place } from "./place.ts";

/** The author of a message. */
export interface Sender {
  /** The crawl that it works for; empty before it has learnt of one. */
  readonly crawl: string;
  readonly place: Place;
  /** Counts the starts of its process, and the times when it had to join again. */
  readonly incarnation: number;
  readonly capacity: number;
}

/** The major version in the upper four bits, the minor one in the others. */
const VERSION = 0x10;
/** The version whose messages are read here. */
export const MAJOR: number = VERSION >> 4;

const SENDER: Codec<Sender> = codec.struct<Sender>({
  crawl: codec.text,
  place: EARLY_PLACE,
  incarnation: codec.count,
  capacity: CAPACITY,
});

const writer = new ByteWriter();

export function seal<Body>(sender: Sender, body: Body, bodyCodec: Codec<Body>): Uint8Array {
  writer.reset();
  writer.byte(VERSION);
  SENDER.write(sender, writer);
  bodyCodec.write(body, writer);
  return writer.copy();
}

export interface Opened {
  readonly sender: Sender;
  /** Null if the bytes are not what the codec writes. */
  body<Body>(bodyCodec: Codec<Body>): { readonly value: Body } | null;
}

/** The message in these bytes, or why there is none: its major version, if that is another one. */
export function open(bytes: Uint8Array): Opened | number | "malformed" {
  const reader = new ByteReader(bytes);
  const opened = attempt((): Opened | number => {
    const major = reader.byte() >> 4;
    if (major !== MAJOR) return major;
    const sender = SENDER.read(reader);
    return { sender, body: (body) => attempt(() => ({ value: body.read(reader) })) };
  });
  return opened ?? "malformed";
}

/** Codecs throw about bytes that nobody wrote. */
function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
