/**
 * A state in pieces, of which a checkpoint has only those that changed since the last one that was
 * recorded. They are written a few at a time, so that no turn takes long, and yet all as they were at
 * one moment: whoever changes a piece says so before, and if the checkpoint has not come to it yet, it
 * is written first.
 *
 * Invariant: a piece that differs from what was last recorded of it is among those that changed, those
 * that are to be written, or those that were given to a checkpoint that is not recorded yet.
 */
import { QueueNumbers } from "./queue-numbers.ts";

/** Gets the bytes of a piece; null for one that is gone. */
export type PieceSink = (piece: number, bytes: Uint8Array | null) => void;

export class ChangedPieces {
  readonly #write: (piece: number) => Uint8Array | null;
  /** By piece: the round in which it was last noted; it is noted once a round. */
  readonly #notedIn = new QueueNumbers();
  #round = 1;
  #changed = new Set<number>();
  #unwritten = new Set<number>();
  #unrecorded = new Set<number>();
  #sink: PieceSink = () => undefined;

  /** `write` gives the bytes of a piece as it is; null for one that does not exist. */
  constructor(write: (piece: number) => Uint8Array | null) {
    this.#write = write;
  }

  get memoryBytes(): number {
    return this.#notedIn.memoryBytes;
  }

  /** The piece is about to change, to be made or to go. Called all the time. */
  changing(piece: number): void {
    if (this.#notedIn.get(piece) === this.#round) return;
    this.#notedIn.set(piece, this.#round);
    if (this.#unwritten.size > 0 && this.#unwritten.has(piece)) this.#take(piece);
    this.#changed.add(piece);
  }

  /** The moment of a checkpoint. What one that was not recorded has taken, or was to take, comes again. */
  begin(sink: PieceSink): void {
    const pieces = this.#changed;
    for (const earlier of [this.#unwritten, this.#unrecorded]) {
      for (const piece of earlier) pieces.add(piece);
    }
    this.#unwritten = pieces;
    this.#unrecorded = new Set();
    this.#changed = new Set();
    this.#sink = sink;
    this.#round += 1;
  }

  /** Writes some; whether all are written. */
  writeSome(bytesMax: number): boolean {
    let bytes = 0;
    for (const piece of this.#unwritten) {
      if (bytes >= bytesMax) return false;
      bytes += this.#take(piece);
    }
    return true;
  }

  /** The last checkpoint is recorded. */
  committed(): void {
    this.#unrecorded.clear();
  }

  /** For opening: everything is as it was recorded. */
  restored(): void {
    this.#changed.clear();
    this.#round += 1;
  }

  /** About how much work it was. */
  #take(piece: number): number {
    const bytes = this.#write(piece);
    this.#unwritten.delete(piece);
    this.#unrecorded.add(piece);
    this.#sink(piece, bytes);
    return PIECE_BYTES + (bytes?.length ?? 0);
  }
}

/** What a piece costs that has no bytes, in bytes that are written in that time. */
const PIECE_BYTES = 64;
