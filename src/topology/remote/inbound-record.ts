/**
 * What the receiving side of a remote connector writes into its log: *arrivals*, which are the pieces of
 * frames as they came, and *marks*, which say how far every stream had got and which items consumers had
 * taken. Reading all of it in order gives the state of the receiver when it ended.
 */
import { ByteWriter, type Codec, codec } from "../items/index.ts";
import { readOrNull } from "./remote-frame.ts";

export interface Arrival {
  readonly stream: string;
  /** Where the frame ends: how far the stream has got with it. */
  readonly end: number;
  /** Items that had arrived before this batch, from all streams. */
  readonly number: number;
  readonly piece: Uint8Array;
}

export interface Mark {
  /** Items that were taken: all before this number. */
  readonly taken: number;
  /** Whether the connector had come to its end, so that what comes next is a new beginning. */
  readonly isOver: boolean;
  readonly streams: readonly MarkedStream[];
}

export interface MarkedStream {
  readonly name: string;
  readonly at: number;
  readonly isClosed: boolean;
}

const ARRIVAL: Codec<Arrival> = codec.struct<Arrival>({
  stream: codec.text,
  end: codec.count,
  number: codec.count,
  piece: codec.bytes,
});

const MARK: Codec<Mark> = codec.struct<Mark>({
  taken: codec.count,
  isOver: codec.flag,
  streams: codec.list(
    codec.struct<MarkedStream>({ name: codec.text, at: codec.count, isClosed: codec.flag }),
  ),
});

const ARRIVAL_TAG = 1;
const MARK_TAG = 2;

export type InboundRecord =
  | { readonly kind: "arrival"; readonly arrival: Arrival }
  | { readonly kind: "mark"; readonly mark: Mark };

export function encodeArrival(arrival: Arrival): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(ARRIVAL_TAG);
  ARRIVAL.write(arrival, writer);
  return writer.copy();
}

export function encodeMark(mark: Mark): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(MARK_TAG);
  MARK.write(mark, writer);
  return writer.copy();
}

/** Null for bytes that are neither. */
export function decodeRecord(bytes: Uint8Array): InboundRecord | null {
  return readOrNull<InboundRecord | null>(bytes, (reader) => {
    const tag = reader.byte();
    if (tag === ARRIVAL_TAG) return { kind: "arrival", arrival: ARRIVAL.read(reader) };
    return tag === MARK_TAG ? { kind: "mark", mark: MARK.read(reader) } : null;
  });
}
