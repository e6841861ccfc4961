/** Reads a stream of entries back from its log, block after block. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { FrameBatch, LogReader, Position } from "../../base/log/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import { decodePiece } from "../../topology/remote/index.ts";
import type { Entry } from "./entry.ts";
import { readEntries } from "./entry-blocks.ts";

export interface StreamReading {
  /** Frames from here on are left out. */
  readonly to: Position;
  /** Gets the entries of a frame, and their bytes; calls `next` when it can take more. */
  readonly take: (entries: readonly Entry[], bytes: Uint8Array, next: () => void) => void;
  readonly damaged: (bytes: number) => void;
}

/** Closes the reader at the end. Batches of entries are small, so that each is one piece. */
export function readStream(reader: LogReader, reading: StreamReading, done: Acknowledge): void {
  const { to, take, damaged } = reading;
  const end = (error: CrawlError | null): void => reader.close((closing) => done(error ?? closing));
  const takePiece = (payload: Uint8Array, next: Acknowledge): void => {
    const piece = decodePiece(payload);
    const entries = piece === null ? null : readEntries(piece.bytes, piece.count);
    if (piece === null || entries === null) {
      damaged(payload.byteLength);
      next(null);
    } else take(entries, piece.bytes, () => next(null));
  };
  const read = (): void =>
    reader.read((error, batch) => {
      if (error !== null) end(error);
      else {
        for (const range of batch.damage) damaged(range.to - range.from);
        const payloads = payloadsBefore(batch, to);
        const isOver = payloads.length < batch.count || batch.count + batch.damage.length === 0;
        inTurn(payloads, takePiece, isOver ? end : read);
      }
    });
  read();
}

function payloadsBefore(batch: FrameBatch, to: Position): readonly Uint8Array[] {
  const payloads: Uint8Array[] = [];
  for (let at = 0; at < batch.count && batch.positionOf(at) < to; at += 1) {
    payloads.push(batch.payloadOf(at));
  }
  return payloads;
}
