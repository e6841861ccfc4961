/**
 * How far each stream has got at its receiver, and the pieces of a batch that is not yet complete. A
 * frame is the next one of its stream, or known already, or something is missing before it.
 */
import type { Position } from "../../base/log/index.ts";
import type { Arrival, Mark, MarkedStream } from "./inbound-record.ts";
import type { Frame, Piece } from "./remote-frame.ts";

export interface InboundStream {
  readonly name: string;
  /** Where its last frame ends; and its last frame that is durable here. */
  at: number;
  durableAt: number;
  isClosed: boolean;
  /** Pieces of the batch that is arriving, and where the first is in the receiver's log. */
  pieces: Uint8Array[];
  piecesBytes: number;
  position: Position | null;
}

export class InboundStreams {
  readonly #streams = new Map<string, InboundStream>();

  get count(): number {
    return this.#streams.size;
  }

  has(name: string): boolean {
    return this.#streams.has(name);
  }

  get closed(): number {
    let count = 0;
    for (const { isClosed } of this.#streams.values()) if (isClosed) count += 1;
    return count;
  }

  all(): Iterable<InboundStream> {
    return this.#streams.values();
  }

  /** The stream of a frame; one that is not known begins where its sender's log does. */
  of({ stream: name, floor }: Frame): InboundStream {
    const known = this.#streams.get(name) ?? fresh(name);
    // What its sender has dropped was acknowledged once: here it is lost, and nothing else can come.
    if (known.at < floor) {
      known.at = floor;
      known.durableAt = floor;
      forgetPieces(known);
    }
    return known;
  }

  verdict(stream: InboundStream, { after, end }: Frame): "next" | "known" | "gap" {
    if (end <= stream.at) return "known";
    return after === stream.at ? "next" : "gap";
  }

  /** Takes in the next piece. The bytes of its batch if that is complete with it, null otherwise. */
  add(stream: InboundStream, end: number, piece: Piece, position: Position): CompleteBatch | null {
    this.#streams.set(stream.name, stream);
    stream.at = end;
    stream.isClosed = piece.isClose;
    if (piece.isFirst) forgetPieces(stream);
    stream.position ??= position;
    const batch = { bytes: bytesWith(stream, piece), position: stream.position };
    if (piece.isLast) forgetPieces(stream);
    else {
      stream.pieces.push(piece.bytes);
      stream.piecesBytes += piece.bytes.byteLength;
    }
    return piece.isLast ? batch : null;
  }

  /** Replays an arrival from the log. */
  replay({ stream: name, end }: Arrival, piece: Piece, position: Position): CompleteBatch | null {
    const stream = this.#streams.get(name) ?? fresh(name);
    const batch = this.add(stream, end, piece, position);
    stream.durableAt = end;
    return batch;
  }

  /** Replays a mark from the log. */
  replayMark({ streams, isOver }: Mark): void {
    for (const { name, at, isClosed } of streams) {
      const stream = this.#streams.get(name) ?? fresh(name);
      this.#streams.set(name, stream);
      stream.at = at;
      stream.durableAt = at;
      stream.isClosed = isClosed && !isOver;
    }
  }

  marked(): MarkedStream[] {
    return Array.from(this.#streams.values(), ({ name, at, isClosed }) => ({ name, at, isClosed }));
  }
}

export interface CompleteBatch {
  readonly bytes: Uint8Array;
  /** Where the first piece is in the receiver's log. */
  readonly position: Position;
}

/** The bytes of a batch, this piece being its last. */
export function bytesWith({ pieces }: InboundStream, piece: Piece): Uint8Array {
  const isWhole = piece.isFirst || !piece.isLast || pieces.length === 0;
  return isWhole ? piece.bytes : Buffer.concat([...pieces, piece.bytes]);
}

function forgetPieces(stream: InboundStream): void {
  stream.pieces = [];
  stream.piecesBytes = 0;
  stream.position = null;
}

function fresh(name: string): InboundStream {
  return {
    ...{ name, at: 0, durableAt: 0, isClosed: false },
    ...{ pieces: [], piecesBytes: 0, position: null },
  };
}
