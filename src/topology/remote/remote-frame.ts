/**
 * What the two sides of a remote connector say to each other: frames, and answers to them.
 *
 * A frame carries a *piece*: a part of a batch of items, mostly all of it. Its sequence number is its
 * place in the sender's log: `after` is where the frame before it ended, `end` where it ends itself. So
 * numbers only grow, over all lives of the sender, and none is given twice. A receiver takes a frame
 * only if `after` is how far it has got. The log itself is the *stream*, by a random name that is as old
 * as the log: if its disk is lost, what comes from the new one is another stream.
 */
import { printable } from "../../base/text/index.ts";
import { MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import { ByteReader, ByteWriter, type Codec, codec } from "../items/index.ts";

/** The kind of all messages of remote connectors. */
export const FRAME_KIND = "connector";

/** What a piece may hold, so that it fits into a message with everything beside it. */
export const PIECE_BYTES_MAX: number = MESSAGE_BYTES_MAX - 8 * 1024;

export interface Frame {
  /** The id that the connector has in the topologies of both processes. */
  readonly connector: string;
  /** The name of the type of its items. */
  readonly type: string;
  readonly stream: string;
  /** Where the sender's log begins by now; everything before was acknowledged. */
  readonly floor: number;
  readonly after: number;
  readonly end: number;
  /** A `Piece` in bytes, as it is in the sender's log. */
  readonly piece: Uint8Array;
}

export interface Piece {
  /** Whether this piece begins a batch: one that was not complete will never be. */
  readonly isFirst: boolean;
  /** Whether this piece ends its batch. */
  readonly isLast: boolean;
  /** Whether all producers are done; such a piece has no items. */
  readonly isClose: boolean;
  /** How many items the stream had before this batch. */
  readonly first: number;
  /** Items of the batch. */
  readonly count: number;
  readonly bytes: Uint8Array;
}

/**
 * `taken`: everything before `at` is durable at the receiver. `gap`: something is missing before this
 * frame. `full`: try again later. `refused`: as long as nothing changes at one of the sides, trying
 * again will not help; only then `at` means nothing.
 */
export interface FrameAnswer {
  readonly kind: "taken" | "gap" | "full" | "refused";
  readonly at: number;
  /** Why it was refused. */
  readonly reason: string;
}

const KINDS: readonly FrameAnswer["kind"][] = ["taken", "gap", "full", "refused"];
const REASON_LETTERS_MAX = 300;
/** Changed with the form of frames: sides of different versions refuse each other. */
const VERSION = 1;

const FRAME: Codec<Frame> = codec.struct<Frame>({
  connector: codec.text,
  type: codec.text,
  stream: codec.text,
  floor: codec.count,
  after: codec.count,
  end: codec.count,
  piece: codec.bytes,
});

export const PIECE: Codec<Piece> = codec.struct<Piece>({
  isFirst: codec.flag,
  isLast: codec.flag,
  isClose: codec.flag,
  first: codec.count,
  count: codec.count,
  bytes: codec.bytes,
});

export function encodeFrame(frame: Frame): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(VERSION);
  FRAME.write(frame, writer);
  return writer.copy();
}

/** Null for bytes that are no frame of this version. */
export function decodeFrame(bytes: Uint8Array): Frame | null {
  return readOrNull(bytes, (reader) => (reader.byte() === VERSION ? FRAME.read(reader) : null));
}

export function encodeAnswer({ kind, at, reason }: FrameAnswer): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(KINDS.indexOf(kind));
  writer.count(at);
  writer.text(shortReason(reason));
  return writer.copy();
}

/** Null for bytes that are no answer. */
export function decodeAnswer(bytes: Uint8Array): FrameAnswer | null {
  return readOrNull(bytes, (reader) => {
    const kind = KINDS[reader.byte()];
    return kind === undefined
      ? null
      : { kind, at: reader.count(), reason: shortReason(reader.text()) };
  });
}

/** It may quote what came from elsewhere, and goes there, or to people here. */
function shortReason(reason: string): string {
  return printable(reason.slice(0, REASON_LETTERS_MAX));
}

/** Null for bytes that are no piece. */
export function decodePiece(bytes: Uint8Array): Piece | null {
  return readOrNull(bytes, (reader) => PIECE.read(reader));
}

/** What is read, if that is all; null where a codec refuses. */
export function readOrNull<Value>(
  bytes: Uint8Array,
  read: (reader: ByteReader) => Value,
): Value | null {
  const reader = new ByteReader(bytes);
  try {
    const value = read(reader);
    return reader.isAtEnd ? value : null;
  } catch {
    // Codecs throw about bytes that nobody wrote, and those of users may throw anything.
    return null;
  }
}
