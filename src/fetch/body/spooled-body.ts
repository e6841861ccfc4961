/**
 * One body from its first byte to its release: first the sink that takes the bytes, then the body
 * that can be read. It is a single object, since a page is so cheap that a second one would show.
 *
 * It begins in memory, in one piece that is replaced by a larger one when it is full. When there is
 * no memory for that, the body moves to a file for good: what is there is appended, and from then on
 * bytes are gathered in a small piece and appended whenever that is full, one append at a time,
 * during which the sink is behind.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Body, Done } from "../../base/seams/index.ts";
import type { TurnBudget } from "../../base/time/index.ts";
import { noRoom, notKept } from "./body-error.ts";
import type { BodyFile } from "./body-file.ts";
import type { BodyMemory, Piece, PieceUse } from "./body-memory.ts";
import type { BodySink } from "./body-sink.ts";

/** What all bodies of one spool share. */
export interface SpoolParts {
  readonly memory: BodyMemory;
  readonly turns: TurnBudget;
  makeFile(): BodyFile;
}

/** An announced length is trusted up to this; beyond it, memory grows with the bytes received. */
const BELIEVED_BYTES_MAX = 256 * 1024;
/** Without an announced length. */
const FIRST_PIECE_BYTES = 16 * 1024;
/** What is gathered for one append. */
const GATHERED_BYTES = 16 * 1024;

const NO_BYTES = new Uint8Array(0);

type Phase = "receiving" | "ending" | "readable" | "over";

export class SpooledBody implements BodySink, Body {
  readonly #parts: SpoolParts;
  readonly #drained: () => void;
  readonly #expectedBytes: number;
  #phase: Phase = "receiving";
  #lengthBytes = 0;
  #piece: Piece | null = null;
  #pieceUse: PieceUse = "body";
  /** How much of the piece is in use. */
  #filledBytes = 0;
  #file: BodyFile | null = null;
  /** An append is under way. */
  #isBehind = false;
  #failure: CrawlError | null = null;
  #ended: Done<Body> | null = null;
  #view: Uint8Array | null = null;
  #readers = 0;

  constructor(parts: SpoolParts, expectedBytes: number | null, drained: () => void) {
    this.#parts = parts;
    this.#expectedBytes = expectedBytes ?? 0;
    this.#drained = drained;
  }

  write(bytes: Uint8Array, from: number, to: number): boolean {
    assert(this.#phase === "receiving" && !this.#isBehind, "a sink that is behind is not written");
    const count = to - from;
    if (this.#failure !== null || count === 0) return true;
    this.#lengthBytes += count;
    if (!this.#hasRoom(count)) return this.#overflow(bytes, from, to);
    this.#copy(bytes, from, to);
    if (this.#file === null || this.#filledBytes < GATHERED_BYTES) return true;
    this.#appendGathered(null);
    return false;
  }

  end(done: Done<Body>): void {
    assert(this.#phase === "receiving", "a sink ends once");
    this.#phase = "ending";
    this.#ended = done;
    if (this.#isBehind) return;
    if (this.#file !== null && this.#filledBytes > 0) this.#appendGathered(null);
    else this.#finish();
  }

  abandon(): void {
    assert(this.#phase === "receiving" || this.#phase === "ending", "a sink ends once");
    this.#ended = null;
    this.#drop();
  }

  get lengthBytes(): number {
    return this.#lengthBytes;
  }

  get bytes(): Uint8Array | null {
    assert(this.#phase === "readable", "a body is read between its end and its release");
    if (this.#file !== null) return null;
    this.#view ??= this.#piece?.subarray(0, this.#lengthBytes) ?? NO_BYTES;
    return this.#view;
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    const bytes = this.bytes;
    this.#readers += 1;
    if (bytes === null) this.#readFile(offset, lengthBytes, done);
    else this.#readMemory(bytes.subarray(offset, offset + lengthBytes), done);
  }

  release(): void {
    assert(this.#phase === "readable", "a body is released once");
    assert(this.#readers === 0, "a body is released when no reader is left");
    this.#drop();
  }

  /** Whether the bytes fit the current piece, or a new one, if there is memory for it. */
  #hasRoom(count: number): boolean {
    const piece = this.#piece;
    if (piece !== null && this.#filledBytes + count <= piece.length) return true;
    if (this.#file !== null && piece !== null) return false;
    return this.#file === null ? this.#grow(count) : this.#gather(count);
  }

  /** A larger piece for a body in memory. */
  #grow(count: number): boolean {
    const { memory } = this.#parts;
    const old = this.#piece;
    const neededBytes = this.#filledBytes + count;
    // It would have to move to a file sooner or later: copying it before would be wasted.
    if (this.#expectedBytes > neededBytes && !memory.mayHold(this.#expectedBytes)) return false;
    const piece =
      memory.take(this.#wantedBytes(neededBytes), "body") ?? memory.take(neededBytes, "body");
    if (piece === null) return false;
    if (old !== null) {
      piece.set(old.subarray(0, this.#filledBytes));
      memory.give(old, "body");
    }
    this.#piece = piece;
    return true;
  }

  /** As long as announced, if that is trusted; else twice as long as before. */
  #wantedBytes(neededBytes: number): number {
    const grownBytes = this.#piece === null ? FIRST_PIECE_BYTES : 2 * this.#piece.length;
    const wantedBytes = Math.max(neededBytes, grownBytes);
    if (this.#expectedBytes < neededBytes) return wantedBytes;
    return Math.min(this.#expectedBytes, Math.max(wantedBytes, BELIEVED_BYTES_MAX));
  }

  /** The piece in which a body on disk gathers bytes for the next append. */
  #gather(count: number): boolean {
    this.#piece = this.#parts.memory.take(Math.max(count, GATHERED_BYTES), "writing");
    this.#pieceUse = "writing";
    return this.#piece !== null;
  }

  #copy(bytes: Uint8Array, from: number, to: number): void {
    assert(this.#piece !== null, "there is a piece to copy to");
    const isWhole = from === 0 && to === bytes.length;
    this.#piece.set(isWhole ? bytes : bytes.subarray(from, to), this.#filledBytes);
    this.#filledBytes += to - from;
  }

  /** The piece is full and there is no larger one: what it holds and these bytes go to the file. */
  #overflow(bytes: Uint8Array, from: number, to: number): boolean {
    const { memory } = this.#parts;
    const extra = memory.take(to - from, "writing");
    if (extra === null) {
      this.#fail(noRoom(memory.budgetBytes));
      return true;
    }
    extra.set(bytes.subarray(from, to));
    this.#file ??= this.#parts.makeFile();
    this.#appendGathered({ piece: extra, count: to - from });
    return false;
  }

  #appendGathered(extra: { readonly piece: Piece; readonly count: number } | null): void {
    assert(this.#file !== null, "what is appended has a file");
    const { memory } = this.#parts;
    const piece = this.#piece;
    const use = this.#pieceUse;
    const chunks: Uint8Array[] = [];
    if (piece !== null) chunks.push(piece.subarray(0, this.#filledBytes));
    if (extra !== null) chunks.push(extra.piece.subarray(0, extra.count));
    // The storage owns the pieces until it has answered; nothing else may touch them.
    this.#piece = null;
    this.#filledBytes = 0;
    this.#isBehind = true;
    this.#file.append(chunks, (error) => {
      if (piece !== null) memory.give(piece, use);
      if (extra !== null) memory.give(extra.piece, "writing");
      this.#appended(error);
    });
  }

  #appended(error: CrawlError | null): void {
    this.#isBehind = false;
    if (this.#phase === "over") return;
    if (error !== null) this.#fail(notKept(error));
    if (this.#phase === "ending") this.#finish();
    else this.#drained();
  }

  #finish(): void {
    const done = this.#ended;
    assert(done !== null, "the caller of `end` waits for the body");
    this.#ended = null;
    if (this.#failure === null) {
      this.#phase = "readable";
      done(null, this);
    } else {
      this.#phase = "over";
      done(this.#failure, undefined);
    }
  }

  #readMemory(piece: Uint8Array, done: Done<Uint8Array>): void {
    this.#parts.turns.later(() => {
      this.#readers -= 1;
      done(null, piece);
    });
  }

  #readFile(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    assert(this.#file !== null, "a body without bytes has a file");
    this.#file.read(offset, lengthBytes, (error, bytes) => {
      this.#readers -= 1;
      if (error !== null) done(notKept(error), undefined);
      else done(null, bytes);
    });
  }

  #fail(error: CrawlError): void {
    this.#failure = error;
    this.#giveBack();
  }

  #drop(): void {
    this.#phase = "over";
    if (this.#failure === null) this.#giveBack();
  }

  #giveBack(): void {
    if (this.#piece !== null) this.#parts.memory.give(this.#piece, this.#pieceUse);
    this.#piece = null;
    this.#filledBytes = 0;
    this.#view = null;
    this.#file?.discard();
  }
}
