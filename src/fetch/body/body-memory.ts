/**
 * The memory of a spool: pieces in size classes (4 KiB, 6, 8, 12, 16 and so on), taken and given
 * back. Every byte is counted, idle pieces included, and never more than the budget is held.
 *
 * Three quarters of the budget are for bodies, by one rule: **a body may take a piece only while
 * four times its size is free.** So pieces of one size, however many, always leave three times that
 * size free, which is enough for pieces of half the size: large bodies go to disk long before there
 * is no room for small pages, no body has to be evicted, and a single large body may still be in
 * memory. (This is the dynamic threshold by which switches share their buffers among queues.)
 *
 * The last quarter is for bytes that wait to be written, at most one write for each sink: a quarter
 * of the default budget is enough for 512 writes of 64 KiB.
 */
import assert from "node:assert/strict";

export type Piece = Uint8Array<ArrayBuffer>;

/** What a piece is for. It must be given back for the same use. */
export type PieceUse = "body" | "writing";

const SMALLEST_LOG = 12;
/** How many times the size of a piece must be free for a body to take it. */
const FREE_FOLD = 4;

export class BodyMemory {
  readonly budgetBytes: number;
  readonly #bodyBytesMax: number;
  readonly #used: Record<PieceUse, number> = { body: 0, writing: 0 };
  /** Pieces not in use, by class. */
  readonly #idle: Piece[][] = [];
  #idleBytes = 0;

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
    this.#bodyBytesMax = Math.floor((budgetBytes / 4) * 3);
  }

  /** Everything that is held, idle pieces included. */
  get heldBytes(): number {
    return this.usedBytes + this.#idleBytes;
  }

  get usedBytes(): number {
    return this.#used.body + this.#used.writing;
  }

  /** Whether a body of this length would fit in memory now. */
  mayHold(lengthBytes: number): boolean {
    const freeBytes = this.#bodyBytesMax - this.#used.body;
    if (lengthBytes > freeBytes) return false;
    return sizeOf(classOf(lengthBytes)) * FREE_FOLD <= freeBytes;
  }

  /** A piece of at least this length, or null if there is no room for it. */
  take(lengthBytes: number, use: PieceUse): Piece | null {
    if (lengthBytes > this.budgetBytes) return null;
    const kind = classOf(lengthBytes);
    const bytes = sizeOf(kind);
    // Writes may have taken more than their quarter.
    if (this.usedBytes + bytes > this.budgetBytes) return null;
    if (use === "body" && !this.mayHold(bytes)) return null;
    this.#used[use] += bytes;
    const idle = this.#idle[kind]?.pop();
    if (idle !== undefined) {
      this.#idleBytes -= bytes;
      return idle;
    }
    this.#makeRoom();
    return new Uint8Array(bytes);
  }

  give(piece: Piece, use: PieceUse): void {
    const bytes = piece.length;
    this.#used[use] -= bytes;
    assert(this.#used[use] >= 0, "no piece is given back twice");
    const kind = classOf(bytes);
    const idle = this.#idle[kind];
    if (idle === undefined) this.#idle[kind] = [piece];
    else idle.push(piece);
    this.#idleBytes += bytes;
  }

  /** Frees idle pieces, the largest first, until what is held fits the budget. */
  #makeRoom(): void {
    for (let kind = this.#idle.length - 1; kind >= 0; kind -= 1) {
      const idle = this.#idle[kind];
      while (this.heldBytes > this.budgetBytes) {
        const piece = idle?.pop();
        if (piece === undefined) break;
        this.#idleBytes -= piece.length;
        // Frees the memory at once rather than at the next garbage collection.
        piece.buffer.transfer(0);
      }
    }
    assert(this.heldBytes <= this.budgetBytes, "the memory of bodies stays within its budget");
  }
}

/** Classes are powers of two from 4 KiB up, and the sizes halfway between them. */
function classOf(bytes: number): number {
  if (bytes <= 1 << SMALLEST_LOG) return 0;
  const log = 31 - Math.clz32(bytes - 1);
  const isLowerHalf = bytes <= 3 * 2 ** (log - 1);
  return 2 * (log - SMALLEST_LOG) + (isLowerHalf ? 1 : 2);
}

function sizeOf(kind: number): number {
  const log = SMALLEST_LOG + (kind >> 1);
  return (kind & 1) === 0 ? 2 ** log : 3 * 2 ** (log - 1);
}
