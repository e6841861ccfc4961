/**
 * The memory of a spool: pieces in classes of sizes (4 KiB, 6, 8, 12, 16 and so on), taken and given
 * back, with every byte counted, idle ones too. Never more than the budget is held.
 *
 * Three quarters of the budget are for bodies, by one rule: **a body may take a piece only while
 * four times its size is free.** So pieces of some size, however many, always leave three times that
 * size free, which is enough for pieces of half of it: large bodies are sent to disk long before
 * small pages find no room, nobody has to be pushed out, and a lone large body may still lie in
 * memory. (It is the dynamic threshold with which switches share their buffers among queues.)
 *
 * The last quarter is for bytes on their way to the disk. There at most one write of every sink
 * waits: a quarter of the default budget is enough for 512 of them of 64 KiB.
 */
import assert from "node:assert/strict";

export type Piece = Uint8Array<ArrayBuffer>;

/** What a piece is for; it is given back as what it was taken for. */
export type PieceUse = "body" | "writing";

const SMALLEST_LOG = 12;
/** How many times the size of a piece must be free for a body to take it. */
const FREE_FOLD = 4;

export class BodyMemory {
  readonly budgetBytes: number;
  readonly #bodyBytesMax: number;
  readonly #used: Record<PieceUse, number> = { body: 0, writing: 0 };
  /** Pieces that nobody uses, by class. */
  readonly #idle: Piece[][] = [];
  #idleBytes = 0;

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
    this.#bodyBytesMax = Math.floor((budgetBytes / 4) * 3);
  }

  /** Everything that is held, pieces that nobody uses included. */
  get heldBytes(): number {
    return this.usedBytes + this.#idleBytes;
  }

  get usedBytes(): number {
    return this.#used.body + this.#used.writing;
  }

  /** Whether a body of this length could lie in memory as things are. */
  mayHold(lengthBytes: number): boolean {
    const freeBytes = this.#bodyBytesMax - this.#used.body;
    if (lengthBytes > freeBytes) return false;
    return sizeOf(classOf(lengthBytes)) * FREE_FOLD <= freeBytes;
  }

  /** A piece of at least this length, or null when the rules refuse it. */
  take(lengthBytes: number, use: PieceUse): Piece | null {
    if (lengthBytes > this.budgetBytes) return null;
    const kind = classOf(lengthBytes);
    const bytes = sizeOf(kind);
    const fits = use === "body" ? this.mayHold(bytes) : this.usedBytes + bytes <= this.budgetBytes;
    if (!fits) return null;
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

  /** Lets idle pieces go, the largest first, until what is held fits the budget. */
  #makeRoom(): void {
    for (let kind = this.#idle.length - 1; kind >= 0; kind -= 1) {
      const idle = this.#idle[kind];
      while (this.heldBytes > this.budgetBytes) {
        const piece = idle?.pop();
        if (piece === undefined) break;
        this.#idleBytes -= piece.length;
        // Gives the memory back at once rather than when the collector finds it.
        piece.buffer.transfer(0);
      }
    }
    assert(this.heldBytes <= this.budgetBytes, "the memory of bodies stays within its budget");
  }
}

/** Classes are powers of two from 4 KiB on, and the sizes half-way between them. */
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
