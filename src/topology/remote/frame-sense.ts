/**
 * Whether what arrives makes sense. A frame may come from anybody who reaches the port, so whatever it
 * could make grow has a bound here: streams and their names, items, pieces, and bytes that wait for the
 * rest of their batch.
 */
import { printable } from "../../base/text/index.ts";
import type { ItemType } from "../items/index.ts";
import { ITEM_BYTES_MAX } from "./batch-writer.ts";
import { decodedItems } from "./decoded-items.ts";
import { bytesWith, type InboundStream, type InboundStreams } from "./inbound-streams.ts";
import type { Frame, Piece } from "./remote-frame.ts";

/** Far more senders than one connector has. */
const STREAMS_MAX = 4096;
const STREAM_LETTERS_MAX = 64;
/** A block is at most as large as its connector, a batch little more. */
const BATCH_ITEMS_MAX = 2_000_000;
/** A batch ends with the item that makes it too long. */
const BATCH_BYTES_MAX = 2 * ITEM_BYTES_MAX;
const BATCH_PIECES_MAX = 10_000;
/** What all streams together may have of batches that are not complete. */
const PIECES_BYTES_MAX = 2 * BATCH_BYTES_MAX;
const NAME_LETTERS_MAX = 100;

/** Why a frame is refused; null if it is not. */
export function nonsenseOf(
  { type, floor, after, end, stream }: Frame,
  { name }: { readonly name: string },
  streams: InboundStreams,
): string | null {
  if (type !== name) return `it carries ${name} here, not ${shortName(type)}`;
  const isNamed = stream !== "" && stream.length <= STREAM_LETTERS_MAX;
  if (floor > after || after >= end || !isNamed) return "its numbers make no sense";
  const isTooMany = streams.count >= STREAMS_MAX && !streams.has(stream);
  return isTooMany ? `it has had frames from ${STREAMS_MAX} senders` : null;
}

/** Whether the streams have so much of incomplete batches that only the first of them may go on. */
export function isCrowded(stream: InboundStream, piece: Piece, streams: InboundStreams): boolean {
  if (piece.isLast) return false;
  let sum = piece.bytes.byteLength;
  let first: InboundStream | null = null;
  for (const one of streams.all()) {
    sum += one.piecesBytes;
    if (one.piecesBytes > 0) first ??= one;
  }
  return sum > PIECES_BYTES_MAX && first !== stream;
}

/** The items that are complete with this piece; null if it makes no sense. */
export function itemsOf<Item>(
  type: ItemType<Item>,
  stream: InboundStream,
  piece: Piece,
): Item[] | null {
  if (piece.count > BATCH_ITEMS_MAX) return null;
  if (piece.isLast) return decodedItems(type, bytesWith(stream, piece), piece.count);
  const bytes = piece.bytes.byteLength;
  const isTooMuch =
    stream.piecesBytes + bytes > BATCH_BYTES_MAX || stream.pieces.length >= BATCH_PIECES_MAX;
  return isTooMuch || piece.isClose || bytes === 0 ? null : [];
}

/** A name that came from elsewhere, for people. */
export function shortName(name: string): string {
  return printable(name.slice(0, NAME_LETTERS_MAX));
}
